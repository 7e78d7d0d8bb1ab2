import { start } from './leadgate.ts';

/** Becomes v1.js, for a script element. */
const { dataset, src } = document.currentScript as HTMLScriptElement;
window.leadgate = start(dataset.url ?? src);

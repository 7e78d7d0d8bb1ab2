import { start } from './leadgate.ts';

/** Becomes v1.mjs, for an import. */
export const leadgate = start(import.meta.url);

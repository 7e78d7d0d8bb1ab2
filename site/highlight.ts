import { createRequire } from 'node:module';

/** The parts of highlight.js that we use. Its own types pull in the DOM types, which conflict with Node's. */
interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  getLanguage(name: string): unknown;
  highlight(code: string, options: { language: string; ignoreIllegals: true }): { value: string };
}

const languages = [
  'bash',
  'dockerfile',
  'go',
  'http',
  'ini',
  'javascript',
  'json',
  'php',
  'python',
  'ruby',
  'sql',
  'typescript',
  'xml',
  'yaml',
];
const require = createRequire(import.meta.url);
const highlighter: Highlighter = require('highlight.js/lib/core');
for (const name of languages) {
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${name}`));
}

/** The code as HTML with classes; the style sheet colours them, because the CSP forbids inline styles. */
export function highlight(code: string, language: string): string {
  return highlighter.getLanguage(language) === undefined
    ? escapeHtml(code)
    : highlighter.highlight(code, { language, ignoreIllegals: true }).value;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** As HTML in which a long name may break after an underscore. */
export function breakable(text: string): string {
  return escapeHtml(text).replace(/_(?=.)/g, '_<wbr>');
}

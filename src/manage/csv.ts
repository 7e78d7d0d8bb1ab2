import { textOfString } from './json-members.ts';

/** One line of RFC 4180. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}

/** A text that may come from anybody. */
export function textCell(text: string): string {
  return quoted(harmless(text));
}

/** A value that is given as JSON text. Lists and objects stay JSON. */
export function jsonCell(json: string): string {
  if (json === 'null') return '';
  return json.startsWith('"') ? textCell(textOfString(json)) : quoted(json);
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * A spreadsheet runs a text that begins like a formula, and the text comes from strangers: an apostrophe makes
 * it plain text. Numbers need none, as they cannot hold a formula.
 */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

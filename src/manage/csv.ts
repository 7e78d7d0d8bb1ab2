import { textOfString } from './json-members.ts';
import type { Turns } from './turns.ts';

const needsQuotes = /[",\r\n]/;

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

const pieceCharacters = 16_384;

/** The same for any length: doubling the quotes of a long text takes a while. */
export async function longJsonCell(json: string, turns: Turns): Promise<string> {
  if (json.length <= pieceCharacters) return jsonCell(json);
  const text = json.startsWith('"') ? harmless(textOfString(json)) : json;
  if (!needsQuotes.test(text)) return text;
  let cell = '"';
  for (let at = 0; at < text.length; at += pieceCharacters) {
    await turns.take();
    cell += text.slice(at, at + pieceCharacters).replaceAll('"', '""');
  }
  return `${cell}"`;
}

function quoted(text: string): string {
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * A spreadsheet runs a text that begins like a formula, and the text comes from strangers: an apostrophe makes
 * it plain text. Numbers need none, as they cannot hold a formula.
 */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

import { textOf } from '../../domain/json/json-text.ts';
import type { Turns } from '../../time/turns.ts';

/** One line of RFC 4180. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}

/**
 * Text from any sender. Always quoted, so that commas, quotes and line breaks do not split it. A program that uses another
 * separator (in some spreadsheets the semicolon) may still split it there.
 */
export function textCell(text: string): string {
  return quoted(harmless(text));
}

/** A value as JSON text. Lists and objects stay JSON. Numbers, true and false are not quoted. */
export function jsonCell(json: string): string {
  if (json === 'null') return '';
  if (json.startsWith('"')) return textCell(textOf(json));
  return isStructure(json) ? quoted(json) : json;
}

const pieceCharacters = 16_384;

/** The same for any length: doubling the quotes of long text takes a while. */
export async function longJsonCell(json: string, turns: Turns): Promise<string> {
  if (json.length <= pieceCharacters) return jsonCell(json);
  const isText = json.startsWith('"');
  if (!isText && !isStructure(json)) return json;
  const text = isText ? harmless(textOf(json)) : json;
  let cell = '"';
  for (let at = 0; at < text.length; at += pieceCharacters) {
    await turns.take();
    cell += text.slice(at, at + pieceCharacters).replaceAll('"', '""');
  }
  return `${cell}"`;
}

function isStructure(json: string): boolean {
  return json.startsWith('{') || json.startsWith('[');
}

function quoted(text: string): string {
  return text.includes('"') ? `"${text.replaceAll('"', '""')}"` : `"${text}"`;
}

/** A character that starts a formula, possibly after invisible ones. Spreadsheets accept full-width forms too. */
const formulaStart = /^[\p{White_Space}\p{C}\p{Default_Ignorable_Code_Point}\u2800]*?[=+\-@\t\r\n＝＋－＠]/u;
/** Cannot call anything, and an apostrophe would break phone numbers. */
const phoneNumber = /^[+\d ()\-./]*$/;

/** Spreadsheets run text that starts like a formula, and senders choose the text: a leading apostrophe prevents it. */
function harmless(text: string): string {
  return formulaStart.test(text) && !phoneNumber.test(text) ? `'${text}` : text;
}

import { type JsonText, textOf } from '../../domain/json/json-text.ts';
import { type ExportTable, shortened } from './export-table.ts';

const chunkCharacters = 65_536;
/**
 * Excel continues a longer cell in the next row, from a character that a sender can choose. Read with another separator
 * than the comma, a whole row can be one cell.
 */
export const rowCharactersMax = 32_000;

export async function* csvChunks({ names, rows }: ExportTable): AsyncGenerator<string> {
  yield csvLine(names.map((name) => JSON.stringify(name)));
  let chunk = '';
  for await (const row of rows) {
    chunk += csvLine(row);
    if (chunk.length < chunkCharacters) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/**
 * A line of RFC 4180. No cell of it begins a formula, whether it is read with commas, semicolons or tabs. If it is too long,
 * its longest texts are shortened.
 */
export function csvLine(row: readonly JsonText[]): string {
  for (let charactersMax = rowCharactersMax; ; charactersMax /= 2) {
    const line = row.map((json, place) => csvCell(json, place === 0, charactersMax)).join(',');
    if (line.length <= rowCharactersMax) return `${line}\r\n`;
  }
}

/** Lists and objects stay JSON. Numbers, true and false are not quoted. */
function csvCell(json: JsonText, isFirst: boolean, charactersMax: number): string {
  if (json === 'null') return '';
  const isText = /^["[{]/.test(json);
  if (!isText && json.length <= charactersMax && !(isFirst && json.startsWith('-'))) return json;
  const text = shortened(textOf(json), charactersMax);
  return `"${harmless(text, isFirst).replaceAll('"', '""')}"`;
}

// What can stand before a formula: blanks, what nobody sees, and quotes, which only open a cell. A tab is one of them, but
// also what nothing should begin with.
const before = String.raw`["\p{White_Space}\p{C}\p{Default_Ignorable_Code_Point}\u2800]`;
const beforeTab = String.raw`[["\p{White_Space}\p{C}\p{Default_Ignorable_Code_Point}\u2800]--[\t]]`;
/** Spreadsheets accept the full-width forms too. */
const signs = String.raw`=+\-@＝＋－＠`;
const formulaStart = new RegExp(`^${before}*?[${signs}\t\r\n]`, 'v');
/**
 * Read with another separator than the comma, quotes do not protect a cell. What is looked for comes before what stands
 * behind it: the other way round would take long for a long row of tabs.
 */
const formulaInside = new RegExp(`[${signs}](?<=[;\t\r\n]${before}*.)|\t(?<=[;\r\n]${beforeTab}*\t)`, 'gv');
const numberOrPhoneNumber = /^[+\d ()\-./]*$/;
/** What a spreadsheet would work out: numbers with a sign between each two. */
const sum = /^[ (+-]*[\d.]+(?:[ )]*[+\-/][ (+-]*[\d.]+)+[ )]*$/;

/** Spreadsheets run text that starts like a formula, and senders choose the text: an apostrophe before it prevents it. */
function harmless(text: string, isFirst: boolean): string {
  const isNumber = numberOrPhoneNumber.test(text) && !sum.test(text);
  // Read with another separator, the first cell goes on with those behind it.
  const start = formulaStart.test(text) && (isFirst || !isNumber) ? "'" : '';
  return start + text.replace(formulaInside, "'$&");
}

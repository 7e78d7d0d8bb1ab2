/** One line of RFC 4180. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: unknown): string {
  const text = cellText(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return harmless(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * A spreadsheet runs a text that begins like a formula, and the text comes from strangers: an apostrophe makes
 * it plain text. Numbers need none, as they cannot hold a formula.
 */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

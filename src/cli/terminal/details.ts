import { styled } from '../output.ts';
import { printable } from './safe-text.ts';

/** Names and values below one another, the values in one column. */
export function detailLines(entries: readonly (readonly [string, unknown])[]): string[] {
  const width = Math.max(...entries.map(([name]) => name.length)) + 2;
  return entries.map(([name, value]) => `${styled('bold', name.padEnd(width))}${valueText(value)}`);
}

/** A text as it is, with its further lines indented so that none can be taken for another entry; anything else as JSON. */
export function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text
    .split(/\r?\n/)
    .map((line) => printable(line))
    .join('\n      ');
}

import { styled } from '../output.ts';
import { printable } from './safe-text.ts';

/** Names and values in two columns. */
export function detailLines(entries: readonly (readonly [string, unknown])[]): string[] {
  const width = Math.max(...entries.map(([name]) => name.length)) + 2;
  return entries.map(([name, value]) => `${styled('bold', name.padEnd(width))}${valueText(value)}`);
}

/** Text as it is, with further lines indented so that none looks like another entry; anything else as JSON. */
export function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text
    .split(/\r?\n/)
    .map((line) => printable(line))
    .join('\n      ');
}

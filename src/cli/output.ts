import { styleText } from 'node:util';
import { printable, safeJson, safeText } from './terminal/safe-text.ts';

type Style = Parameters<typeof styleText>[0];

/** A table column: its title and its cell for an item. */
export interface Column<Item> {
  readonly title: string;
  readonly show: (item: Item) => string;
  readonly style?: (item: Item) => Style;
}

/**
 * Standard output is for data, as text or JSON; everything else goes to standard error. Each stream has colour only if it is a
 * terminal, and NO_COLOR turns it off.
 */
export class Output {
  readonly isJson: boolean;

  constructor(isJson: boolean) {
    this.isJson = isJson;
  }

  note(text: string): void {
    process.stderr.write(`${safeText(text)}\n`);
  }

  /** One result: the value as JSON, or the text. */
  result(value: unknown, text: string): void {
    process.stdout.write(`${this.isJson ? safeJson(value, 2) : safeText(text)}\n`);
  }

  /** One of many results: a line of JSON or text. */
  line(value: unknown, text: string): void {
    process.stdout.write(`${this.isJson ? safeJson(value) : safeText(text)}\n`);
  }

  table<Item>(items: readonly Item[], columns: readonly Column<Item>[], nothing: string): void {
    if (this.isJson) this.result(items, '');
    else if (items.length === 0) this.note(nothing);
    else process.stdout.write(tableText(items, columns));
  }
}

/** For standard output. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

function tableText<Item>(items: readonly Item[], columns: readonly Column<Item>[]): string {
  const cells = items.map((item) => columns.map(({ show }) => printable(show(item))));
  const widths = columns.map(({ title }, place) =>
    Math.max(title.length, ...cells.map((row) => (row[place] as string).length)),
  );
  const padded = (text: string, place: number) =>
    place === columns.length - 1 ? text : text.padEnd(widths[place] as number);
  const head = columns.map(({ title }, place) => styled('bold', padded(title, place))).join('  ');
  const rows = items.map((item, row) =>
    columns
      .map(({ style }, place) => {
        const text = padded(cells[row]?.[place] as string, place);
        return style === undefined ? text : styled(style(item), text);
      })
      .join('  '),
  );
  return `${[head, ...rows].map((line) => line.trimEnd()).join('\n')}\n`;
}

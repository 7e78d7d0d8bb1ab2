import type { PageQuery } from '../contract/paging.ts';
import { id } from '../contract/shape.ts';
import type { PageRequest, Position } from '../db/keyset.ts';
import { Problem } from './problem.ts';

interface Listing<Row, Item> {
  fetch(request: PageRequest): Promise<readonly Row[]>;
  position(row: Row): Position;
  view(row: Row): Item;
}

/** One row more than asked for is fetched, to know whether there is a next page. */
export async function page<Row, Item>(
  { limit, cursor }: PageQuery,
  { fetch, position, view }: Listing<Row, Item>,
) {
  const after = cursor === undefined ? null : decodeCursor(cursor);
  const rows = await fetch({ after, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next_cursor = rows.length > limit && last !== undefined ? encodeCursor(position(last)) : null;
  return { items: shown.map(view), next_cursor };
}

function encodeCursor({ at, id }: Position): string {
  return Buffer.from(`${at.toISOString()} ${id}`).toString('base64url');
}

function decodeCursor(cursor: string): Position {
  const [time = '', text = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ');
  const position = { at: new Date(time), id: text };
  // Only what we would write ourselves is a cursor.
  if (
    Number.isNaN(position.at.getTime()) ||
    !id.safeParse(text).success ||
    encodeCursor(position) !== cursor
  ) {
    throw new Problem(
      'invalid_cursor',
      'Send the next_cursor of the page before, or no cursor for the first page.',
    );
  }
  return position;
}

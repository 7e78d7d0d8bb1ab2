import type { PageQuery } from '../contract/paging.ts';
import { id } from '../contract/shape.ts';
import type { PageRequest, Position } from '../db/keyset.ts';
import { Problem } from './problem.ts';

interface Listing<Place, Row, Item> {
  fetch(request: { readonly after: Place | null; readonly limit: number }): Promise<readonly Row[]>;
  position(row: Row): Place;
  view(row: Row): Item;
}

/** How a place in a list is written into a cursor. What is read from one is checked by writing it again. */
interface Cursors<Place> {
  write(place: Place): string;
  read(text: string): Place | null;
}

const ofTimes: Cursors<Position> = {
  write: ({ at, id }) => `${at.toISOString()} ${id}`,
  read(text) {
    const [time = '', last = ''] = text.split(' ');
    const at = new Date(time);
    return Number.isNaN(at.getTime()) || !id.safeParse(last).success ? null : { at, id: last };
  },
};

const numberMax = 2 ** 31 - 1;
const ofNumbers: Cursors<number> = {
  write: String,
  read: (text) => (/^\d+$/.test(text) && Number(text) <= numberMax ? Number(text) : null),
};

/** A page of a list that is ordered by time. */
export function page<Row, Item>(query: PageQuery, listing: Listing<Position, Row, Item>) {
  return pageBy(ofTimes, query, listing);
}

export interface Search<Row, Item> {
  search(request: PageRequest): Promise<{ readonly rows: readonly Row[]; readonly reached: Position | null }>;
  position(row: Row): Position;
  view(row: Row): Item;
}

/** A page of a list that is searched through; `reached` is where a search stopped before it had found enough. */
export async function pageOfSearch<Row, Item>(
  query: PageQuery,
  { search, position, view }: Search<Row, Item>,
) {
  let stoppedAt: Position | null = null;
  const fetch = async (request: PageRequest) => {
    const { rows, reached } = await search(request);
    stoppedAt = reached;
    return rows;
  };
  const found = await pageBy(ofTimes, query, { fetch, position, view });
  const reached = stoppedAt as Position | null;
  if (found.next_cursor !== null || reached === null) return { ...found, searched_to: null };
  return { ...found, next_cursor: encodeCursor(ofTimes, reached), searched_to: reached.at.toISOString() };
}

/** A page of a list that is numbered. */
export function pageOfNumbered<Row, Item>(query: PageQuery, listing: Listing<number, Row, Item>) {
  return pageBy(ofNumbers, query, listing);
}

/** One row more than asked for is fetched, to know whether there is a next page. */
async function pageBy<Place, Row, Item>(
  cursors: Cursors<Place>,
  { limit, cursor }: PageQuery,
  { fetch, position, view }: Listing<Place, Row, Item>,
) {
  const after = cursor === undefined ? null : decodeCursor(cursors, cursor);
  const rows = await fetch({ after, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next_cursor =
    rows.length > limit && last !== undefined ? encodeCursor(cursors, position(last)) : null;
  return { items: shown.map(view), next_cursor };
}

function encodeCursor<Place>(cursors: Cursors<Place>, place: Place): string {
  return Buffer.from(cursors.write(place)).toString('base64url');
}

function decodeCursor<Place>(cursors: Cursors<Place>, cursor: string): Place {
  const place = cursors.read(Buffer.from(cursor, 'base64url').toString('latin1'));
  // Only what we would write ourselves is a cursor.
  if (place === null || encodeCursor(cursors, place) !== cursor) {
    throw new Problem(
      'invalid_cursor',
      'Send the next_cursor of the page before, or no cursor for the first page.',
    );
  }
  return place;
}

import { hash } from 'node:crypto';
import type { PageQuery } from '../../contract/shape.ts';
import { exactText, id, timeInput } from '../../contract/shape.ts';
import type { LargePageRequest, Position, RowsWithinBytes } from '../../db/keyset.ts';
import type { LeadPlace, SortValue } from '../../db/leads/lead-order.ts';
import { Turns } from '../../time/turns.ts';
import { JsonText, jsonOf } from './json-text.ts';
import { Problem } from './problem.ts';

/** A page ends with the item that takes it past this many bytes. */
export const pageBytesMax = 1_048_576;

interface Listing<Place, Row, Item> {
  fetch(
    request: Omit<LargePageRequest, 'after'> & { readonly after: Place | null },
  ): Promise<readonly Row[] | RowsWithinBytes<Row>>;
  position(row: Row): Place;
  view(row: Row): Item | JsonText<Item>;
}

/** How a position in a list is encoded in a cursor. A cursor is checked by encoding it again. */
interface Cursors<Place> {
  write(place: Place): string;
  read(text: string): Place | null;
}

/** A cursor of a filtered list ends with what it was filtered by, so that it works with these filters only. */
const ofTimesWith = (filters: object): Cursors<Position> => {
  const given = Object.values(filters).some((value) => value !== undefined);
  const suffix = given ? ` ${hash('sha256', JSON.stringify(filters)).slice(0, 12)}` : '';
  return {
    write: (place) => ofTimes.write(place) + suffix,
    read: (text) => (text.endsWith(suffix) ? ofTimes.read(text.slice(0, text.length - suffix.length)) : null),
  };
};

const ofTimes: Cursors<Position> = {
  write: ({ at, id }) => `${at.toISOString()} ${id}`,
  read(text) {
    const [time = '', last = ''] = text.split(' ');
    // The same rule as for times in a request: PostgreSQL supports fewer years than JavaScript.
    const at = timeInput.safeParse(time);
    return at.success && id.safeParse(last).success ? { at: at.data, id: last } : null;
  },
};

/** A place in a list of leads, which ends with what the list is sorted by. */
const ofPlacesIn = (list: object): Cursors<LeadPlace> => {
  const times = ofTimesWith(list);
  return {
    write: ({ value, ...place }) =>
      value === null
        ? times.write(place)
        : `${times.write(place)} ${Buffer.from(JSON.stringify([value.key])).toString('base64url')}`,
    read(text) {
      const parts = text.split(' ');
      const value = parts.length > 3 ? valueIn(parts[3] as string) : null;
      const place = times.read(parts.slice(0, 3).join(' '));
      return place === null || (parts.length > 3 && value === null) ? null : { ...place, value };
    },
  };
};

const keyCharactersMax = 1_000;

function valueIn(text: string): SortValue | null {
  try {
    const [key] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    return key === null || exactText(keyCharactersMax, 0).safeParse(key).success
      ? { key: key as string | null }
      : null;
  } catch {
    return null;
  }
}

const numberMax = 2 ** 31 - 1;
const ofNumbers: Cursors<number> = {
  write: String,
  read: (text) => (/^\d+$/.test(text) && Number(text) <= numberMax ? Number(text) : null),
};

/** A page of a list ordered by time. */
export function page<Row, Item>(
  query: PageQuery,
  listing: Listing<Position, Row, Item>,
  filters: object = {},
) {
  return pageBy(ofTimesWith(filters), query, listing);
}

/** A place, and the time to show for it if that is another. */
export type Reached = LeadPlace & { readonly searchedTo?: Date };
type SearchRequest = Omit<LargePageRequest, 'after'> & { readonly after: LeadPlace | null };

export interface Search<Row, Item> {
  search(request: SearchRequest): Promise<RowsWithinBytes<Row> & { readonly reached: Reached | null }>;
  position(row: Row): LeadPlace;
  view(row: Row): Item | JsonText<Item>;
}

/** A page of a searched list; `reached` is where a search stopped before it found enough. */
export async function pageOfSearch<Row, Item>(
  query: PageQuery,
  boundTo: object,
  { search, position, view }: Search<Row, Item>,
) {
  let stoppedAt: Reached | null = null;
  const fetch = async (request: SearchRequest) => {
    const found = await search(request);
    stoppedAt = found.reached;
    return found;
  };
  const cursors = ofPlacesIn(boundTo);
  const found = await pageBy(cursors, query, { fetch, position, view });
  const reached = stoppedAt as Reached | null;
  if (found.next_cursor !== null || reached === null) return { ...found, searched_to: null };
  const { searchedTo = reached.at, ...place } = reached;
  return { ...found, next_cursor: encodeCursor(cursors, place), searched_to: searchedTo.toISOString() };
}

/** A page of a numbered list. */
export function pageOfNumbered<Row, Item>(query: PageQuery, listing: Listing<number, Row, Item>) {
  return pageBy(ofNumbers, query, listing);
}

/** Fetches one extra row to know whether there is a next page. Items are written one by one. */
async function pageBy<Place, Row, Item>(
  cursors: Cursors<Place>,
  { limit, cursor }: PageQuery,
  { fetch, position, view }: Listing<Place, Row, Item>,
) {
  const after = cursor === undefined ? null : decodeCursor(cursors, cursor);
  const fetched = await fetch({ after, limit: limit + 1, bytesMax: pageBytesMax });
  const { rows, isCut } = 'isCut' in fetched ? fetched : { rows: fetched, isCut: false };
  const items: JsonText<Item>[] = [];
  const turns = new Turns();
  let last: Row | undefined;
  for (let bytes = 0; items.length < Math.min(limit, rows.length) && bytes < pageBytesMax; ) {
    last = rows[items.length] as Row;
    const item = textOf(view(last));
    items.push(item);
    bytes += item.bytes;
    await turns.take();
  }
  const hasMore = items.length < rows.length || isCut;
  return { items, next_cursor: hasMore && last !== undefined ? encodeCursor(cursors, position(last)) : null };
}

function textOf<Item>(view: Item | JsonText<Item>): JsonText<Item> {
  return view instanceof JsonText ? view : jsonOf(view);
}

function encodeCursor<Place>(cursors: Cursors<Place>, place: Place): string {
  return Buffer.from(cursors.write(place)).toString('base64url');
}

function decodeCursor<Place>(cursors: Cursors<Place>, cursor: string): Place {
  const place = cursors.read(Buffer.from(cursor, 'base64url').toString('latin1'));
  // Accept only cursors that we would write ourselves.
  if (place === null || encodeCursor(cursors, place) !== cursor) {
    throw new Problem(
      'invalid_cursor',
      'Send the next_cursor of the previous page, or no cursor for the first page.',
    );
  }
  return place;
}

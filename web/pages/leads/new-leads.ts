import type { LeadPage, LeadPages } from './lead-cache.ts';

type ListedLead = LeadPage['items'][number];

/** The newest leads of a list, asked for again. */
export interface Newest {
  readonly page: LeadPage;
  /** Leads received before this were not asked for. */
  readonly from: string;
}

/** How many leads at the top are compared with the service: what happens to leads happens to new ones. */
const comparedMax = 50;

/** More than clocks differ. */
const clockMs = 10 * 60_000;

/** Where the compared part ends. An empty list was searched when it was loaded, and is not searched again. */
export function comparedFrom(data: LeadPages, loadedAt: number): string {
  const last = itemsOf(data).slice(0, comparedMax).at(-1);
  return last?.received_at ?? new Date(loadedAt - clockMs).toISOString();
}

function itemsOf(data: LeadPages): ListedLead[] {
  return data.pages.flatMap(({ items }) => items);
}

/** How many leads the list does not have yet, and whether there are more than were asked for. */
export function countNew(data: LeadPages, { page }: Newest): { count: number; isMore: boolean } {
  const known = idsOf(itemsOf(data));
  const count = page.items.filter(({ submission_id }) => !known.has(submission_id)).length;
  return { count, isMore: count > 0 && count === page.items.length && page.next_cursor !== null };
}

/** Those of the loaded leads that are gone, or no longer match, as far as the newest part says. */
export function goneFrom(data: LeadPages, newest: Newest): ReadonlySet<string> {
  const fresh = idsOf(newest.page.items);
  const end = endOf(newest);
  const gone = itemsOf(data).filter(
    ({ submission_id, received_at }) => received_at > end && !fresh.has(submission_id),
  );
  return idsOf(gone);
}

/** Leads received until then are not in the newest part. */
function endOf({ page, from }: Newest): string {
  return page.next_cursor === null ? from : (page.items.at(-1)?.received_at ?? from);
}

/** The loaded leads as they are now. No row is added or removed, so none moves. */
export function updated(data: LeadPages, { page }: Newest): LeadPages {
  const fresh = new Map(page.items.map((item) => [item.submission_id, item]));
  return withItems(data, (items) => items.map((item) => fresh.get(item.submission_id) ?? item));
}

/**
 * The list with its new leads, and without those that are gone. Null if there are leads in between that were not asked
 * for, so that the list must be loaded again.
 */
export function merged(data: LeadPages, newest: Newest, isKept: (id: string) => boolean): LeadPages | null {
  const { page } = newest;
  const [first] = data.pages;
  if (first === undefined || countNew(data, newest).isMore) return null;
  const fresh = idsOf(page.items);
  const end = endOf(newest);
  const isOld = ({ submission_id: id, received_at }: ListedLead) =>
    !fresh.has(id) && (received_at <= end || isKept(id));
  const others = withItems(data, (items) => items.filter(isOld));
  const items = [...page.items, ...(others.pages[0]?.items ?? [])].toSorted(newestFirst);
  return { ...others, pages: [{ ...first, items }, ...others.pages.slice(1)] };
}

function withItems(data: LeadPages, change: (items: ListedLead[]) => ListedLead[]): LeadPages {
  return { ...data, pages: data.pages.map((page) => ({ ...page, items: change(page.items) })) };
}

function idsOf(items: readonly ListedLead[]): Set<string> {
  return new Set(items.map(({ submission_id }) => submission_id));
}

function newestFirst(a: ListedLead, b: ListedLead): number {
  if (a.received_at !== b.received_at) return a.received_at < b.received_at ? 1 : -1;
  return a.submission_id < b.submission_id ? 1 : -1;
}

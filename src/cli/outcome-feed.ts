import { minuteMs } from '../clock.ts';
import type { Diagnostics, ReasonCount } from '../contract/diagnostics.ts';
import type { RejectionCategory } from '../domain/rejection.ts';
import type { Query } from './api.ts';

/** One thing that happened, or several of a kind of which only the number is known. */
export interface Outcome {
  readonly at: string;
  readonly outcome: 'accepted' | 'rate_limited' | 'rejected';
  /** Null when accepted. */
  readonly reason: string | null;
  readonly surface: string | null;
  readonly count: number;
  readonly request_id: string | null;
  readonly form_id: string | null;
  readonly token_id: string | null;
  readonly detail: Readonly<Record<string, unknown>> | null;
}

type Entry = Diagnostics['items'][number];
type Ask = (query: Query) => Promise<Diagnostics>;

const pageItems = 200;
const pagesMax = 5;
// Entries may show some seconds after the fact, in any order.
const lookBackMs = 60_000;
const nothingMore = {
  reason: null,
  surface: null,
  request_id: null,
  form_id: null,
  token_id: null,
  detail: null,
};

/**
 * Tells what is new since the last question. Entries are known by their ids; of those past the cap of the service, and of
 * accepted leads, only the counts are known, which grow.
 */
export class OutcomeFeed {
  readonly #ask: Ask;
  readonly #sinceMs: number;
  /** False while what is there already is only looked at, not told. */
  #isTelling: boolean;
  #seen = new Map<string, number>();
  #counts = new Map<string, number>();

  constructor(ask: Ask, sinceMs: number, isTellingThePast: boolean) {
    this.#ask = ask;
    // Counts are kept by the minute.
    this.#sinceMs = Math.floor(sinceMs / minuteMs) * minuteMs;
    this.#isTelling = isTellingThePast;
  }

  async next(): Promise<Outcome[]> {
    const fromMs = this.#seen.size === 0 ? this.#sinceMs : Math.max(this.#sinceMs, Date.now() - lookBackMs);
    const entries = await this.#newEntries(new Date(fromMs).toISOString());
    // Counts are asked for after the entries, and from one fixed time on, so that they never fall short of them.
    const counted = await this.#ask({ from: new Date(this.#sinceMs).toISOString(), limit: 1 });
    const outcomes = [...entries.map(ofEntry), ...this.#grown(counted, entries)];
    const told = this.#isTelling ? outcomes : [];
    this.#isTelling = true;
    return told;
  }

  async #newEntries(from: string): Promise<Entry[]> {
    const fresh: Entry[] = [];
    let cursor: string | null | undefined;
    for (let pages = 0; pages < pagesMax && cursor !== null; pages++) {
      const page: Diagnostics = await this.#ask({ from, limit: pageItems, cursor });
      const unseen = page.items.filter(({ id }) => !this.#seen.has(id));
      fresh.push(...unseen);
      for (const { id, at } of unseen) this.#seen.set(id, Date.parse(at));
      cursor = unseen.length === 0 ? null : page.next_cursor;
    }
    this.#forgetOld();
    return fresh.reverse();
  }

  #forgetOld(): void {
    const oldMs = Date.now() - 2 * lookBackMs;
    for (const [id, at] of this.#seen) if (at < oldMs && this.#seen.size > pageItems) this.#seen.delete(id);
  }

  /** What the counts have grown by beyond the entries that are told one by one. */
  #grown(counted: Diagnostics, entries: readonly Entry[]): Outcome[] {
    const at = new Date().toISOString();
    const counts = new Map<string, Pick<ReasonCount, 'reason' | 'category' | 'count'>>(
      counted.by_reason.map((row) => [row.reason, row]),
    );
    // An entry can be seen before it is counted for the first time.
    for (const { reason, category } of entries)
      if (!counts.has(reason)) counts.set(reason, { reason, category, count: 0 });
    const rows = [
      { key: 'accepted', category: null, count: counted.totals.accepted },
      ...[...counts.values()].map(({ reason, category, count }) => ({ key: reason, category, count })),
    ];
    return rows.flatMap(({ key, category, count }) => {
      const single = entries.filter(({ reason }) => reason === key).length;
      const known = (this.#counts.get(key) ?? 0) + single;
      // An entry can be seen a moment before it is counted; then the count has to catch up first.
      this.#counts.set(key, Math.max(known, count));
      if (count <= known) return [];
      const reason = category === null ? null : key;
      return [{ ...nothingMore, at, outcome: kindOf(category), reason, count: count - known }];
    });
  }
}

function ofEntry(entry: Entry): Outcome {
  const { at, surface, reason, category, form_id, token_id, request_id, detail } = entry;
  return { at, outcome: kindOf(category), reason, surface, count: 1, request_id, form_id, token_id, detail };
}

function kindOf(category: RejectionCategory | null): Outcome['outcome'] {
  if (category === null) return 'accepted';
  return category === 'rate_limit' ? 'rate_limited' : 'rejected';
}

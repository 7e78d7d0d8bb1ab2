import type { Diagnostics, DiagnosticsInput, ReasonCount } from '../../contract/diagnostics.ts';
import type { RejectionCategory } from '../../domain/rejection.ts';
import { minuteMs } from '../../time/clock.ts';

/** One rejected submission, or several of a kind of which only the number is known. */
export interface Rejected {
  readonly at: string;
  readonly outcome: 'rate_limited' | 'rejected';
  readonly reason: string;
  readonly surface: string | null;
  readonly count: number;
  readonly request_id: string | null;
  readonly form_id: string | null;
  readonly token_id: string | null;
  readonly detail: Readonly<Record<string, unknown>> | null;
}

type Entry = Diagnostics['items'][number];
type Ask = (query: DiagnosticsInput) => Promise<Diagnostics>;

const pageItems = 200;
const pagesMax = 5;
// Entries may appear some seconds late, in any order.
const lookBackMs = 60_000;
const nothingMore = {
  surface: null,
  request_id: null,
  form_id: null,
  token_id: null,
  detail: null,
};

/**
 * Finds the rejections since the last query. Entries are tracked by id; beyond the cap of the service only growing counts are
 * known.
 */
export class OutcomeFeed {
  readonly #ask: Ask;
  readonly #now: () => number;
  readonly #sinceMs: number;
  /** False while existing entries are only read, not shown. */
  #isTelling: boolean;
  /** The time of the last complete query: entries held back by an outage appear with their real times. */
  #knownMs: number | null = null;
  #seen = new Map<string, number>();
  #counts = new Map<string, number>();
  /** Read, but not shown yet, because a later query failed. */
  #untold: Entry[] = [];

  /** `now` is the time of the service. */
  constructor(ask: Ask, now: () => number, sinceMs: number, isTellingThePast: boolean) {
    this.#ask = ask;
    this.#now = now;
    // Counts are per minute.
    this.#sinceMs = Math.floor(sinceMs / minuteMs) * minuteMs;
    this.#isTelling = isTellingThePast;
  }

  async next(): Promise<Rejected[]> {
    const startMs = this.#now();
    const fromMs = Math.max(this.#sinceMs, (this.#knownMs ?? this.#sinceMs) - lookBackMs);
    await this.#findEntries(new Date(fromMs).toISOString());
    // Read counts after entries, and from a fixed time, so that they are never lower.
    const counted = await this.#ask({ from: new Date(this.#sinceMs).toISOString(), limit: 1 });
    const entries = this.#untold.splice(0).sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
    const outcomes = [...entries.map(ofEntry), ...this.#grown(counted, entries)];
    const told = this.#isTelling ? outcomes : [];
    this.#isTelling = true;
    this.#knownMs = startMs;
    return told;
  }

  async #findEntries(from: string): Promise<void> {
    let cursor: string | null | undefined;
    for (let pages = 0; pages < pagesMax && cursor !== null; pages++) {
      const page: Diagnostics = await this.#ask({ from, limit: pageItems, cursor });
      const unseen = page.items.filter(({ id }) => !this.#seen.has(id));
      this.#untold.push(...unseen);
      for (const { id, at } of unseen) this.#seen.set(id, Date.parse(at));
      cursor = page.next_cursor;
    }
    this.#forgetOld();
  }

  #forgetOld(): void {
    const oldMs = (this.#knownMs ?? this.#sinceMs) - 2 * lookBackMs;
    for (const [id, at] of this.#seen) if (at < oldMs && this.#seen.size > pageItems) this.#seen.delete(id);
  }

  /** By how much the counts have grown beyond the entries shown one by one. */
  #grown(counted: Diagnostics, entries: readonly Entry[]): Rejected[] {
    const at = new Date(this.#now()).toISOString();
    const counts = new Map<string, Pick<ReasonCount, 'reason' | 'category' | 'count'>>(
      counted.by_reason.map((row) => [row.reason, row]),
    );
    // An entry can appear before it is first counted.
    for (const { reason, category } of entries)
      if (!counts.has(reason)) counts.set(reason, { reason, category, count: 0 });
    return [...counts.values()].flatMap(({ reason, category, count }) => {
      const single = entries.filter((entry) => entry.reason === reason).length;
      const known = (this.#counts.get(reason) ?? 0) + single;
      // If an entry appears before it is counted, the count has to catch up first.
      this.#counts.set(reason, Math.max(known, count));
      if (count <= known) return [];
      return [{ ...nothingMore, at, outcome: kindOf(category), reason, count: count - known }];
    });
  }
}

function ofEntry(entry: Entry): Rejected {
  const { at, surface, reason, category, form_id, token_id, request_id, detail } = entry;
  return { at, outcome: kindOf(category), reason, surface, count: 1, request_id, form_id, token_id, detail };
}

function kindOf(category: RejectionCategory): Rejected['outcome'] {
  return category === 'rate_limit' ? 'rate_limited' : 'rejected';
}

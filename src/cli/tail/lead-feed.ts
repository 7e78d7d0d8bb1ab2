import type { Lead, LeadListInput } from '../../contract/leads/lead.ts';

/** What is told of a lead; all of it would not fit into memory when there are many. */
export type ToldLead = Pick<
  Lead,
  'submission_id' | 'received_at' | 'form_id' | 'surface' | 'verdict' | 'grade' | 'score'
>;

interface LeadPage {
  readonly items: readonly ToldLead[];
  readonly next_cursor: string | null;
}

export interface LeadSource {
  leads(query: LeadListInput): Promise<LeadPage>;
  /** Whether leads wait in a spool that this service knows of, or would go to one now. */
  isSpooling(): Promise<boolean>;
}

const pageItems = 200;
// A commit takes its time, and instances have clocks of their own: leads show out of order by that much.
const shortLookMs = 5_000;
const longLookMs = 120_000;
// After trouble, leads may come out of spools for a while, also out of those of other instances.
const troubleMs = 600_000;

/**
 * Tells each lead once. The list is ordered by when leads were received, which is not the order in which they are committed, so
 * every question goes back some time behind the newest lead and leaves out the ids that are known:
 *
 * - each time a few seconds,
 * - now and then two minutes, for commits that took long,
 * - after an outage to before its start, because leads that were spooled are stored late and with their real times.
 *
 * Times are compared with those of leads, never with the clock of this machine.
 */
export class LeadFeed {
  readonly #source: LeadSource;
  readonly #longLookEveryMs: number;
  #known = new Map<string, number>();
  #newestMs: number | null = null;
  #nextLongLookMs = 0;
  /** Where looks begin while there is trouble, and until when there is. */
  #trouble: { fromMs: number; untilMs: number } | null = null;

  constructor(source: LeadSource, longLookEveryMs = 30_000) {
    this.#source = source;
    this.#longLookEveryMs = longLookEveryMs;
  }

  /** What there is already is known from now on: all since a time is returned, or nothing when none is given. */
  async begin(sinceMs: number | null): Promise<ToldLead[]> {
    const [newest] = (await this.#source.leads({ limit: 1 })).items;
    const newestMs = newest === undefined ? null : Date.parse(newest.received_at);
    const fromMs = Math.min(...[sinceMs, newestMs].filter((ms) => ms !== null)) - longLookMs;
    const found = await this.#unknownSince(Number.isFinite(fromMs) ? fromMs : null);
    return sinceMs === null ? [] : found.filter(({ received_at }) => Date.parse(received_at) >= sinceMs);
  }

  /** What is new since the last question, in the order of their times. `nowMs` only paces the longer looks. */
  async next(nowMs: number, isLast = false): Promise<ToldLead[]> {
    const isLong = isLast || nowMs >= this.#nextLongLookMs;
    if (isLong) await this.#watchSpool(nowMs);
    const found = await this.#unknownSince(this.#lookFrom(isLong ? nowMs : null));
    // Only after a look that succeeded: one that failed is made up for.
    if (isLong) this.#nextLongLookMs = nowMs + this.#longLookEveryMs;
    this.#forget(nowMs);
    return found;
  }

  /** The service did not answer: it may have been spooling all the while. */
  noteTrouble(nowMs: number): void {
    const fromMs = Math.min(this.#trouble?.fromMs ?? Infinity, (this.#newestMs ?? 0) - longLookMs);
    this.#trouble = { fromMs, untilMs: nowMs + troubleMs };
    this.#nextLongLookMs = 0;
  }

  async #watchSpool(nowMs: number): Promise<void> {
    if (await this.#source.isSpooling()) this.noteTrouble(nowMs);
    else if (this.#trouble !== null && nowMs > this.#trouble.untilMs) this.#trouble = null;
  }

  /** A long look when the time is given. A lead from a clock that was ahead must not hide those that follow it. */
  #lookFrom(nowMs: number | null): number | null {
    if (this.#newestMs === null) return null;
    if (nowMs === null) return this.#newestMs - shortLookMs;
    return Math.min(this.#newestMs - longLookMs, nowMs - longLookMs, this.#trouble?.fromMs ?? Infinity);
  }

  /** Oldest first. A page begins behind the last lead of the one before, so new leads shift nothing. */
  async #unknownSince(fromMs: number | null): Promise<ToldLead[]> {
    const from = fromMs === null ? undefined : new Date(Math.max(0, fromMs)).toISOString();
    const found: ToldLead[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await this.#source.leads({ from, limit: pageItems, cursor });
      found.push(...page.items.filter(({ submission_id: id }) => !this.#known.has(id)).map(toldOf));
      cursor = page.next_cursor;
    }
    // Known only now that all pages are there: after a failure they are asked for again.
    for (const { submission_id: id, received_at } of found) this.#known.set(id, Date.parse(received_at));
    const [newest] = found;
    if (newest !== undefined) this.#newestMs = Math.max(this.#newestMs ?? 0, Date.parse(newest.received_at));
    return found.reverse();
  }

  /** No look goes back further than this, not even the first one after trouble. */
  #forget(nowMs: number): void {
    const fromMs = this.#lookFrom(nowMs);
    if (fromMs === null) return;
    for (const [id, ms] of this.#known) if (ms < fromMs - longLookMs) this.#known.delete(id);
  }
}

function toldOf(lead: ToldLead): ToldLead {
  const { submission_id, received_at, form_id, surface, verdict, grade, score } = lead;
  return { submission_id, received_at, form_id, surface, verdict, grade, score };
}

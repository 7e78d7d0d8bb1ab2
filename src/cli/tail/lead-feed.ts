import type { Lead, LeadListInput } from '../../contract/leads/lead.ts';

/** What is shown of a lead; whole leads would use too much memory. */
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
  /** Whether this service has spooled leads, or is spooling now. */
  isSpooling(): Promise<boolean>;
}

const pageItems = 200;
// Commits take time and the clocks of instances differ, so leads can appear out of order by this much.
const shortLookMs = 5_000;
const longLookMs = 120_000;
// After an outage, leads may still drain from spools for a while, including those of other instances.
const troubleMs = 600_000;

/**
 * Returns each lead once. The list is ordered by the time of receipt, not of commit, so every query starts some time before the
 * newest lead and skips known ids:
 *
 * - usually a few seconds,
 * - from time to time two minutes, for slow commits,
 * - after an outage from before its start, because spooled leads are stored late with their real times.
 *
 * Times are compared with those of leads, never with the clock of this machine.
 */
export class LeadFeed {
  readonly #source: LeadSource;
  readonly #longLookEveryMs: number;
  #known = new Map<string, number>();
  #newestMs: number | null = null;
  #nextLongLookMs = 0;
  /** Where queries start during an outage, and until when it lasts. */
  #trouble: { fromMs: number; untilMs: number } | null = null;

  constructor(source: LeadSource, longLookEveryMs = 30_000) {
    this.#source = source;
    this.#longLookEveryMs = longLookEveryMs;
  }

  /** Marks existing leads as known. Returns those since a time, or none if no time is given. */
  async begin(sinceMs: number | null): Promise<ToldLead[]> {
    const [newest] = (await this.#source.leads({ limit: 1 })).items;
    const newestMs = newest === undefined ? null : Date.parse(newest.received_at);
    const fromMs = Math.min(...[sinceMs, newestMs].filter((ms) => ms !== null)) - longLookMs;
    const found = await this.#unknownSince(Number.isFinite(fromMs) ? fromMs : null);
    return sinceMs === null ? [] : found.filter(({ received_at }) => Date.parse(received_at) >= sinceMs);
  }

  /** New leads since the last query, in order of time. `nowMs` only paces the longer queries. */
  async next(nowMs: number, isLast = false): Promise<ToldLead[]> {
    const isLong = isLast || nowMs >= this.#nextLongLookMs;
    if (isLong) await this.#watchSpool(nowMs);
    const found = await this.#unknownSince(this.#lookFrom(isLong ? nowMs : null));
    // Only after a successful query, so that a failed one is repeated.
    if (isLong) this.#nextLongLookMs = nowMs + this.#longLookEveryMs;
    this.#forget(nowMs);
    return found;
  }

  /** The service did not respond, so it may have been spooling. */
  noteTrouble(nowMs: number): void {
    const fromMs = Math.min(this.#trouble?.fromMs ?? Infinity, (this.#newestMs ?? 0) - longLookMs);
    this.#trouble = { fromMs, untilMs: nowMs + troubleMs };
    this.#nextLongLookMs = 0;
  }

  async #watchSpool(nowMs: number): Promise<void> {
    if (await this.#source.isSpooling()) this.noteTrouble(nowMs);
    else if (this.#trouble !== null && nowMs > this.#trouble.untilMs) this.#trouble = null;
  }

  /** A long query if a time is given. A lead from a clock that was ahead must not hide later ones. */
  #lookFrom(nowMs: number | null): number | null {
    if (this.#newestMs === null) return null;
    if (nowMs === null) return this.#newestMs - shortLookMs;
    return Math.min(this.#newestMs - longLookMs, nowMs - longLookMs, this.#trouble?.fromMs ?? Infinity);
  }

  /** Oldest first. A page starts after the last lead of the previous one, so new leads shift nothing. */
  async #unknownSince(fromMs: number | null): Promise<ToldLead[]> {
    const from = fromMs === null ? undefined : new Date(Math.max(0, fromMs)).toISOString();
    const found: ToldLead[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await this.#source.leads({ from, limit: pageItems, cursor });
      found.push(...page.items.filter(({ submission_id: id }) => !this.#known.has(id)).map(toldOf));
      cursor = page.next_cursor;
    }
    // Mark as known only after all pages arrived: after a failure they are read again.
    for (const { submission_id: id, received_at } of found) this.#known.set(id, Date.parse(received_at));
    const [newest] = found;
    if (newest !== undefined) this.#newestMs = Math.max(this.#newestMs ?? 0, Date.parse(newest.received_at));
    return found.reverse();
  }

  /** No query goes back further than this, not even the first after an outage. */
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

import type { DiagnosticNote, OutcomeCount, OutcomeFlush } from '../../db/diagnostics/outcomes.ts';
import { unattributedRequestsKept } from '../../db/diagnostics/unattributed-requests.ts';
import { addressesPerTokenMax } from '../../db/forms/token-addresses.ts';
import { bucketOf, noDrifts } from '../../domain/alarm/drift/drift-buckets.ts';
import { handlingBucketOf, noTimes } from '../../domain/diagnostics/handling-times.ts';
import type { RejectionReason } from '../../domain/rejection.ts';
import type { Surface } from '../../domain/surface.ts';
import { minuteMs } from '../../time/clock.ts';
import type { FormEntry, TokenEntry } from '../directory/directory.ts';
import { FormUseTally } from './form-use-tally.ts';
import type { HostCaps } from './host-caps.ts';
import {
  type Count,
  driftRow,
  formerSecretRow,
  handlingRow,
  iso,
  namedRow,
  pageRow,
  tokenUse,
  type UnattributedRequest,
  type UsedToken,
  unattributedRequestRows,
  unattributedRow,
} from './outcome-rows.ts';
import { minuteWish, type WaitingEntries } from './waiting-entries.ts';

/** Counts per source and outcome within one minute. The map uses directory objects as keys, so no key has to be built. */
type Counts<Source> = Map<Source, Map<string, Count>>;

interface MinuteCounts {
  readonly minute: number;
  readonly named: Counts<TokenEntry | FormEntry>;
  /** The same on the browser surface. */
  readonly pages: Counts<TokenEntry | FormEntry>;
  readonly unattributed: Counts<Surface>;
  readonly formerSecrets: Map<FormEntry, Count>;
  /** Requests of each bucket of drift. */
  readonly drifts: Map<FormEntry, number[]>;
  /** Requests of each bucket of time, by workspace. */
  readonly handled: Map<string, number[]>;
}

export type CountedOutcome = 'accepted' | RejectionReason;

/** Outcomes since the last flush, aggregated as they are stored. */
export class OutcomeTally {
  readonly formUses = new FormUseTally();
  readonly #minutes: MinuteCounts[] = [];
  readonly #tokensUsed = new Map<TokenEntry, UsedToken>();
  /** Those that are waiting, whatever tally they came with. */
  readonly entries: WaitingEntries;
  #notes: DiagnosticNote[] = [];
  #unattributed: UnattributedRequest[] = [];
  #isWithinCaps = false;

  constructor(entries: WaitingEntries) {
    this.entries = entries;
  }

  get isEmpty(): boolean {
    const isUnused = this.#tokensUsed.size === 0 && this.formUses.isEmpty && this.entries.isEmpty;
    return this.#minutes.length === 0 && this.#notes.length === 0 && isUnused;
  }

  /**
   * The source is a token on the token surface, a form on the others; a token that was sent by a web page is one too. `isMarked`
   * says that a rejected request is proven, or that an accepted one is spam.
   */
  count(
    source: TokenEntry | FormEntry,
    surface: Surface,
    outcome: CountedOutcome,
    at: number,
    isMarked: boolean,
  ): void {
    const { named, pages } = this.#minuteOf(at);
    increment(surface === 'browser' ? pages : named, source, outcome, at, isMarked);
  }

  countUnattributed(surface: Surface, reason: RejectionReason, at: number, requestId: string): void {
    increment(this.#minuteOf(at).unattributed, surface, reason, at);
    this.#unattributed.push({ surface, reason, at, requestId });
    // A fifth more than are kept, so that few are moved each time.
    if (this.#unattributed.length >= unattributedRequestsKept * 1.2)
      this.#unattributed = this.#unattributed.slice(-unattributedRequestsKept);
  }

  note(note: DiagnosticNote): void {
    this.#notes.push(note);
  }

  /** The address is empty if it is unknown. */
  tokenUsed(token: TokenEntry, at: number, address: string): void {
    let used = this.#tokensUsed.get(token);
    if (used === undefined) {
      used = { lastAt: at, addresses: new Map() };
      this.#tokensUsed.set(token, used);
    }
    used.lastAt = at;
    const { addresses } = used;
    if (address !== '' && (addresses.size < addressesPerTokenMax || addresses.has(address)))
      addresses.set(address, at);
  }

  /** For a request with a correct signature. Positive if its signed time is before ours. */
  drifted(form: FormEntry, seconds: number, at: number): void {
    const { drifts } = this.#minuteOf(at);
    let buckets = drifts.get(form);
    if (buckets === undefined) {
      buckets = noDrifts();
      drifts.set(form, buckets);
    }
    (buckets[bucketOf(seconds)] as number)++;
  }

  /** How long the response to a request took. */
  handled(workspaceId: string, ms: number, at: number): void {
    const { handled } = this.#minuteOf(at);
    let buckets = handled.get(workspaceId);
    if (buckets === undefined) {
      buckets = noTimes();
      handled.set(workspaceId, buckets);
    }
    (buckets[handlingBucketOf(ms)] as number)++;
  }

  /** For a lead that was counted as accepted. */
  formerSecretUsed(form: FormEntry, at: number): void {
    add(this.#minuteOf(at).formerSecrets, form, at);
  }

  /** Drops entries and notes that exceed the limits of the host together with what other workers have written. Counts stay exact. */
  async keepWithinCaps(host: HostCaps): Promise<void> {
    if (this.#isWithinCaps) return;
    this.#isWithinCaps = true;
    await this.entries.keepWithinCaps(host);
    const wishes = this.#notes.map(({ workspaceId, kind, at }) => minuteWish(workspaceId, kind, at));
    const isAllowed = await host.ask(wishes);
    this.#notes = this.#notes.filter((_, index) => isAllowed[index]);
  }

  toFlush(): OutcomeFlush {
    return {
      counts: merged(
        this.#minutes.flatMap(({ minute, named, pages }) => [
          ...rowsOf(named, minute, namedRow),
          ...rowsOf(pages, minute, pageRow),
        ]),
      ),
      unattributed: this.#minutes.flatMap(({ minute, unattributed }) =>
        rowsOf(unattributed, minute, unattributedRow),
      ),
      unattributedRequests: unattributedRequestRows(this.#unattributed),
      entries: this.entries.flushed,
      notes: this.#notes,
      formerSecretUses: this.#minutes.flatMap(({ minute, formerSecrets }) =>
        [...formerSecrets].map(([form, counted]) => formerSecretRow(form, minute, counted)),
      ),
      clockDrifts: this.#minutes.flatMap(({ minute, drifts }) =>
        [...drifts].map(([form, buckets]) => driftRow(form, minute, buckets)),
      ),
      handlingTimes: this.#minutes.flatMap(({ minute, handled }) =>
        [...handled].map(([workspaceId, buckets]) => handlingRow(workspaceId, minute, buckets)),
      ),
      formUses: this.formUses.toRows(),
      tokensUsed: [...this.#tokensUsed].map(([token, used]) => tokenUse(token, used)),
    };
  }

  #minuteOf(at: number): MinuteCounts {
    const minute = at - (at % minuteMs);
    const last = this.#minutes.at(-1);
    if (last?.minute === minute) return last;
    const known = this.#minutes.find((counts) => counts.minute === minute);
    if (known !== undefined) return known;
    const counts = {
      minute,
      named: new Map(),
      pages: new Map(),
      unattributed: new Map(),
      formerSecrets: new Map(),
      drifts: new Map(),
      handled: new Map(),
    };
    this.#minutes.push(counts);
    return counts;
  }
}

function increment<Source>(
  counts: Counts<Source>,
  source: Source,
  outcome: string,
  at: number,
  isMarked = false,
): void {
  let byOutcome = counts.get(source);
  if (byOutcome === undefined) {
    byOutcome = new Map();
    counts.set(source, byOutcome);
  }
  add(byOutcome, outcome, at, isMarked);
}

function add<Key>(counts: Map<Key, Count>, key: Key, at: number, isMarked = false): void {
  const known = counts.get(key);
  if (known === undefined) {
    counts.set(key, { count: 1, marked: isMarked ? 1 : 0, lastAt: at });
  } else {
    known.count++;
    if (isMarked) known.marked++;
    known.lastAt = at;
  }
}

function rowsOf<Source, Row>(
  counts: Counts<Source>,
  minute: number,
  rowOf: (source: Source, outcome: string, minute: string, counted: Count) => Row,
): Row[] {
  return [...counts].flatMap(([source, byOutcome]) =>
    [...byOutcome].map(([outcome, counted]) => rowOf(source, outcome, iso(minute), counted)),
  );
}

/** When an entry changes, the directory replaces its object, so one form or token may have been counted under two objects. */
function merged(rows: OutcomeCount[]): OutcomeCount[] {
  const byName = Map.groupBy(
    rows,
    (row) => `${row.minute}${row.surface}${row.outcome}${row.formId}${row.tokenId}`,
  );
  return [...byName.values()].map((same) => ({
    ...(same[0] as OutcomeCount),
    count: same.reduce((sum, { count }) => sum + count, 0),
    proven: same.reduce((sum, { proven }) => sum + proven, 0),
    spam: same.reduce((sum, { spam }) => sum + spam, 0),
    lastAt: same
      .map(({ lastAt }) => lastAt)
      .toSorted()
      .at(-1) as string,
  }));
}

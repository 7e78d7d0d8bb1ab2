import { type Clock, dayMs, hourMs, minuteMs } from '../../time/clock.ts';
import { within } from '../../time/within.ts';
import type { HostLink } from '../siblings/link.ts';

/** A counter and its limit. Its name contains the minute or hour that it counts. */
type Counter = readonly [name: string, max: number];

/** Something to be written or done, and all counters that it counts in. */
export type Wish = readonly Counter[];

/** Says for each wish whether it is within the limits of the host. */
export type AskHost = (wishes: readonly Wish[]) => Promise<readonly boolean[]>;

/** Something to be written or done this many times. */
type Claim = readonly [wish: Wish, wanted: number];

/** Says for each claim how many of it are within the limits of the host. */
type ClaimOfHost = (claims: readonly Claim[]) => Promise<readonly number[]>;

/** What the workers of a host share to limit entries and notes. */
export interface HostCaps {
  readonly ask: AskHost;
  /** In limits of a day. */
  readonly claim: ClaimOfHost;
}

/** Counters that are kept together, in a worker or for all workers of a host. */
export interface CapKind {
  readonly topic: string;
  /** How long a counter is kept at least, unless there are too many. */
  readonly keptMs: number;
  /** Of which about twice as many are kept. */
  readonly namesMax: number;
}

/** The longest window is an hour, and wishes come about a second after their requests. */
const outcomeCaps: CapKind = {
  topic: 'outcome-caps',
  keptMs: hourMs,
  namesMax: Number.POSITIVE_INFINITY,
};

/** Entries of a workspace and day: two names for each. */
export const entryDayCaps: CapKind = {
  topic: 'entry-day-caps',
  keptMs: dayMs,
  namesMax: Number.POSITIVE_INFINITY,
};

/** Longer than a challenge is valid. Anyone can cause names here, so their number has a limit. */
export const mintCaps: CapKind = { topic: 'mint-caps', keptMs: 6 * minuteMs, namesMax: 100_000 };

const answerMsMax = 1_000;

/** Counters in two generations: what has not been counted for a whole one is forgotten. */
export class CapCounts {
  readonly #kind: CapKind;
  readonly #clock: Pick<Clock, 'monotonic'>;
  #young = new Map<string, number>();
  #old = new Map<string, number>();
  #since: number;

  constructor(kind: CapKind, clock: Pick<Clock, 'monotonic'>) {
    this.#kind = kind;
    this.#clock = clock;
    this.#since = clock.monotonic();
  }

  /** Counts in all counters of the wish, or in none if one has reached its limit. */
  take(wish: Wish): boolean {
    return this.takeUpTo(1, wish) === 1;
  }

  /** As often as all counters of the wish allow, and says how often. */
  takeUpTo(wanted: number, wish: Wish): number {
    this.#age();
    const granted = wish.reduce((least, [name, max]) => Math.min(least, max - this.countOf(name)), wanted);
    if (granted <= 0) return 0;
    for (const [name] of wish) this.#young.set(name, this.countOf(name) + granted);
    return granted;
  }

  countOf(name: string): number {
    return this.#young.get(name) ?? this.#old.get(name) ?? 0;
  }

  #age(): void {
    const now = this.#clock.monotonic();
    if (now - this.#since < this.#kind.keptMs && this.#young.size < this.#kind.namesMax) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#since = now;
  }
}

export interface CapServiceDeps {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly kind?: CapKind;
}

/**
 * The supervisor's side: counts what the workers of the host write or do. Every worker has applied the same limits to itself
 * first, so a flood of requests does not become a flood of wishes.
 */
export class CapService {
  readonly #topic: string;
  readonly #counts: CapCounts;

  constructor({ clock, kind = outcomeCaps }: CapServiceDeps) {
    this.#topic = kind.topic;
    this.#counts = new CapCounts(kind, clock);
  }

  join(_workerId: number, link: HostLink): void {
    link.onAsk(this.#topic, (wishes) => (wishes as Wish[]).map((wish) => this.#counts.take(wish)));
    link.onAsk(claimsOf(this.#topic), (claims) =>
      (claims as Claim[]).map(([wish, wanted]) => this.#counts.takeUpTo(wanted, wish)),
    );
  }

  /** What it has written stays counted. */
  leave(_workerId: number): void {}
}

/** The worker's side. If the supervisor does not answer, everything is within the limits that the worker has for itself. */
export function askHostOver(
  link: HostLink,
  clock: Pick<Clock, 'deadline'>,
  { topic }: CapKind = outcomeCaps,
): AskHost {
  return async (wishes) => {
    if (wishes.length === 0) return [];
    const answer = within(clock, answerMsMax, link.ask(topic, wishes)).catch(() => wishes.map(() => true));
    return (await answer) as boolean[];
  };
}

export function hostCapsOver(link: HostLink, clock: Pick<Clock, 'deadline'>): HostCaps {
  return {
    ask: askHostOver(link, clock),
    async claim(claims) {
      if (claims.length === 0) return [];
      const asked = link.ask(claimsOf(entryDayCaps.topic), claims);
      const answer = within(clock, answerMsMax, asked).catch(() => claims.map(([, wanted]) => wanted));
      return (await answer) as number[];
    },
  };
}

function claimsOf(topic: string): string {
  return `${topic} claims`;
}

import { type Clock, hourMs } from '../../time/clock.ts';
import { within } from '../../time/within.ts';
import type { HostLink } from '../siblings/link.ts';

/** A counter and its limit. Its name contains the minute or hour that it counts. */
type Counter = readonly [name: string, max: number];

/** Something to be written, and all counters that it counts in. */
export type Wish = readonly Counter[];

/** Says for each wish whether it is within the limits of the host. */
export type AskHost = (wishes: readonly Wish[]) => Promise<readonly boolean[]>;

const topic = 'outcome-caps';
const answerMsMax = 1_000;

/**
 * The supervisor's side: counts what the workers of the host write. Every worker has applied the same limits to itself
 * first, so a flood of requests does not become a flood of wishes.
 */
export class CapService {
  readonly #clock: Pick<Clock, 'monotonic'>;
  // Two generations, an hour each: the longest window is an hour, and wishes come about a second after their requests.
  #young = new Map<string, number>();
  #old = new Map<string, number>();
  #since = 0;

  constructor({ clock }: { readonly clock: Pick<Clock, 'monotonic'> }) {
    this.#clock = clock;
  }

  join(_workerId: number, link: HostLink): void {
    link.onAsk(topic, (wishes) => this.#take(wishes as Wish[]));
  }

  /** What it has written stays counted. */
  leave(_workerId: number): void {}

  #take(wishes: readonly Wish[]): boolean[] {
    const now = this.#clock.monotonic();
    if (now - this.#since >= hourMs) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#since = now;
    }
    return wishes.map((wish) => this.#takeOne(wish));
  }

  #takeOne(wish: Wish): boolean {
    if (wish.some(([name, max]) => this.#countOf(name) >= max)) return false;
    for (const [name] of wish) this.#young.set(name, this.#countOf(name) + 1);
    return true;
  }

  #countOf(name: string): number {
    return this.#young.get(name) ?? this.#old.get(name) ?? 0;
  }
}

/** The worker's side. If the supervisor does not answer, everything is within the limits that the worker has for itself. */
export function askHostOver(link: HostLink, clock: Pick<Clock, 'deadline'>): AskHost {
  return async (wishes) => {
    const answer = within(clock, answerMsMax, link.ask(topic, wishes)).catch(() => wishes.map(() => true));
    return (await answer) as boolean[];
  };
}

import type { ExpensiveKind } from '../../contract/call.ts';
import type { Clock } from '../../time/clock.ts';
import { systemClock } from '../../time/real-clock.ts';
import type { Principal } from './access.ts';
import { Problem } from './problem.ts';

/** Ends the call. Calling it again has no effect. */
export type Release = () => void;

export interface PlaceLimits {
  /** How many calls of one caller may be in progress at a time. */
  readonly inProgressMax: number;
  /** How many more may wait. */
  readonly waitingMax: number;
  readonly waitMsMax: number;
}

export const placeLimits: PlaceLimits = { inProgressMax: 4, waitingMax: 32, waitMsMax: 5_000 };

const retrySecondsAfterWait = 1;
const retrySecondsAtOnce = 5;

/** Streams have separate places, so that slow downloads do not block lists. */
export class ExpensiveCalls {
  readonly #places: Readonly<Record<ExpensiveKind, Places>>;

  constructor(clock: Clock = systemClock, limits: PlaceLimits = placeLimits) {
    this.#places = { call: new Places(limits, clock), stream: new Places(limits, clock) };
  }

  /** Resolves when the call may start; throws a problem if it may not. */
  async enter(kind: ExpensiveKind, principal: Principal, hungUp?: AbortSignal): Promise<Release> {
    const who = callerName(principal);
    return who === null ? () => {} : this.#places[kind].take(who, hungUp);
  }
}

/** Null for the operator key, which is not limited. */
function callerName(principal: Principal): string | null {
  if (principal.kind === 'operator_key') return null;
  if (principal.kind === 'api_key') return `API key ${principal.key.id}`;
  return principal.kind === 'person' ? `person ${principal.person.id}` : 'nobody';
}

interface Queue {
  inProgress: number;
  readonly waiting: Waiting[];
}

interface Waiting {
  begin(release: Release): void;
}

/**
 * The places of each caller. A call is
 *
 * waiting      until a place is free, first come first served. It is refused after a while, immediately if too many
 *              are waiting, and when its caller disconnects
 * in progress  until it is released
 *
 * A caller has a queue exactly while one of their calls is in progress; no call waits while a place is free.
 */
export class Places {
  readonly #limits: PlaceLimits;
  readonly #clock: Clock;
  readonly #queues = new Map<string, Queue>();

  constructor(limits: PlaceLimits, clock: Clock = systemClock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** How many callers have calls in progress. */
  get callers(): number {
    return this.#queues.size;
  }

  async take(who: string, hungUp?: AbortSignal): Promise<Release> {
    const queue = this.#queues.get(who) ?? { inProgress: 0, waiting: [] };
    this.#queues.set(who, queue);
    if (queue.inProgress < this.#limits.inProgressMax) {
      queue.inProgress++;
      return this.#releaseOf(who, queue);
    }
    if (queue.waiting.length >= this.#limits.waitingMax || hungUp?.aborted === true) {
      throw this.#refusal(retrySecondsAtOnce);
    }
    return this.#wait(queue, hungUp);
  }

  #wait(queue: Queue, hungUp: AbortSignal | undefined): Promise<Release> {
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        cancel();
        hungUp?.removeEventListener('abort', leave);
      };
      const waiting: Waiting = {
        begin(release) {
          stopWaiting();
          resolve(release);
        },
      };
      const leave = () => {
        stopWaiting();
        queue.waiting.splice(queue.waiting.indexOf(waiting), 1);
        reject(this.#refusal(retrySecondsAfterWait));
      };
      const cancel = this.#clock.deadline(this.#limits.waitMsMax, leave);
      hungUp?.addEventListener('abort', leave);
      queue.waiting.push(waiting);
    });
  }

  #releaseOf(who: string, queue: Queue): Release {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const next = queue.waiting.shift();
      // The place passes to the next call without becoming free in between.
      if (next !== undefined) next.begin(this.#releaseOf(who, queue));
      else if (--queue.inProgress === 0) this.#queues.delete(who);
    };
  }

  #refusal(retrySeconds: number): Problem {
    return new Problem(
      'too_many_in_progress',
      `You can have ${this.#limits.inProgressMax} calls of this kind in progress at a time. Wait for one to end.`,
      { headers: { 'retry-after': String(retrySeconds) } },
    );
  }
}

import type { Random } from '../../src/time/random.ts';
import type { SendAct, Submission } from '../senders/submission.ts';

export interface HeldPlan {
  /** At the end owners admit everything before senders retry, or after. */
  readonly admitsFirst: boolean;
}

/** `pick` says which of those that exist then, from 0 up to 1. */
export type HeldAct =
  /** A form is inactive for a while, and rejects everything. */
  | { readonly kind: 'form'; readonly workspace: number; readonly forMs: number }
  | {
      readonly kind: 'held';
      readonly does: 'admit' | 'discard' | 'admit some' | 'discard some';
      readonly pick: number;
      /** The same on each of them, at the same time. */
      readonly instances: readonly number[];
      readonly excludeTwins: boolean;
    };

type TimedAct = { readonly at: number } & (HeldAct | SendAct);

export interface Traffic {
  readonly loadMs: number;
  readonly workspaces: number;
  readonly instances: number;
  readonly dayAt: number;
}

const heldShare = 0.4;
/** So that they are not those of other submissions. */
const firstNumber = 1_000;
const heardMs = 50;

/** Null in most histories: owners leave what was rejected alone. */
export function heldPlanOf(random: Random): HeldPlan | null {
  return random.chance(heldShare) ? { admitsFirst: random.chance(0.5) } : null;
}

export function heldActs(random: Random, traffic: Traffic, plan: HeldPlan | null): TimedAct[] {
  if (plan === null) return [];
  const { loadMs, workspaces, instances } = traffic;
  const rejected = new RejectedSenders(random, traffic);
  for (let count = random.integer(1, 2); count > 0; count--)
    rejected.whileClosed(random.integer(0, workspaces - 1));
  for (let count = random.integer(0, 4); count > 0; count--)
    rejected.stale(random.integer(0, workspaces - 1));
  const acts: TimedAct[] = [];
  const some = (max: number, does: Extract<HeldAct, { kind: 'held' }>['does']) => {
    for (let count = random.integer(0, max); count > 0; count--) {
      const first = random.integer(0, instances - 1);
      const second = random.integer(0, instances - 1);
      acts.push({
        at: random.between(loadMs / 5, loadMs),
        kind: 'held',
        does,
        pick: random.next(),
        instances: random.chance(0.3) ? [first, second] : [first],
        excludeTwins: random.chance(0.5),
      });
    }
  };
  some(5, 'admit');
  some(2, 'discard');
  some(3, 'admit some');
  some(1, 'discard some');
  return [...rejected.acts, ...acts];
}

/** Those who are rejected although they are who they say, and some of whom retry until they are accepted. */
class RejectedSenders {
  readonly acts: TimedAct[] = [];
  readonly #random: Random;
  readonly #traffic: Traffic;
  #number = firstNumber;

  constructor(random: Random, traffic: Traffic) {
    this.#random = random;
    this.#traffic = traffic;
  }

  whileClosed(workspace: number): void {
    const random = this.#random;
    const { loadMs } = this.#traffic;
    const at = random.between(0, loadMs * 0.6);
    const forMs = random.between(300, 4_000);
    this.acts.push({ at, kind: 'form', workspace, forMs });
    for (let count = random.integer(1, 4); count > 0; count--) {
      const sentAt = Math.min(random.between(at + heardMs, at + forMs), loadMs);
      const submission = this.#submission(workspace, sentAt);
      this.#send(sentAt, submission);
      if (random.chance(0.6)) this.#retry(submission, at + forMs, submission);
    }
  }

  stale(workspace: number): void {
    const random = this.#random;
    const at = random.between(0, this.#traffic.loadMs);
    const submission: Submission = {
      ...this.#submission(workspace, at),
      surface: 'webhook',
      // Of someone who is not the sender.
      credential: random.chance(0.25) ? 'bad' : 'good',
      isSignedOnce: true,
      isStale: true,
    };
    this.#send(at, submission);
    if (submission.key === null || random.chance(0.3)) return;
    this.#retry(submission, at, {
      ...submission,
      number: this.#number++,
      isSignedOnce: false,
      isStale: false,
    });
  }

  /** Signed again, or the same request if its signature is still young. */
  #retry(first: Submission, from: number, again: Submission): void {
    const { loadMs } = this.#traffic;
    if (from >= loadMs || (first.key === null && !again.isSignedOnce)) return;
    const at = this.#random.between(from, loadMs);
    if (this.#lifetimeAt(at) === first.use) this.#send(at, again);
  }

  #send(at: number, submission: Submission): void {
    const instance = this.#random.integer(0, this.#traffic.instances - 1);
    this.acts.push({ at, kind: 'send', submission, instance, tries: this.#random.integer(1, 4) });
  }

  #submission(workspace: number, at: number): Submission {
    const random = this.#random;
    const number = this.#number++;
    const surface = random.chance(0.5) ? 'server' : 'webhook';
    const key = random.chance(0.7) ? number : null;
    return {
      number,
      workspace,
      surface,
      credential: 'good',
      key,
      use: this.#lifetimeAt(at),
      body: number,
      bodyBytes: random.integer(150, 900),
      isUnreadable: false,
      isSignedOnce: surface === 'webhook' && (key === null || random.chance(0.3)),
      packets: 1,
    };
  }

  #lifetimeAt(at: number): number {
    return at < this.#traffic.dayAt ? 0 : 1;
  }
}

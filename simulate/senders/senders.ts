import { minuteMs } from '../../src/time/clock.ts';
import type { Random } from '../../src/time/random.ts';
import type { SimulatedClock } from '../../src/time/simulated-clock.ts';
import type { SeenAnswer } from '../instance/http.ts';
import type { Instance } from '../instance/instance.ts';
import type { Trace } from '../trace.ts';
import { pathOf, requestOf } from './request.ts';
import type { Submission } from './submission.ts';

/** One request from the point of view of its sender. */
export interface Attempt {
  readonly submission: Submission;
  readonly instance: number;
  /** On the wall clock, and on the monotonic scale. */
  readonly sentAt: number;
  readonly sentMs: number;
  /** Sent after all failures ended. */
  readonly isConfirmation: boolean;
  endedAt: number;
  answer: SeenAnswer | null;
}

export interface SendersDeps {
  readonly clock: SimulatedClock;
  readonly random: Random;
  readonly trace: Trace;
  /** Null while it is down. */
  readonly instance: (number: number) => Instance | null;
  readonly instances: number;
}

const patienceMs = 10_000;
const wayMs = 1;
const staleMs = 6 * minuteMs;

/** The senders. Without a response, they retry with any instance, if a retry can be recognised as one. */
export class Senders {
  readonly ledger: Attempt[] = [];
  readonly #deps: SendersDeps;
  readonly #signedAt = new Map<number, number>();
  #underWay = 0;
  #inFlight = 0;
  #days = 0;

  constructor(deps: SendersDeps) {
    this.#deps = deps;
  }

  /** Requests in progress, and retries still to come. */
  get underWay(): number {
    return this.#underWay;
  }

  /** Requests in progress. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Senders without a response by then do not retry. */
  passDay(): void {
    this.#days++;
  }

  send(submission: Submission, instance: number, tries: number, isConfirmation = false): void {
    const { clock, trace } = this.#deps;
    const attempt: Attempt = {
      submission,
      instance,
      sentAt: clock.now(),
      sentMs: clock.monotonic(),
      isConfirmation,
      endedAt: Number.POSITIVE_INFINITY,
      answer: null,
    };
    this.ledger.push(attempt);
    const days = this.#days;
    this.#underWay++;
    this.#inFlight++;
    let isEnded = false;
    const end = (answer: SeenAnswer | null) => {
      if (isEnded) return;
      isEnded = true;
      giveUp();
      this.#underWay--;
      this.#inFlight--;
      attempt.endedAt = clock.now();
      attempt.answer = answer;
      trace.add(
        `sender ${submission.number}`,
        answer === null ? 'no answer' : `${answer.status} ${answer.body}`,
      );
      if (answer === null && tries > 1 && isRepeatable(submission) && days === this.#days)
        this.#sendLater(submission, tries - 1);
    };
    const giveUp = clock.deadline(patienceMs, () => end(null));
    trace.add(`sender ${submission.number}`, `sends ${describe(submission)} to ${instance}`);
    const target = this.#deps.instance(instance);
    if (target === null) clock.deadline(wayMs, () => end(null));
    else clock.deadline(wayMs, () => target.receive(pathOf(submission), this.#request(submission), end));
  }

  /** Sends everything again that can be retried since the last day passed. */
  confirm(use: number): void {
    const seen = new Set<number>();
    for (const { submission } of [...this.ledger]) {
      if (seen.has(submission.number) || !isRepeatable(submission) || submission.use < use) continue;
      seen.add(submission.number);
      this.send(submission, submission.number % this.#deps.instances, 1, true);
    }
  }

  #sendLater(submission: Submission, tries: number): void {
    const { clock, random, instances } = this.#deps;
    const days = this.#days;
    this.#underWay++;
    clock.deadline(random.between(10, 2_500), () => {
      this.#underWay--;
      if (days === this.#days) this.send(submission, random.integer(0, instances - 1), tries);
    });
  }

  #request(submission: Submission) {
    const now = this.#deps.clock.now();
    const isStale = submission.isStale === true;
    const signedAt = this.#signedAt.get(submission.number) ?? now - (isStale ? staleMs : 0);
    if (submission.isSignedOnce) this.#signedAt.set(submission.number, signedAt);
    return requestOf(submission, signedAt);
  }
}

export function isRepeatable({ key, isSignedOnce }: Submission): boolean {
  return key !== null || isSignedOnce;
}

function describe({ workspace, surface, credential, key, body, isUnreadable }: Submission): string {
  const what = `${isUnreadable ? 'unreadable ' : ''}body ${body}${key === null ? '' : ` under key ${key}`}`;
  return `${what} by ${surface} with ${credential} credentials for workspace ${workspace}`;
}

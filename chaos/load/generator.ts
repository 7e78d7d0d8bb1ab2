import { createWriteStream, type WriteStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../src/time/random.ts';
import { attempt } from './attempt.ts';
import { type Lead, makeLead, rivalOf } from './lead.ts';
import type { Attempt, LoadOrder, Tally } from './order.ts';

const retryMs = [100, 1_000] as const;
const retryDoublingsMax = 4;
const resendPollMs = 100;
const confirmationsMax = 300;
const confirmationsAtOnce = 20;

/**
 * Sends leads at a fixed rate, whatever the responses, and records how each attempt ended. A lead with a key is retried, with
 * the same key and body, until it is answered. A lead without a key is sent once, because a retry would be a second lead.
 */
export class LoadGenerator {
  readonly tally: Tally = { '202': 0, '200': 0, none: 0, other: 0 };
  readonly #order: LoadOrder;
  readonly #onBegun: () => void;
  readonly #random: Random;
  readonly #ledger: WriteStream;
  readonly #underWay = new Set<Promise<void>>();
  /** Leads with a key that got a 202. A sample of them is sent again at the end. */
  readonly #accepted: Lead[] = [];
  #ports: readonly number[];
  #isFinishing = false;
  #giveUpAt = Number.POSITIVE_INFINITY;

  constructor(order: LoadOrder, onBegun: () => void) {
    this.#order = order;
    this.#onBegun = onBegun;
    this.#ports = order.ports;
    this.#random = new Random(order.seed);
    this.#ledger = createWriteStream(order.ledgerPath);
  }

  aimAt(ports: readonly number[]): void {
    this.#ports = ports;
  }

  /** Runs until `finish`. Leads that became due while this process was paused are sent as soon as it continues. */
  async run(): Promise<void> {
    let dueAt = performance.now();
    for (let number = 0; !this.#isFinishing; number++) {
      dueAt += this.#random.waitMs(this.#order.rate);
      const waitMs = dueAt - performance.now();
      if (waitMs > 1) await sleep(waitMs);
      // It may have finished in the meantime, and the ledger may be complete.
      if (!this.#isFinishing) this.#release(number);
    }
  }

  /** Returns when every attempt has ended and every key was answered or abandoned. */
  async finish(): Promise<void> {
    this.#isFinishing = true;
    this.#giveUpAt = Date.now() + this.#order.finishSeconds * 1000;
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  async confirm(): Promise<void> {
    const sample = Array.from({ length: Math.min(confirmationsMax, this.#accepted.length) }, () =>
      this.#random.pick(this.#accepted),
    );
    while (sample.length > 0) {
      const some = sample.splice(0, confirmationsAtOnce);
      await Promise.all(some.map((lead) => this.#attempt(lead, true)));
    }
    await new Promise<void>((resolve) => this.#ledger.end(resolve));
  }

  #release(number: number): void {
    const { traffic, senders } = this.#order;
    const lead = makeLead(number, senders, traffic, this.#random);
    if (traffic.racers > 1) this.#race(lead);
    else this.#track(this.#see(lead));
    if (lead.key === null || !this.#random.chance(traffic.resentShare)) return;
    const times = this.#random.integer(1, 3);
    for (let i = 0; i < times; i++) this.#track(this.#resend(lead));
  }

  #race(lead: Lead): void {
    const isSameBody = this.#random.chance(0.5);
    for (let i = 0; i < this.#order.traffic.racers; i++)
      this.#track(this.#see(i === 0 || isSameBody ? lead : rivalOf(lead)));
  }

  async #resend(lead: Lead): Promise<void> {
    const waitUntil = Date.now() + this.#random.between(0, this.#order.traffic.resendMsMax);
    // When the load ends, pending retries are sent immediately.
    while (Date.now() < waitUntil && !this.#isFinishing) await sleep(resendPollMs);
    await this.#see(lead);
  }

  /** Sends a lead. With a key, retries until it is answered, with growing pauses, as a sender should. */
  async #see(lead: Lead): Promise<void> {
    for (let retry = 0; ; retry++) {
      const { outcome } = await this.#attempt(lead, false);
      if (outcome !== 'none' || lead.key === null || Date.now() > this.#giveUpAt) return;
      const pauseMs = this.#random.between(...retryMs) * 2 ** Math.min(retry, retryDoublingsMax);
      await this.#pause(pauseMs);
    }
  }

  /** After the load has ended, long pauses are pointless. */
  async #pause(ms: number): Promise<void> {
    const startedAt = Date.now();
    const hasPassed = (limitMs: number) => Date.now() - startedAt >= limitMs;
    while (!hasPassed(ms) && !(this.#isFinishing && hasPassed(retryMs[1]))) await sleep(resendPollMs);
  }

  async #attempt(lead: Lead, isConfirmation: boolean): Promise<Attempt> {
    const { freshShare } = this.#order.traffic;
    const isFresh = freshShare > 0 && this.#random.chance(freshShare);
    const made = await attempt(lead, this.#random.pick(this.#ports), { isConfirmation, isFresh });
    if (Object.values(this.tally).every((count) => count === 0)) this.#onBegun();
    this.tally[made.outcome]++;
    this.#ledger.write(`${JSON.stringify(made)}\n`);
    if (made.outcome === '202' && lead.key !== null && !isConfirmation) this.#accepted.push(lead);
    return made;
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }
}

import type { Logger } from 'pino';
import type {
  DeliveryOutcome,
  DestinationRef,
  DueDelivery,
  SendingDestination,
} from '../../db/deliver/deliver-database.ts';
import type { Decision } from '../../domain/destination/retry/schedule.ts';
import type { SecretBox } from '../../domain/secrets/secret-box.ts';
import type { PostResult } from '../../net/delivery/delivery-http.ts';
import type { Clock } from '../../time/clock.ts';
import type { Randomness } from '../../time/randomness.ts';
import type { DeliveryMeter } from '../delivery-meter.ts';
import type { OutcomeWriter } from '../outcome-writer.ts';
import type { Places } from '../places.ts';
import { type NotSent, type Sender, sendWith, unwritable } from './attempt.ts';
import { decide, decideUnlessGone, errorOf, triedOutcome, unsentOutcome } from './conclusion.ts';
import type { HealthBook } from './health-book.ts';
import type { Latch } from './latch.ts';
import type { Batch, Item } from './look.ts';

export interface TriesDeps {
  readonly sender: Sender;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Logger;
  readonly writer: OutcomeWriter;
  readonly places: Places;
  readonly meter: DeliveryMeter;
  readonly publicUrl: () => string | null;
  /** Ends requests in progress. */
  readonly aborting: AbortSignal;
}

// Writing takes some 50 ms.
const stuckMs = 250;

/** What a line has in progress: each delivery from its request until its outcome is written. */
export class Tries {
  readonly #ref: DestinationRef;
  readonly #health: HealthBook;
  readonly #latch: Latch;
  readonly #deps: TriesDeps;
  readonly #unsettled = new Set<string>();
  /** Since when outcomes wait to be written, the oldest first. On the monotonic scale. */
  readonly #writing = new Map<string, number>();
  #sending = 0;

  /** `latch` is told of each request that ends, and of each outcome that is written. */
  constructor(ref: DestinationRef, health: HealthBook, latch: Latch, deps: TriesDeps) {
    this.#ref = ref;
    this.#health = health;
    this.#latch = latch;
    this.#deps = deps;
  }

  /** How many requests are in progress. */
  get sending(): number {
    return this.#sending;
  }

  /** The ids of deliveries that are being sent, or were sent and are not written yet. */
  get unsettled(): ReadonlySet<string> {
    return this.#unsettled;
  }

  /** True while outcomes are not written: if this process is killed, all that was sent meanwhile is sent again. */
  get isStuck(): boolean {
    const [oldest] = this.#writing.values();
    return oldest !== undefined && this.#deps.clock.monotonic() - oldest > stuckMs;
  }

  /** Sends a delivery. A place was taken for it, and is free again after its request. */
  async send({ delivery, lead }: Item, { destination, opened }: Batch): Promise<void> {
    const { sender, places, publicUrl, aborting, secretBox, meter, log } = this.#deps;
    const at = this.#now();
    this.#sending++;
    this.#unsettled.add(delivery.id);
    const parts = { delivery, lead, destination, opened, publicUrl: publicUrl(), at };
    const result = await sendWith(sender, parts, aborting);
    this.#sending--;
    places.free(this.#ref.workspaceId);
    this.#latch.notify();
    if (result instanceof Error) {
      log.error({ err: result, delivery_id: delivery.id }, 'payload of a delivery cannot be written');
      return this.leave(delivery, unwritable);
    }
    if ('failure' in result && aborting.aborted) {
      // Nobody knows whether it arrived, so it is sent again.
      this.#forget(delivery.id);
      return;
    }
    const decision = await this.#conclude(delivery, destination, result);
    const outcome = triedOutcome({ destination, delivery, result, decision, at }, secretBox);
    meter.onAttempt(decision.next, result.ms);
    await this.#settle(outcome);
  }

  /** Writes why a delivery is not sent. */
  async leave(delivery: DueDelivery, why: NotSent): Promise<void> {
    this.#deps.meter.onUnsent(why.state);
    await this.#settle(unsentOutcome(this.#ref.workspaceId, delivery, why, this.#now()));
  }

  /** What becomes of the delivery; the destination learns from it. */
  async #conclude(
    delivery: DueDelivery,
    destination: SendingDestination,
    result: PostResult,
  ): Promise<Decision> {
    const moment = { now: this.#now(), fraction: this.#deps.randomness.fraction() };
    const first = decide(delivery, result, moment);
    const isOver = first.next === 'gone' && (await this.#health.disable(destination, 'gone'));
    const decision = first.next === 'gone' && !isOver ? decideUnlessGone(delivery, moment) : first;
    await this.#health.note(destination, decision, errorOf(result).error, moment);
    return decision;
  }

  async #settle(outcome: DeliveryOutcome): Promise<void> {
    const { deliveryId } = outcome;
    this.#unsettled.add(deliveryId);
    this.#writing.set(deliveryId, this.#deps.clock.monotonic());
    await this.#deps.writer.write(outcome);
    this.#writing.delete(deliveryId);
    this.#forget(deliveryId);
  }

  #forget(deliveryId: string): void {
    this.#unsettled.delete(deliveryId);
    this.#latch.notify();
  }

  #now(): Date {
    return new Date(this.#deps.clock.now());
  }
}

import type { Item, NotSent, Tried, TryResult } from '../../channels/channel.ts';
import type { Channels } from '../../channels/channels.ts';
import type {
  DeliveryOutcome,
  DestinationRef,
  DueDelivery,
  SendingDestination,
} from '../../db/deliver/deliver-database.ts';
import type { DestinationKind } from '../../domain/destination/destination.ts';
import type { Decision, Moment } from '../../domain/destination/retry/schedule.ts';
import type { SecretBox } from '../../domain/secrets/secret-box.ts';
import type { Clock } from '../../time/clock.ts';
import type { Randomness } from '../../time/randomness.ts';
import type { DeliveryMeter } from '../delivery-meter.ts';
import type { OutcomeWriter } from '../outcome-writer.ts';
import type { Places } from '../places.ts';
import { decide, triedOutcome, unlessGone, unsentOutcome } from './conclusion.ts';
import type { HealthBook } from './health-book.ts';
import type { Latch } from './latch.ts';
import type { Batch } from './look.ts';

export interface TriesDeps {
  readonly channels: Channels;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly writer: OutcomeWriter;
  readonly places: Readonly<Record<DestinationKind, Places>>;
  readonly meter: DeliveryMeter;
  readonly publicUrl: () => string | null;
  /** Ends requests in progress. */
  readonly aborting: AbortSignal;
}

// Writing takes some 50 ms.
const stuckMs = 250;
// Of one parcel, all for reasons of their own.
const refusedMax = 10;
// The outcomes of other lines must not wait for all of a large digest.
const writtenAtOnce = 200;

interface Lesson {
  readonly destination: SendingDestination;
  readonly isDigest: boolean;
  readonly moment: Moment;
}

interface Conclusion {
  readonly destination: SendingDestination;
  /** True if the receiver wants no more, and its destination was disabled. */
  readonly isOver: boolean;
  readonly moment: Moment;
  /** When it was sent. */
  readonly at: Date;
}

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

  /** Sends deliveries in one parcel. A place was taken for it, and is free again afterwards. */
  async send(items: readonly Item[], { destination, opened, isDigest }: Batch): Promise<void> {
    const { channels, places, publicUrl, aborting } = this.#deps;
    const at = this.#now();
    this.#sending++;
    for (const { delivery } of items) this.#unsettled.add(delivery.id);
    const parcel = { destination, opened, items, isDigest, publicUrl: publicUrl(), at };
    const results = await channels[destination.kind].send(parcel, aborting);
    this.#sending--;
    places[destination.kind].free(this.#ref.workspaceId);
    this.#latch.notify();
    const moment = { now: this.#now(), fraction: this.#deps.randomness.fraction() };
    const isOver = await this.#learn(results, { destination, isDigest, moment });
    for (let start = 0; start < items.length; start += writtenAtOnce)
      await Promise.all(
        items
          .slice(start, start + writtenAtOnce)
          .map(({ delivery }, i) =>
            this.#conclude(delivery, results[start + i] as TryResult, { destination, isOver, moment, at }),
          ),
      );
  }

  /** Writes why a delivery is not sent. */
  async leave(delivery: DueDelivery, why: NotSent): Promise<void> {
    this.#deps.meter.onUnsent(why.state);
    await this.#settle(unsentOutcome(this.#ref.workspaceId, delivery, why, this.#now()));
  }

  /** The destination learns from a parcel once, however many deliveries it had. True if it was disabled. */
  async #learn(results: readonly TryResult[], { destination, isDigest, moment }: Lesson): Promise<boolean> {
    const tried = results.filter(
      (result): result is Tried => 'meaning' in result && !this.#isInterrupted(result),
    );
    const gone = tried.find(({ disables }) => disables !== null);
    if (gone?.disables != null && (await this.#health.disable(destination, gone.disables))) return true;
    const aboutReceiver = tried.filter(({ isLeadRefused }) => !isLeadRefused);
    // A receiver that refuses one lead after the other does not work, whatever it says about them.
    const areTooMany = !isDigest && (tried.length >= refusedMax || this.#health.isCircuitOpen);
    const about = aboutReceiver.length === 0 && areTooMany ? tried : aboutReceiver;
    const works = about.some((one) => one.meaning === 'delivered' || one.isPartlyDelivered === true);
    const [said] = about;
    if (said === undefined) return false;
    const decision: Decision = works ? { next: 'delivered' } : { next: 'retry', at: moment.now };
    await this.#health.note(destination, decision, works ? null : said.error, moment);
    return false;
  }

  async #conclude(
    delivery: DueDelivery,
    result: TryResult,
    { destination, isOver, moment, at }: Conclusion,
  ): Promise<void> {
    if (!('meaning' in result)) return this.leave(delivery, result);
    if (this.#isInterrupted(result)) return this.#forget(delivery.id);
    const decision = decide(delivery, isOver ? result : unlessGone(result), moment);
    const outcome = triedOutcome(
      { destination, delivery, tried: result, decision, at },
      this.#deps.secretBox,
    );
    this.#deps.meter.onAttempt(decision.next, result.ms);
    await this.#settle(outcome);
  }

  /** Nobody knows whether it arrived, so it is sent again. */
  #isInterrupted({ meaning, status, isPartlyDelivered }: Tried): boolean {
    if (isPartlyDelivered === true) return false;
    return meaning === 'failed' && status === null && this.#deps.aborting.aborted;
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

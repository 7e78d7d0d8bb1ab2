import type {
  DeliverDatabase,
  DestinationRef,
  Release,
  SendingDestination,
} from '../../db/deliver/deliver-database.ts';
import { secondMs } from '../../time/clock.ts';
import { whyNotSent } from './attempt.ts';
import { HealthBook, type HealthBookDeps } from './health-book.ts';
import { Latch } from './latch.ts';
import { type Batch, type LookDeps, look, type Nothing } from './look.ts';
import { Pace } from './pace.ts';
import { Tries, type TriesDeps } from './tries.ts';

export interface LineDeps extends LookDeps, TriesDeps, HealthBookDeps {
  readonly database: DeliverDatabase;
  /** Lets only a few lines read at the same time, and none while senders of leads wait. */
  readonly read: <Found>(work: () => Promise<Found>) => Promise<Found>;
}

const atOnceMax = 4;
const failuresToSlowDown = 3;
const limitMin = 4;
const limitMax = 32;
// Whatever is not written is sent again if this process is killed: not more than a few, or what comes in this part of a second.
const unsettledMin = 8;
const unsettledPart = 0.1;
const ageMsMax = secondMs;
const failedLookMs = secondMs;
const blockedMs = 2 * secondMs;

/** The work on one destination that this instance holds. Its states are in the README. */
export class Line {
  readonly #ref: DestinationRef;
  readonly #deps: LineDeps;
  readonly #health: HealthBook;
  readonly #ending = new AbortController();
  readonly #latch: Latch;
  readonly #tries: Tries;
  /** On the monotonic scale. */
  readonly startedAt: number;
  #leasedUntil: number;
  #isWoken = false;
  #isEnded = false;
  #limit = limitMax;
  #pace: Pace | null = null;

  /** Until when it may send, on the monotonic scale. */
  constructor(ref: DestinationRef, leasedUntil: number, deps: LineDeps) {
    this.#ref = ref;
    this.#leasedUntil = leasedUntil;
    this.#deps = deps;
    this.startedAt = deps.clock.monotonic();
    this.#health = new HealthBook(ref, deps);
    this.#latch = new Latch(deps.clock);
    this.#tries = new Tries(ref, this.#health, this.#latch, deps);
  }

  /** It was claimed again, because something was added after a look. False when it has ended. */
  wake(leasedUntil: number): boolean {
    if (this.#isEnded) return false;
    this.#isWoken = true;
    this.renew(leasedUntil);
    this.#latch.notify();
    return true;
  }

  renew(leasedUntil: number): void {
    this.#leasedUntil = leasedUntil;
  }

  /** Another instance has the lease, or may have it. */
  lose(): void {
    this.#leasedUntil = Number.NEGATIVE_INFINITY;
    this.#latch.notify();
  }

  /** Sends nothing more. */
  end(): void {
    this.#ending.abort();
    this.#latch.notify();
  }

  get isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  get #isLost(): boolean {
    return this.#deps.clock.monotonic() >= this.#leasedUntil;
  }

  /** Resolves when nothing is in progress: to what its lease is released with, or null if it was lost. */
  async run(): Promise<Release | null> {
    for (;;) {
      await this.#untilPaced();
      this.#isWoken = false;
      const found = this.#isOver ? { until: this.#now(), isBlocked: false } : await this.#look();
      if (found === null) continue;
      if ('items' in found) {
        await this.#send(found);
        continue;
      }
      if (this.#tries.unsettled.size === 0) await this.#health.save();
      if (this.#isWoken && !this.#isOver) continue;
      if (this.#tries.unsettled.size === 0) {
        this.#isEnded = true;
        return this.#isLost ? null : this.#release(found);
      }
      await this.#latch.change(this.#isOver ? null : found.until);
    }
  }

  get #isOver(): boolean {
    return this.#isLost || this.isEnding;
  }

  #now(): Date {
    return new Date(this.#deps.clock.now());
  }

  #release({ until, isBlocked }: Nothing): Release {
    const { clock } = this.#deps;
    // Each new delivery wakes it, though nothing can be sent.
    const restMs = isBlocked ? blockedMs : 0;
    const freeMs = Math.max(restMs, this.#pace?.fullInMs(clock.monotonic()) ?? 0);
    return {
      destinationId: this.#ref.id,
      freeAt: new Date(clock.now() + Math.ceil(freeMs)),
      wakeAt: until,
    };
  }

  /** Before looking, because what is read must be sent within a second. */
  async #untilPaced(): Promise<void> {
    const { clock } = this.#deps;
    const waitMs = this.#pace?.waitMs(clock.monotonic()) ?? 0;
    if (waitMs > 0) await clock.sleep(waitMs, this.#ending.signal);
  }

  /** Null after a failure, or if there is more to do first. */
  async #look(): Promise<Batch | Nothing | null> {
    const options = {
      limit: this.#limit,
      except: [...this.#tries.unsettled],
      healthOf: (destination: SendingDestination) => this.#health.read(destination),
    };
    try {
      return await this.#deps.read(() => look(this.#ref, options, this.#deps));
    } catch {
      await this.#deps.clock.sleep(failedLookMs, this.#ending.signal);
      return null;
    }
  }

  async #send(batch: Batch): Promise<void> {
    const { clock, places } = this.#deps;
    const { destination, items, readAt } = batch;
    const { signal } = this.#ending;
    this.#setPace(destination.perSecond);
    let sent = 0;
    for (const item of items) {
      const why = whyNotSent(item.delivery, item.lead, destination);
      if (why !== null) {
        void this.#tries.leave(item.delivery, why);
        await clock.turn();
        continue;
      }
      if (!(await this.#untilFree(batch))) return this.#setLimit(sent);
      if (!(await places.take(this.#ref.workspaceId, () => this.#tries.sending, signal))) return;
      if (this.#isOver || !this.#isOpenFor(batch) || clock.monotonic() - readAt > ageMsMax) {
        places.free(this.#ref.workspaceId);
        return this.#setLimit(sent);
      }
      this.#pace?.take(clock.monotonic());
      void this.#tries.send(item, batch);
      sent++;
    }
    this.#limit = Math.min(limitMax, 2 * this.#limit);
  }

  #setPace(perSecond: number): void {
    const now = this.#deps.clock.monotonic();
    this.#pace ??= new Pace(perSecond, now);
    this.#pace.set(perSecond, now);
  }

  /** A slow receiver gets smaller batches, because the rest would be too old. */
  #setLimit(sent: number): void {
    this.#limit = Math.min(limitMax, Math.max(limitMin, sent));
  }

  /** False when the rest of the batch is not to be sent. */
  async #untilFree(batch: Batch): Promise<boolean> {
    const { clock } = this.#deps;
    const { signal } = this.#ending;
    for (;;) {
      if (this.#isOver || !this.#isOpenFor(batch)) return false;
      const leftMs = batch.readAt + ageMsMax - clock.monotonic();
      const waitMs = this.#pace?.waitMs(clock.monotonic()) ?? 0;
      if (leftMs < 0 || waitMs > leftMs) return false;
      if (waitMs > 0) await clock.sleep(waitMs, signal);
      else if (this.#mayStart(batch.destination)) return true;
      else await this.#latch.change(new Date(clock.now() + leftMs + 1));
    }
  }

  #mayStart({ perSecond }: SendingDestination): boolean {
    const sendingMax = this.#health.failures >= failuresToSlowDown ? 1 : atOnceMax;
    const unsettledMax = Math.max(unsettledMin, perSecond * unsettledPart);
    const { sending, unsettled, isStuck } = this.#tries;
    return sending < sendingMax && unsettled.size < unsettledMax && !isStuck;
  }

  /** Once the circuit has opened, only a probe is sent. */
  #isOpenFor({ isProbe }: Batch): boolean {
    return isProbe || !this.#health.isCircuitOpen;
  }
}

import type { Item } from '../../channels/channel.ts';
import type {
  DeliverDatabase,
  DestinationRef,
  Release,
  SendingDestination,
} from '../../db/deliver/deliver-database.ts';
import { secondMs } from '../../time/clock.ts';
import { HealthBook, type HealthBookDeps } from './health-book.ts';
import { Latch } from './latch.ts';
import { type Batch, type LookDeps, look, type Nothing } from './look.ts';
import { Pace } from './pace.ts';
import { Tries, type TriesDeps } from './tries.ts';
import { whyNotSent } from './why-not-sent.ts';

export interface LineDeps extends LookDeps, TriesDeps, HealthBookDeps {
  readonly database: DeliverDatabase;
  /** Lets only a few lines read at the same time, and none while senders of leads wait. */
  readonly read: <Found>(work: () => Promise<Found>) => Promise<Found>;
}

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

  #release({ until, isBlocked, digestAt }: Nothing): Release {
    const { clock } = this.#deps;
    // Each new delivery wakes it, though nothing can be sent.
    const restMs = isBlocked ? blockedMs : 0;
    const freeMs = Math.max(restMs, this.#pace?.fullInMs(clock.monotonic()) ?? 0);
    return {
      destinationId: this.#ref.id,
      freeAt: new Date(clock.now() + Math.ceil(freeMs)),
      wakeAt: until,
      digestAt: digestAt ?? null,
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
    const { clock, channels } = this.#deps;
    const { destination, items, isDigest } = batch;
    this.#setPace(destination.perSecond);
    const parcelMax = isDigest ? items.length : channels[destination.kind].itemsMax;
    let parcel: Item[] = [];
    let sent = 0;
    for (const [i, item] of items.entries()) {
      const why = whyNotSent(item, destination);
      if (why !== null) {
        void this.#tries.leave(item.delivery, why);
        await clock.turn();
      } else parcel.push(item);
      if (parcel.length === 0 || (parcel.length < parcelMax && i < items.length - 1)) continue;
      // Nothing is left that a digest could show: the next look reads others.
      if (parcel.every(({ isOnlyCounted }) => isOnlyCounted)) return;
      if (!(await this.#start(parcel, batch))) return this.#setLimit(sent, destination);
      sent += parcel.length;
      parcel = [];
    }
    this.#limit = Math.min(this.#limitMax(destination), 2 * this.#limit);
  }

  /** False if it is not to be sent, nor the rest of the batch. */
  async #start(parcel: readonly Item[], batch: Batch): Promise<boolean> {
    const { clock } = this.#deps;
    const places = this.#deps.places[batch.destination.kind];
    if (!(await this.#untilFree(batch))) return false;
    const { signal } = this.#ending;
    if (!(await places.take(this.#ref.workspaceId, () => this.#tries.sending, signal))) return false;
    if (this.#isOver || !this.#isOpenFor(batch) || clock.monotonic() - batch.readAt > ageMsMax) {
      places.free(this.#ref.workspaceId);
      return false;
    }
    this.#pace?.take(clock.monotonic());
    void this.#tries.send(parcel, batch);
    return true;
  }

  #limitMax({ kind }: SendingDestination): number {
    return Math.max(limitMax, this.#deps.channels[kind].itemsMax);
  }

  #setPace(perSecond: number): void {
    const now = this.#deps.clock.monotonic();
    this.#pace ??= new Pace(perSecond, now);
    this.#pace.set(perSecond, now);
  }

  /** A slow receiver gets smaller batches, because the rest would be too old, but never smaller parcels. */
  #setLimit(sent: number, destination: SendingDestination): void {
    const { itemsMax } = this.#deps.channels[destination.kind];
    this.#limit = Math.min(this.#limitMax(destination), Math.max(limitMin, itemsMax, sent));
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

  #mayStart({ kind, perSecond }: SendingDestination): boolean {
    const { atOnceMax } = this.#deps.channels[kind];
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

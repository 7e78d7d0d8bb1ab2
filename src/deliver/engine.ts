import type { Logger } from 'pino';
import type { Channels } from '../channels/channels.ts';
import type { DeliverDatabase, DestinationRef, Release } from '../db/deliver/deliver-database.ts';
import { deliveryId } from '../domain/destination/delivery-id.ts';
import type { SecretBox } from '../domain/secrets/secret-box.ts';
import { type Clock, type Loop, minuteMs, secondMs } from '../time/clock.ts';
import { giveWay } from '../time/give-way.ts';
import type { Randomness } from '../time/randomness.ts';
import { pause } from '../time/repeat.ts';
import type { DeliveryMeter } from './delivery-meter.ts';
import { Latch } from './line/latch.ts';
import { Line, type LineDeps } from './line/line.ts';
import { OutcomeWriter } from './outcome-writer.ts';
import { placesOfKinds } from './places.ts';
import { Reads } from './reads.ts';
import { SharedLeads } from './shared-leads.ts';

export interface DeliveryEngineDeps {
  readonly database: DeliverDatabase;
  readonly channels: Channels;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Logger;
  readonly meter: DeliveryMeter;
  /** Of the settings area. */
  readonly publicUrl: () => string | null;
  /** True while this process has more urgent work: senders wait for responses. */
  readonly isBusy: () => boolean;
  /** Lower in tests. */
  readonly linesMax?: number;
}

const pollMs = 250;
const idlePollMs = 500;
const leaseMs = 15 * secondMs;
const renewMs = 5 * secondMs;
const sweepMs = 20 * secondMs;
const replayMs = secondMs;
const failedPollMs = secondMs;
// After an outage. Others need up to a second to notice its end, and as long to write what they have sent.
const comeBackMs = 3 * secondMs;
const claimedPerPollMax = 64;
// While destinations wait for a line.
const lineMsMax = 2 * secondMs;
// Each has a batch in memory.
const defaultLinesMax = 256;
const readsAtOnceMax = 3;
const reportMs = minuteMs;
const yieldMsMax = 5 * secondMs;
// Together less than the time that the service has for stopping.
const finishMsMax = 6 * secondMs;
const writeMsMax = 2 * secondMs;

/** Sends the deliveries of destinations whose lease this instance holds. The README has the path of a delivery. */
export class DeliveryEngine {
  readonly #deps: DeliveryEngineDeps;
  readonly #instanceId: string;
  readonly #lines = new Map<string, Line>();
  readonly #releases = new Map<string, Release>();
  readonly #places = placesOfKinds();
  readonly #leads = new SharedLeads();
  readonly #reads = new Reads(readsAtOnceMax);
  readonly #writer: OutcomeWriter;
  readonly #aborting = new AbortController();
  readonly #stopping = new AbortController();
  #isIdle = true;
  #hasFailed = false;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #firstDueAt: Date | null = null;
  #loops: readonly Loop[] = [];
  readonly #latch: Latch;
  readonly #linesMax: number;

  constructor(deps: DeliveryEngineDeps) {
    this.#deps = deps;
    this.#linesMax = deps.linesMax ?? defaultLinesMax;
    this.#instanceId = deps.randomness.uuid();
    this.#writer = new OutcomeWriter(deps);
    this.#latch = new Latch(deps.clock);
  }

  /** Requests in progress. */
  get inFlight(): number {
    return [...new Set(Object.values(this.#places))].reduce((sum, { taken }) => sum + taken, 0);
  }

  /** How long the oldest delivery that could be sent has been due, as of the last sweep. */
  get oldestDueMs(): number {
    return this.#firstDueAt === null ? 0 : Math.max(0, this.#deps.clock.now() - this.#firstDueAt.getTime());
  }

  start(): void {
    const { database, clock, randomness } = this.#deps;
    const now = () => new Date(clock.now());
    const sweep = async (stopping: AbortSignal) => {
      // Instances that were started together do not sweep together.
      await pause(clock, sweepMs * 0.2 * randomness.fraction(), stopping);
      this.#firstDueAt = await database.sweep(now());
    };
    const renew = async () => {
      if (this.#lines.size > 0) await this.#renew();
    };
    const replay = async (stopping: AbortSignal) => {
      const some = (at: Date) => database.replaySome(at, () => deliveryId(at, randomness.uuid()));
      while (!stopping.aborted && (await some(now()))) await this.#giveWay();
    };
    this.#loops = [
      this.#repeat((stopping) => this.#poll(stopping), 0, 'destinations not claimed'),
      this.#repeat(renew, renewMs, 'leases not renewed'),
      this.#repeat(sweep, sweepMs * 0.9, 'sweep of deliveries failed'),
      this.#repeat(replay, replayMs, 'replay interrupted'),
    ];
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const line of this.#lines.values()) line.end();
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    await this.#untilSettled(finishMsMax);
    this.#aborting.abort();
    await this.#untilSettled(writeMsMax);
    this.#writer.stop();
    // Whatever is not settled is left to the end of its lease.
    await this.#release().catch(() => {});
  }

  #repeat(work: (stopping: AbortSignal) => Promise<unknown>, pauseMs: number, message: string): Loop {
    const { clock, log } = this.#deps;
    const onFailure = (err: unknown) => log.warn({ err }, `${message}; trying again`);
    return clock.repeat(work, { pauseMs, onFailure });
  }

  async #untilSettled(msMax: number): Promise<void> {
    const { clock } = this.#deps;
    const end = clock.monotonic() + msMax;
    for (let leftMs = msMax; this.#lines.size > 0 && leftMs > 0; leftMs = end - clock.monotonic())
      // A date has no fractions: rounded down, the last one would be no wait at all.
      await this.#latch.change(new Date(clock.now() + Math.ceil(leftMs)));
  }

  /** Releases come first: what was added since wakes its destination for the claim. */
  async #poll(stopping: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    try {
      if (this.#hasFailed) await this.#comeBack(stopping);
      await this.#release();
      const found = await this.#claim();
      this.#isIdle = found === 0 && this.#lines.size === 0;
    } catch (error) {
      this.#hasFailed = true;
      await pause(clock, failedPollMs, stopping);
      throw error;
    }
    await pause(clock, this.#isIdle ? idlePollMs : pollMs, stopping);
  }

  /**
   * Leases that ended during an outage are kept by those who hold them, if they are still there. Others would send what was sent
   * before the outage again, because it could not be written.
   */
  async #comeBack(stopping: AbortSignal): Promise<void> {
    await this.#renew();
    await pause(this.#deps.clock, comeBackMs, stopping);
    this.#hasFailed = false;
  }

  async #release(): Promise<void> {
    const releases = [...this.#releases.values()];
    if (releases.length === 0) return;
    await this.#deps.database.release(this.#instanceId, releases);
    for (const { destinationId } of releases) this.#releases.delete(destinationId);
  }

  async #claim(): Promise<number> {
    const { database, clock } = this.#deps;
    const now = clock.now();
    const leasedUntil = clock.monotonic() + leaseMs;
    const isFull = this.#lines.size >= this.#linesMax;
    if (isFull) this.#makeRoom();
    const claimed = await database.claim({
      instanceId: this.#instanceId,
      now: new Date(now),
      until: new Date(now + leaseMs),
      countMax: claimedPerPollMax,
      isFull,
    });
    for (const ref of claimed) this.#hold(ref, leasedUntil);
    return claimed.length;
  }

  /**
   * Ends the lines that have been here longest. Otherwise destinations that always have something due would keep all others
   * waiting forever. Their leases are released as woken just now, so those that have waited longer come first.
   */
  #makeRoom(): void {
    const now = this.#deps.clock.monotonic();
    const lines = [...this.#lines.values()];
    const old = lines.filter((line) => !line.isEnding && now - line.startedAt >= lineMsMax);
    const ending = lines.filter((line) => line.isEnding).length;
    for (const line of old.slice(0, Math.max(0, claimedPerPollMax - ending))) line.end();
  }

  #hold(ref: DestinationRef, leasedUntil: number): void {
    // Its line ended while the claim was on its way.
    this.#releases.delete(ref.id);
    if (this.#lines.get(ref.id)?.wake(leasedUntil) === true) return;
    const line = new Line(ref, leasedUntil, this.#lineDeps());
    this.#lines.set(ref.id, line);
    if (this.#stopping.signal.aborted) line.end();
    // After an error of ours its lease ends by itself, and whoever claims it then tries again.
    const running = line.run().catch((err: unknown) => {
      this.#deps.log.error({ err, destination_id: ref.id }, 'work on a destination ended with an error');
      return null;
    });
    void running.then((release) => {
      if (this.#lines.get(ref.id) !== line) return;
      this.#lines.delete(ref.id);
      if (release !== null) this.#releases.set(ref.id, release);
      this.#latch.notify();
    });
  }

  #lineDeps(): LineDeps {
    return {
      ...this.#deps,
      writer: this.#writer,
      places: this.#places,
      leads: this.#leads,
      aborting: this.#aborting.signal,
      read: (work) => this.#read(work),
    };
  }

  /** A line whose lease ends, because it could not be renewed, knows that itself. */
  async #renew(): Promise<void> {
    const { database, clock } = this.#deps;
    const ids = [...this.#lines.keys()];
    const leasedUntil = clock.monotonic() + leaseMs;
    const until = new Date(clock.now() + leaseMs);
    const kept = new Set(await database.renew(this.#instanceId, ids, until));
    for (const id of ids) {
      if (kept.has(id)) this.#lines.get(id)?.renew(leasedUntil);
      else this.#lines.get(id)?.lose();
    }
  }

  /** Whoever gives way keeps its place, so that all lines together send little while senders of leads wait. */
  async #read<Found>(work: () => Promise<Found>): Promise<Found> {
    try {
      return await this.#reads.take(async () => {
        await this.#giveWay();
        return work();
      });
    } catch (error) {
      this.#reportRead(error);
      throw error;
    }
  }

  /** During an outage all lines fail, again and again. */
  #reportRead(err: unknown): void {
    const now = this.#deps.clock.monotonic();
    if (now - this.#reportedAt < reportMs) return;
    this.#reportedAt = now;
    this.#deps.log.warn({ err }, 'deliveries not read; trying again');
  }

  async #giveWay(): Promise<void> {
    const { clock, isBusy } = this.#deps;
    await giveWay({ clock, isBusy, msMax: yieldMsMax, stopping: this.#stopping.signal });
  }
}

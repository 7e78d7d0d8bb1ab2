import type { Logger } from 'pino';
import { isRefusedRow, refusalOf } from '../../db/errors.ts';
import type { HoldOutcome, Missed, NewHeld, SharedRoom } from '../../db/held/held-database.ts';
import type { IngestDatabase } from '../../db/ingest/ingest-database.ts';
import { unprovenBytesMax, writtenBytesMax } from '../../domain/held/held-bounds.ts';
import { heldClassOf } from '../../domain/held/held-class.ts';
import type { NotHeldCause } from '../../domain/held/not-held.ts';
import { shardOf } from '../../domain/workspace.ts';
import type { Clock, Loop } from '../../time/clock.ts';
import { type AskHost, askHostOver } from '../outcomes/host-caps.ts';
import type { HostLink } from '../siblings/link.ts';
import { type HeldCaps, heldWish } from './held-caps.ts';
import type { MissedCounts } from './missed-counts.ts';
import { newHeld, type ReadRequest, readWaiting, type SealDeps } from './new-held.ts';
import type { WaitingHeld, WaitingRequest } from './waiting-held.ts';
import { WriteBudget } from './write-budget.ts';

interface HeldMeter {
  onHeld(): void;
  onNotHeld(cause: NotHeldCause): void;
}

export interface HeldWriterDeps extends SealDeps {
  readonly database: Pick<IngestDatabase, 'bucketOf' | 'hold' | 'readHeldBytes'>;
  readonly waiting: WaitingHeld;
  readonly missed: MissedCounts;
  readonly caps: HeldCaps;
  readonly meter: HeldMeter;
  readonly clock: Clock;
  readonly log: Logger;
  /** What proven requests of all workspaces may use. */
  readonly bytesMax: number;
  /** Hears of forms that have no room left. */
  readonly onFull: (formId: string) => void;
  /** To the supervisor, when this process is one of several workers. */
  readonly link?: HostLink | undefined;
}

const flushMs = 1_000;
/** How long the sizes of other instances are taken as known. */
const knownRoomMs = 10_000;
/** After a failure, the requests of the same bucket are not tried again for so long: encrypting them takes time. */
const pauseMs = 5_000;
const rowsPerGroupMax = 500;
const stopMsMax = 2_000;
/**
 * The longest that it works in a turn of the event loop, except for one large body. While there are many requests, turns are
 * long, and this is a small part of them.
 */
const turnMsMax = 0.25;

/**
 * Writes rejected requests once a second, or at once when many are waiting, on a connection of its own.
 *
 *   waiting   in memory, within bounds
 *   ready     read and within the limits of the host. They take room in memory until they are written
 *   group     at most 2 MB of one bucket, encrypted and written in one transaction. If that fails, they stay ready; if it
 *             only seems so, their ids are known the next time
 */
export class HeldWriter {
  readonly #deps: HeldWriterDeps;
  readonly #askHost: AskHost | null;
  readonly #budget: WriteBudget;
  readonly #pausedUntil = new Map<number, number>();
  /** In order of arrival. */
  readonly #ready = new Set<ReadRequest>();
  #room: SharedRoom;
  #roomKnownUntil = Number.NEGATIVE_INFINITY;
  #turnEndsAt = 0;
  #endsAt = Number.POSITIVE_INFINITY;
  #hasFailed = false;
  #flushing: Promise<void> | null = null;
  #loop: Loop | null = null;

  constructor(deps: HeldWriterDeps) {
    this.#deps = deps;
    this.#askHost = deps.link === undefined ? null : askHostOver(deps.link, deps.clock);
    this.#budget = new WriteBudget(deps.clock);
    this.#room = { provenBytes: 0, provenBytesMax: deps.bytesMax, unprovenBytes: 0, unprovenBytesMax };
  }

  start(): void {
    this.#loop = this.#deps.clock.repeat(() => this.flush(), { pauseMs: flushMs, pauseFirst: true });
  }

  /** Writes what is left, unless PostgreSQL is down or that takes too long: nobody was told that it is kept. */
  async stop(): Promise<void> {
    this.#endsAt = this.#deps.clock.monotonic() + stopMsMax;
    await this.#loop?.stop();
    await this.flush();
    await this.flush();
  }

  /** Many are waiting. */
  hurry(): void {
    const isAble = this.#loop !== null && !this.#hasFailed && !this.#budget.isEmpty;
    if (isAble && this.#flushing === null) void this.flush();
  }

  /** Never throws: what could not be written stays for the next time. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    const { waiting, missed, database, clock, log } = this.#deps;
    try {
      this.#turnEndsAt = clock.monotonic() + turnMsMax;
      const read = await this.#read(waiting.takeAll());
      for (const request of await this.#withinCaps(read)) this.#ready.add(request);
      const notKept = Map.groupBy(missed.takeAll(), ({ shard }) => database.bucketOf(shard));
      const ready = Map.groupBy(this.#ready, ({ form }) => database.bucketOf(shardOf(form.workspaceId)));
      if (ready.size > 0) await this.#learnRoom();
      for (const bucket of new Set([...ready.keys(), ...notKept.keys()]))
        await this.#writeBucket(bucket, ready.get(bucket) ?? [], notKept.get(bucket) ?? []);
    } catch (error) {
      log.error({ err: error }, 'rejected requests not kept');
    }
  }

  async #read(requests: readonly WaitingRequest[]): Promise<ReadRequest[]> {
    const { bodyHashes, caps } = this.#deps;
    const read: ReadRequest[] = [];
    for (const waiting of requests) {
      if (this.#isOver) break;
      const request = readWaiting(waiting, bodyHashes);
      // Only its body has shown that it can never be a lead.
      const isLate = request.class === 'C' && heldClassOf(request.reason, true) !== 'C';
      if (isLate && !caps.take(countedOf(request))) this.#drop(request, 'limit');
      else read.push(request);
      await this.#letOthers();
    }
    return read;
  }

  async #withinCaps(requests: readonly ReadRequest[]): Promise<readonly ReadRequest[]> {
    const askHost = this.#askHost;
    if (askHost === null) return requests;
    const limited = requests.flatMap((request) => {
      const wish = heldWish(countedOf(request));
      return wish === null ? [] : { request, wish };
    });
    if (limited.length === 0) return requests;
    const isAllowed = await askHost(limited.map(({ wish }) => wish));
    const refused = new Set(limited.filter((_, place) => !isAllowed[place]).map(({ request }) => request));
    for (const request of refused) this.#drop(request, 'limit');
    return requests.filter((request) => !refused.has(request));
  }

  /** What other instances have added is known after a while. Without it, the last known sizes are assumed. */
  async #learnRoom(): Promise<void> {
    const { database, clock } = this.#deps;
    if (clock.monotonic() < this.#roomKnownUntil) return;
    try {
      const { proven, unproven } = await database.readHeldBytes();
      this.#room = { ...this.#room, provenBytes: proven, unprovenBytes: unproven };
      this.#roomKnownUntil = clock.monotonic() + knownRoomMs;
    } catch {
      // On a cluster, a node may be down. Those of others can be written nevertheless.
    }
  }

  async #writeBucket(
    bucket: number,
    requests: readonly ReadRequest[],
    notKept: readonly Missed[],
  ): Promise<void> {
    const { clock, log, missed } = this.#deps;
    let unwritten = notKept;
    try {
      if (clock.monotonic() < (this.#pausedUntil.get(bucket) ?? 0)) return;
      const groups = requests.length === 0 ? [[]] : groupsOf(provenFirst(requests));
      for (const group of groups) {
        if (this.#isOver || !this.#mayWrite(group)) break;
        await this.#writeGroup(group, unwritten);
        unwritten = [];
      }
      this.#pausedUntil.delete(bucket);
      this.#hasFailed = this.#pausedUntil.size > 0;
    } catch (error) {
      // Logged once per outage.
      if (!this.#hasFailed)
        log.warn({ err: error }, 'rejected requests not written; keeping them for the next attempt');
      this.#hasFailed = true;
      this.#pausedUntil.set(bucket, clock.monotonic() + pauseMs);
    } finally {
      missed.putBack(unwritten);
    }
  }

  async #writeGroup(group: readonly ReadRequest[], missed: readonly Missed[]): Promise<void> {
    const { database, log } = this.#deps;
    const held: NewHeld[] = [];
    for (const request of group) {
      held.push(newHeld(request, this.#deps));
      await this.#letOthers();
    }
    try {
      const outcomes = await database.hold(held, missed, this.#room);
      for (const [place, request] of group.entries())
        this.#settle(request, outcomes[place] ?? 'full', held[place]?.sealed.length ?? 0);
    } catch (error) {
      if (!isRefusedRow(error)) throw error;
      this.#deps.missed.putBack(missed);
      const [only] = group;
      if (group.length > 1) for (const request of group) await this.#writeGroup([request], []);
      else if (only !== undefined) {
        log.error({ id: only.id, why: refusalOf(error) }, 'rejected request refused by the database');
        this.#drop(only, 'refused');
      }
    }
  }

  #settle(request: ReadRequest, outcome: HoldOutcome, sealedBytes: number): void {
    const { meter, onFull } = this.#deps;
    if (outcome !== 'kept') meter.onNotHeld(outcome);
    else {
      meter.onHeld();
      const { provenBytes, unprovenBytes } = this.#room;
      this.#room = request.isProven
        ? { ...this.#room, provenBytes: provenBytes + sealedBytes }
        : { ...this.#room, unprovenBytes: unprovenBytes + sealedBytes };
    }
    if (outcome === 'full' && request.isProven) onFull(request.form.id);
    this.#forget(request);
  }

  #drop(request: ReadRequest, cause: NotHeldCause): void {
    this.#deps.meter.onNotHeld(cause);
    if (request.isProven) this.#deps.missed.add(request.form.workspaceId, request.at);
    this.#forget(request);
  }

  #forget(request: ReadRequest): void {
    this.#deps.waiting.release(request);
    this.#ready.delete(request);
  }

  /** While the service stops, nothing else needs the time. */
  #mayWrite(group: readonly ReadRequest[]): boolean {
    return this.#endsAt < Number.POSITIVE_INFINITY || this.#budget.take(group);
  }

  get #isOver(): boolean {
    return this.#deps.clock.monotonic() >= this.#endsAt;
  }

  /** Lets requests that have arrived have their turn. */
  async #letOthers(): Promise<void> {
    const { clock } = this.#deps;
    if (clock.monotonic() < this.#turnEndsAt) return;
    await clock.turn();
    this.#turnEndsAt = clock.monotonic() + turnMsMax;
  }
}

/** What strangers send must not use up what may be written while senders wait. */
function provenFirst(requests: readonly ReadRequest[]): ReadRequest[] {
  const { proven = [], others = [] } = Object.groupBy(requests, ({ isProven }) =>
    isProven ? 'proven' : 'others',
  );
  return [...proven, ...others];
}

/** Each within the limits of a transaction, in the given order. */
function groupsOf(requests: readonly ReadRequest[]): ReadRequest[][] {
  const groups: ReadRequest[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const request of requests) {
    const last = groups.at(-1);
    bytes += request.size;
    if (last !== undefined && bytes <= writtenBytesMax && last.length < rowsPerGroupMax) last.push(request);
    else {
      groups.push([request]);
      bytes = request.size;
    }
  }
  return groups;
}

function countedOf({ class: kind, form, isNoScript, at }: ReadRequest) {
  return { class: kind, workspaceId: form.workspaceId, formId: form.id, isNoScript, at };
}

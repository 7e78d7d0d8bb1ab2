import type { Logger } from 'pino';
import { isOutage, isPassing, refusalOf } from '../../db/errors.ts';
import type { IngestDatabase } from '../../db/ingest/ingest-database.ts';
import type { SpooledLead } from '../../db/ingest/ingest-drain.ts';
import type { QuarantineReason } from '../../db/ingest/spool-quarantine.ts';
import { isHeavy, shapeOf } from '../../domain/lead/body-shape.ts';
import { largeBodyBytes, parseLead } from '../../domain/lead/lead.ts';
import type { Clock, Loop } from '../../time/clock.ts';
import type { Circuit } from '../commit/circuit.ts';
import { duplicateNames } from '../commit/duplicate-names.ts';
import { emptyProjection, isStripped, strippedLead } from '../commit/stripped-lead.ts';
import type { HeavyLeads } from '../heavy/heavy-leads.ts';
import { decodeEntry, type EnteredLead } from './entry.ts';
import type { SpoolFolder } from './folder.ts';
import { headBytes } from './record.ts';
import { type Damage, readSegmentInTurns } from './segment.ts';
import type { Spool } from './spool.ts';

export interface DrainMeter {
  onDrained(leads: number): void;
  onTorn(): void;
  onDamaged(): void;
  onQuarantined(): void;
}

export interface DrainDeps {
  readonly spool: Spool;
  readonly circuit: Circuit;
  readonly database: Pick<IngestDatabase, 'drain' | 'quarantine'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly meter: DrainMeter;
  readonly isBusy: () => boolean;
  readonly nextId: (lead: EnteredLead) => string;
  readonly heavy: Pick<HeavyLeads, 'project'>;
}

/** A record of a segment. */
interface Spooled {
  readonly lead: EnteredLead;
  readonly bytes: number;
  readonly end: number;
}

const pauseMs = 250;
const adoptEveryMs = 5_000;
const batchRowsMax = 256;
/** PostgreSQL needs up to a tenth of a second for the largest leads. */
const batchBytesMax = 256 * 1024;

/**
 * Moves leads from the spool to PostgreSQL, oldest first. Storing is idempotent and a segment is removed only when all of
 * it is stored, so a crash at any point loses and doubles nothing.
 */
export class Drain {
  readonly #deps: DrainDeps;
  #loop: Loop | null = null;
  #isStopped = false;
  #adoptedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: DrainDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { clock, circuit, log } = this.#deps;
    this.#loop = clock.repeat(() => (circuit.isOpen ? undefined : this.#round()), {
      pauseMs,
      onFailure: (error) => log.warn({ err: error }, 'spool drain failed; trying again'),
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#loop?.stop();
  }

  async #round(): Promise<void> {
    const { spool } = this.#deps;
    if (this.#deps.clock.monotonic() - this.#adoptedAt > adoptEveryMs) {
      this.#adoptedAt = this.#deps.clock.monotonic();
      await spool.adopt();
    }
    await spool.seal();
    for (const folder of spool.folders) {
      let isDrained = true;
      for (const segment of await folder.segments()) {
        if (this.#mustStop()) return;
        if (!spool.isGrowing(folder, segment))
          isDrained = (await this.#drainSegment(folder, segment)) && isDrained;
      }
      // A folder with leads left stays ours: they are in stock, and taking it over again would count them twice.
      if (isDrained) await spool.release(folder);
    }
  }

  #mustStop(): boolean {
    return this.#isStopped || this.#deps.circuit.isOpen;
  }

  /** False when a part of it is left for the next round. */
  async #drainSegment(folder: SpoolFolder, segment: string): Promise<boolean> {
    const bytes = await folder.read(segment);
    const drainedTo = await folder.cursor(segment);
    const { records, damages } = await readSegmentInTurns(bytes, this.#deps.clock);
    const unreadable: Damage[] = [];
    const spooled: Spooled[] = [];
    for (const { payload, end } of records) {
      if (end <= drainedTo) continue;
      const lead = decodeEntry(payload);
      const size = payload.length + headBytes;
      if (lead === null) unreadable.push({ from: end - size, to: end, isTorn: false });
      else spooled.push({ lead, bytes: size, end });
    }
    for (const batch of batchesOf(spooled)) {
      if (this.#mustStop()) return false;
      await this.#drainBatch(batch);
      await this.#remember(folder, segment, (batch.at(-1) as Spooled).end);
    }
    for (const damage of [...damages, ...unreadable])
      if (!(await this.#setAside(folder, segment, bytes, damage))) return false;
    await folder.discard(segment);
    return true;
  }

  /** The cursor only saves work. If the disk is too full for it, the drain continues and frees space. */
  async #remember(folder: SpoolFolder, segment: string, end: number): Promise<void> {
    await folder.setCursor(segment, end).catch((error) => {
      this.#deps.log.debug({ err: error }, 'spool cursor not written');
    });
  }

  async #storable(lead: EnteredLead): Promise<SpooledLead> {
    // Parsing a whole batch of large leads in a row would block the event loop.
    if (lead.body.length > largeBodyBytes) await this.#deps.clock.turn();
    const nextSubmissionId = lead.key === null ? null : this.#deps.nextId(lead);
    return { ...lead, projection: await this.#project(lead.body), nextSubmissionId };
  }

  async #project(body: Buffer): Promise<Buffer> {
    const shape = shapeOf(body, true);
    if (isHeavy(shape)) return this.#deps.heavy.project(body);
    const lead = parseLead(body, shape);
    return typeof lead === 'string' ? emptyProjection : lead.projection;
  }

  /** The drain uses at most half of the time and leaves the rest to new leads. */
  async #drainBatch(batch: Spooled[]): Promise<void> {
    const startedAt = this.#deps.clock.monotonic();
    const leads: SpooledLead[] = [];
    for (const { lead } of batch) leads.push(await this.#storable(lead));
    await this.#store(leads);
    for (const { lead, bytes } of batch) this.#deps.spool.drained(lead, bytes);
    this.#deps.meter.onDrained(batch.length);
    const pauseFactor = this.#deps.isBusy() ? 3 : 1;
    await this.#deps.clock.sleep((this.#deps.clock.monotonic() - startedAt) * pauseFactor);
  }

  /** A batch that PostgreSQL refuses is halved until the refused lead is alone. `whole` is the lead before it was stripped. */
  async #store(leads: SpooledLead[], whole?: SpooledLead): Promise<void> {
    const [first] = leads;
    if (first === undefined) return;
    try {
      const exceptions = await this.#deps.database.drain(leads);
      for (const { place, outcome } of exceptions)
        if (outcome === 'other_body') await this.#quarantine(whole ?? (leads[place] as SpooledLead), outcome);
    } catch (error) {
      // Each commit that waits for a standby leaves a connection behind, so we wait until PostgreSQL accepts commits again.
      if (isOutage(error)) this.#deps.circuit.trip(error);
      if (isPassing(error)) throw error;
      const middle = Math.ceil(leads.length / 2);
      if (leads.length > 1) {
        await this.#store(leads.slice(0, middle));
        await this.#store(leads.slice(middle));
      } else if (!isStripped(first)) {
        await this.#store([strippedLead(first)], first);
      } else {
        this.#deps.log.error({ err: error, submission_id: first.submissionId }, 'PostgreSQL refused a lead');
        await this.#quarantine(whole ?? first, 'refused', refusalOf(error));
      }
    }
  }

  async #quarantine(
    lead: SpooledLead,
    reason: QuarantineReason,
    refusal: string | null = null,
  ): Promise<void> {
    const { database, clock, log, meter } = this.#deps;
    if (!(await database.quarantine(lead, reason, refusal, clock.now()))) return;
    meter.onQuarantined();
    log.error({ reason, submission_id: lead.submissionId }, 'spooled lead quarantined');
  }

  /** False when the disk has no space for a copy. Unreadable bytes may contain a lead, so their segment then stays. */
  async #setAside(folder: SpoolFolder, segment: string, bytes: Buffer, damage: Damage): Promise<boolean> {
    const { log, meter } = this.#deps;
    try {
      await folder.setAside(segment, damage.from, bytes.subarray(damage.from, damage.to));
    } catch (error) {
      log.warn({ err: error, segment }, 'unreadable spool bytes not set aside');
      // The lead in a torn end was never acknowledged, so nothing is lost.
      if (!damage.isTorn) return false;
    }
    if (damage.isTorn) meter.onTorn();
    else meter.onDamaged();
    log.error({ segment, ...damage }, 'unreadable spool bytes set aside');
    return true;
  }
}

/** Bounded batches in order, each without duplicates of a key or signature. */
function* batchesOf(spooled: readonly Spooled[]): Generator<Spooled[]> {
  let batch: Spooled[] = [];
  let bytes = 0;
  let taken = new Set<string>();
  for (const item of spooled) {
    const names = duplicateNames(item.lead);
    const isFull = batch.length === batchRowsMax || bytes >= batchBytesMax;
    if (isFull || names.some((name) => taken.has(name))) {
      yield batch;
      batch = [];
      bytes = 0;
      taken = new Set();
    }
    batch.push(item);
    bytes += item.bytes;
    for (const name of names) taken.add(name);
  }
  if (batch.length > 0) yield batch;
}

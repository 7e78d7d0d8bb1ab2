import type { Logger } from 'pino';
import { isOutage, isRefusedRow, refusalOf } from '../../../db/errors.ts';
import type { IngestDatabase, IngestNode } from '../../../db/ingest/ingest-database.ts';
import type { DrainException, SpooledLead } from '../../../db/ingest/ingest-drain.ts';
import type { QuarantineReason } from '../../../db/ingest/spool-quarantine.ts';
import { isHeavy, shapeOf } from '../../../domain/lead/body-shape.ts';
import { largeBodyBytes, parseLead } from '../../../domain/lead/lead.ts';
import type { Clock } from '../../../time/clock.ts';
import { duplicateNames } from '../../commit/duplicates/duplicate-names.ts';
import { emptyProjection, isStripped, strippedLead } from '../../commit/stripped-lead.ts';
import type { HeavyLeads } from '../../heavy/heavy-leads.ts';
import type { EnteredLead } from '../entry.ts';
import type { Spool } from '../spool.ts';
import type { PendingSegment, Spooled, Unreadable } from './pending-segment.ts';

export interface DrainMeter {
  onDrained(leads: number): void;
  onTorn(): void;
  onDamaged(): void;
  onQuarantined(): void;
}

export interface NodeDrainDeps {
  readonly node: Pick<IngestNode, 'drain'>;
  readonly spool: Spool;
  readonly database: Pick<IngestDatabase, 'quarantine'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly meter: DrainMeter;
  readonly isBusy: () => boolean;
  readonly nextId: (lead: EnteredLead) => string;
  readonly heavy: Pick<HeavyLeads, 'project'>;
  /** True while leads of this shard can be stored on this node. */
  readonly isOwn: (shard: number) => boolean;
  /** The node accepts no commits. */
  readonly onOutage: (error: unknown) => void;
  /** The shard is being moved and accepts no leads for a while. */
  readonly onClosed: (shard: number) => void;
  readonly isStopped: () => boolean;
}

const batchRowsMax = 256;
/** PostgreSQL needs up to a tenth of a second for the largest leads. */
const batchBytesMax = 256 * 1024;

/** Stores the leads of one node. */
export class NodeDrain {
  readonly #deps: NodeDrainDeps;

  constructor(deps: NodeDrainDeps) {
    this.#deps = deps;
  }

  /** Goes through the segments once, as far as the node accepts leads. */
  async run(segments: readonly PendingSegment[]): Promise<void> {
    for (const segment of segments) {
      if (this.#deps.isStopped()) return;
      const isWorthReading = segment.isDrained || segment.mayHaveLeadsOf(this.#deps.isOwn);
      if (isWorthReading && !segment.isDiscarded) await this.#drainSegment(segment);
    }
  }

  async #drainSegment(segment: PendingSegment): Promise<void> {
    const { isOwn, isStopped, clock } = this.#deps;
    const read = await segment.read(clock).catch((error) => {
      // Another node has stored the last of its leads, and discarded it.
      if (segment.isDrained) return null;
      throw error;
    });
    if (read === null) return;
    const { spooled, unreadable } = read;
    /** Shards of which a lead could not be stored here. Those after it wait for it. */
    const held = new Set<number>();
    const isNext = ({ lead }: Spooled) => isOwn(lead.shard) && !held.has(lead.shard);
    for (const batch of batchesOf(spooled.filter(isNext))) {
      if (isStopped()) return;
      const next = batch.filter(isNext);
      if (next.length === 0) continue;
      await this.#drainBatch(segment, next, held);
      await this.#remember(segment, spooled);
    }
    if (segment.isDrained) await this.#discard(segment, unreadable);
  }

  /** The cursor only saves work. If the disk is too full for it, the drain continues and frees space. */
  async #remember(segment: PendingSegment, spooled: readonly Spooled[]): Promise<void> {
    const left = spooled.findIndex((record) => !segment.isStored(record));
    const last = spooled[(left === -1 ? spooled.length : left) - 1];
    if (last === undefined) return;
    await segment.folder.setCursor(segment.name, last.end).catch((error) => {
      this.#deps.log.debug({ err: error }, 'spool cursor not written');
    });
  }

  /** The drain uses at most half of the time and leaves the rest to new leads. */
  async #drainBatch(segment: PendingSegment, batch: Spooled[], held: Set<number>): Promise<void> {
    const startedAt = this.#deps.clock.monotonic();
    const leads: SpooledLead[] = [];
    for (const { lead } of batch) leads.push(await this.#storable(lead));
    const misplaced = await this.#store(leads);
    for (const { shard } of misplaced) held.add(shard);
    // A batch in halves may have stored a lead after one that has to wait. What is drained of a shard has no gaps, so both
    // are sent again.
    const stored = batch.filter(({ lead }) => !held.has(lead.shard));
    for (const record of stored)
      if (segment.drained(record)) this.#deps.spool.drained(record.lead, record.bytes);
    this.#deps.meter.onDrained(stored.length);
    const pauseFactor = this.#deps.isBusy() ? 3 : 1;
    await this.#deps.clock.sleep((this.#deps.clock.monotonic() - startedAt) * pauseFactor);
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

  /**
   * A batch that PostgreSQL refuses is halved until the refused lead is alone. `whole` is the lead before it was stripped.
   * Returns the leads that the node has not stored, because their shards are elsewhere.
   */
  async #store(leads: SpooledLead[], whole?: SpooledLead): Promise<Set<SpooledLead>> {
    const [first] = leads;
    if (first === undefined) return new Set();
    const result = await this.#deps.node.drain(leads).catch((error) => this.#refusal(error));
    if (Array.isArray(result)) return this.#heed(result, whole === undefined ? leads : [whole]);
    const middle = Math.ceil(leads.length / 2);
    if (leads.length > 1)
      return (await this.#store(leads.slice(0, middle))).union(await this.#store(leads.slice(middle)));
    if (!isStripped(first)) return this.#store([strippedLead(first)], first);
    this.#deps.log.error(
      { err: result.error, submission_id: first.submissionId },
      'PostgreSQL refused a lead',
    );
    await this.#quarantine(whole ?? first, 'refused', refusalOf(result.error));
    return new Set();
  }

  /** Throws when the same leads may be stored later. */
  #refusal(error: unknown): { readonly error: unknown } {
    // Each commit that waits for a standby leaves a connection behind, so we wait until PostgreSQL accepts commits again.
    if (isOutage(error)) this.#deps.onOutage(error);
    if (!isRefusedRow(error)) throw error;
    return { error };
  }

  async #heed(
    exceptions: readonly DrainException[],
    leads: readonly SpooledLead[],
  ): Promise<Set<SpooledLead>> {
    const misplaced = new Set<SpooledLead>();
    for (const { place, outcome } of exceptions) {
      const lead = leads[place] as SpooledLead;
      if (outcome === 'other_body') await this.#quarantine(lead, outcome);
      if (outcome === 'closed') this.#deps.onClosed(lead.shard);
      if (outcome === 'closed' || outcome === 'moved') misplaced.add(lead);
    }
    return misplaced;
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

  /** All of it is stored. Another node may have found that out in the same moment. */
  async #discard(segment: PendingSegment, unreadable: readonly Unreadable[]): Promise<void> {
    if (segment.isDiscarding) return;
    segment.isDiscarding = true;
    try {
      for (const damage of unreadable) if (!(await this.#setAside(segment, damage))) return;
      await segment.folder.discard(segment.name);
      segment.isDiscarded = true;
    } finally {
      segment.isDiscarding = false;
    }
  }

  /** False when the disk has no space for a copy. Unreadable bytes may contain a lead, so their segment then stays. */
  async #setAside({ folder, name }: PendingSegment, { content, ...damage }: Unreadable): Promise<boolean> {
    const { log, meter } = this.#deps;
    try {
      await folder.setAside(name, damage.from, content);
    } catch (error) {
      log.warn({ err: error, segment: name }, 'unreadable spool bytes not set aside');
      // The lead in a torn end was never acknowledged, so nothing is lost.
      if (!damage.isTorn) return false;
    }
    if (damage.isTorn) meter.onTorn();
    else meter.onDamaged();
    log.error({ segment: name, ...damage }, 'unreadable spool bytes set aside');
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

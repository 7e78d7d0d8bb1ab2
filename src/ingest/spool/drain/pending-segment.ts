import { join } from 'node:path';
import type { Clock } from '../../../time/clock.ts';
import { decodeEntry, type EnteredLead } from '../entry.ts';
import type { SpoolFolder } from '../folder.ts';
import { headBytes } from '../record.ts';
import { type Damage, readSegmentInTurns } from '../segment.ts';

/** A lead in a segment. */
export interface Spooled {
  readonly lead: EnteredLead;
  readonly bytes: number;
  readonly end: number;
}

/** Bytes of a segment that are not a lead. */
export interface Unreadable extends Damage {
  readonly content: Buffer;
}

interface ShardProgress {
  left: number;
  /** Leads of a shard are drained in their order. */
  drainedTo: number;
}

/**
 * A segment that is being drained, by the nodes that its leads belong to and at the pace of each.
 *
 *   unread   until a node looks into it
 *   pending  some of its leads are not in PostgreSQL yet. What is left of each shard is remembered, so that a node whose
 *            leads are all stored does not read it again
 *   drained  it can be discarded
 */
export class PendingSegment {
  readonly folder: SpoolFolder;
  readonly name: string;
  isDiscarding = false;
  isDiscarded = false;
  /** Of the shards with leads left; null while it is unread. */
  #shards: Map<number, ShardProgress> | null = null;

  constructor(folder: SpoolFolder, name: string) {
    this.folder = folder;
    this.name = name;
  }

  get path(): string {
    return join(this.folder.dir, this.name);
  }

  get isDrained(): boolean {
    return this.#shards !== null && this.#shards.size === 0;
  }

  mayHaveLeadsOf(isOwn: (shard: number) => boolean): boolean {
    return this.#shards === null || [...this.#shards.keys()].some(isOwn);
  }

  /** The leads that are left, in their order. */
  async read(clock: Clock): Promise<{ readonly spooled: Spooled[]; readonly unreadable: Unreadable[] }> {
    const bytes = await this.folder.read(this.name);
    const drainedTo = await this.folder.cursor(this.name);
    const { records, damages } = await readSegmentInTurns(bytes, clock);
    const spooled: Spooled[] = [];
    const unreadable = [...damages];
    for (const { payload, end } of records) {
      const lead = decodeEntry(payload);
      const size = payload.length + headBytes;
      // Also before the cursor: nobody has set it aside yet.
      if (lead === null) unreadable.push({ from: end - size, to: end, isTorn: false });
      else if (end > drainedTo) spooled.push({ lead, bytes: size, end });
    }
    this.#shards ??= shardsIn(spooled);
    return {
      spooled: spooled.filter((record) => !this.isStored(record)),
      unreadable: unreadable.map((each) => ({ ...each, content: bytes.subarray(each.from, each.to) })),
    };
  }

  isStored({ lead, end }: Spooled): boolean {
    const shard = this.#shards?.get(lead.shard);
    return shard === undefined || end <= shard.drainedTo;
  }

  /** The lead is in PostgreSQL. False when that was known: two nodes may have stored it, one after the other. */
  drained(record: Spooled): boolean {
    const { lead, end } = record;
    const shard = this.#shards?.get(lead.shard);
    if (shard === undefined || this.isStored(record)) return false;
    shard.drainedTo = end;
    if (--shard.left === 0) this.#shards?.delete(lead.shard);
    return true;
  }
}

function shardsIn(spooled: readonly Spooled[]): Map<number, ShardProgress> {
  const shards = new Map<number, ShardProgress>();
  for (const { lead } of spooled) {
    const shard = shards.get(lead.shard) ?? { left: 0, drainedTo: 0 };
    shard.left++;
    shards.set(lead.shard, shard);
  }
  return shards;
}

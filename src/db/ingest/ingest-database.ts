import type { OutcomeFlush } from '../diagnostics/outcomes.ts';
import type { DirectoryChanges } from '../directory/directory.ts';
import type { HeldBytes, HoldOutcome, Missed, NewHeld, SharedRoom } from '../held/held-database.ts';
import type { Rest } from '../sql.ts';
import type { CommitException, CommitOptions, StorableLead } from './ingest-commit.ts';
import type { DrainException, SpooledLead } from './ingest-drain.ts';
import type { QuarantineReason } from './spool-quarantine.ts';
import type { SoughtOriginal, StoredOriginal } from './stored-originals.ts';

/**
 * Everything that ingestion needs from PostgreSQL. Every call may fail at any time, even after it has taken effect, and may
 * be made again. Simulations implement it with a database that fails at the worst moments.
 */
export interface IngestDatabase {
  /** The node that stores the leads of a shard, as far as is known. Commits find out when it is another one. */
  nodeOf(shard: number): IngestNode;
  /** The part of a cluster that has the shard, and moves as a whole; the same for all shards without a cluster. */
  bucketOf(shard: number): number;
  /** Resolves when leads of this shard, which were `closed`, can be written. */
  probeShard(shard: number): Promise<void>;
  /** False when the lead is quarantined already or was erased in the meantime. */
  quarantine(
    lead: SpooledLead,
    reason: QuarantineReason,
    refusal: string | null,
    at: number,
  ): Promise<boolean>;
  /** All changes after the given revision; -1 reads everything. */
  readDirectory(since: number): Promise<DirectoryChanges>;
  readDirectoryRevision(): Promise<number>;
  /** Listens for changes to the directory. */
  openListener(hooks: ListenerHooks): DirectoryListener;
  /** Where diagnostics of a shard are written; null for those of no workspace. The place of a shard may change. */
  flushPartOf(shard: number | null): FlushPart;
  /** Keeps rejected requests, as far as there is room, and counts what was missed. All are of one bucket. */
  hold(held: readonly NewHeld[], missed: readonly Missed[], room: SharedRoom): Promise<HoldOutcome[]>;
  readHeldBytes(): Promise<HeldBytes>;
}

/** Diagnostics that are written in one transaction. An object stands for the same place for good. */
export interface FlushPart {
  /** Applies a flush once, however often it is sent under the same sequence number. */
  apply(instanceId: string, sequence: number, now: number, flush: OutcomeFlush, rest?: Rest): Promise<void>;
}

/** A server that stores leads: PostgreSQL, or each node of a cluster. An object stands for the same server for good. */
export interface IngestNode {
  /** Where a node of a cluster is; null for the server of DATABASE_URL. */
  readonly address: string | null;
  /** A connection for one lane, opened when it is first needed. */
  openLane(): LaneConnection;
  /** Resolves when the server accepts commits. */
  probe(): Promise<void>;
  /** Stores spooled leads. */
  drain(leads: readonly SpooledLead[]): Promise<DrainException[]>;
  /** The leads that are sought; on a cluster, all of one shard. `onSent` is called once a connection is available. */
  findOriginals(
    sought: readonly SoughtOriginal[],
    now: number,
    onSent: () => void,
  ): Promise<StoredOriginal[]>;
}

export interface LaneConnection {
  commit(leads: readonly StorableLead[], options: CommitOptions): Promise<CommitException[]>;
  close(): Promise<void>;
}

export interface ListenerHooks {
  readonly onChange: () => void;
  /** The connection was lost. */
  readonly onEnd: () => void;
}

export interface DirectoryListener {
  /** Rejects when the listener cannot be opened. */
  readonly ready: Promise<void>;
  close(): void;
}

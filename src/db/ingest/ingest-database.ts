import type { OutcomeFlush } from '../diagnostics/outcomes.ts';
import type { DirectoryChanges } from '../directory/directory.ts';
import type { LivingKey } from './idempotency-keys.ts';
import type { CommitException, CommitOptions, EncodedLeads } from './ingest-commit.ts';
import type { DrainException, SpooledLead } from './ingest-drain.ts';
import type { QuarantineReason } from './spool-quarantine.ts';

/**
 * All that takes leads asks of PostgreSQL. Every call may fail at any time, also after it has taken effect; each may be made
 * again. A simulation has a database of its own that does so at the worst of moments.
 */
export interface IngestDatabase {
  /** A connection for one lane, opened when it is first needed. */
  openLane(): LaneConnection;
  /** Resolves when PostgreSQL takes commits. */
  probe(): Promise<void>;
  /** Stores leads out of a spool. */
  drain(leads: readonly SpooledLead[]): Promise<DrainException[]>;
  /** False when it is there already, or when the lead was erased meanwhile. */
  quarantine(
    lead: SpooledLead,
    reason: QuarantineReason,
    refusal: string | null,
    at: number,
  ): Promise<boolean>;
  /** The key's last use. `onSent` is called when a connection was free to ask. */
  findLivingKey(
    workspaceId: string,
    keyHash: Buffer,
    now: number,
    onSent: () => void,
  ): Promise<LivingKey | null>;
  /** What has changed after the revision; everything after -1. */
  readDirectory(since: number): Promise<DirectoryChanges>;
  readDirectoryRevision(): Promise<number>;
  /** Tells of changes of the directory. */
  openListener(hooks: ListenerHooks): DirectoryListener;
  /** Applies a flush once, however often it is sent under the same number. */
  applyFlush(instanceId: string, sequence: number, now: number, flush: OutcomeFlush): Promise<void>;
}

export interface LaneConnection {
  commit(leads: EncodedLeads, options: CommitOptions): Promise<CommitException[]>;
  close(): Promise<void>;
}

export interface ListenerHooks {
  readonly onChange: () => void;
  /** The connection is gone. */
  readonly onEnd: () => void;
}

export interface DirectoryListener {
  /** Rejects when it does not come to be. */
  readonly ready: Promise<void>;
  close(): void;
}

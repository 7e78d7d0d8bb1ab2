import { binaryUuid } from '../../src/db/binary.ts';
import type { OutcomeFlush } from '../../src/db/diagnostics/outcomes.ts';
import type { LivingKey } from '../../src/db/ingest/idempotency-keys.ts';
import {
  type CommitException,
  type CommitOptions,
  type IngestLimits,
  ingestLimits,
  type StorableLead,
} from '../../src/db/ingest/ingest-commit.ts';
import type { DrainException, SpooledLead } from '../../src/db/ingest/ingest-drain.ts';
import type { QuarantineReason } from '../../src/db/ingest/spool-quarantine.ts';
import { shardOf } from '../../src/domain/workspace.ts';
import { Diagnostics } from './diagnostics.ts';
import { eraseLead, type QuarantineRow, quarantineLead } from './erasures.ts';
import { ingestCommit } from './ingest-commit.ts';
import { deleteExpiredKeys, findLivingKey } from './keys.ts';
import type { WindowRow } from './rate-windows.ts';
import { storeSpooled } from './store-spooled.ts';
import { Transaction } from './transaction.ts';
import { bytesName, type LeadRow, uuidText, WorkspaceRows } from './workspace-rows.ts';

export interface OutboxRow {
  readonly shards: readonly number[];
  readonly workspaceIds: readonly string[];
  readonly submissionIds: readonly string[];
}

/** A lead for the enrichment worker. */
export interface Noted {
  readonly rows: WorkspaceRows;
  readonly submissionId: string;
}

/**
 * The database as far as leads are concerned, in memory. Each method does what its namesake in src/db does, in a
 * transaction of its own, one after another: what throws leaves no trace. test/simulate/model.test.ts compares it with
 * the real functions.
 */
export class Tables {
  readonly limits: IngestLimits;
  /** By workspace and surface. */
  readonly windows = new Map<string, WindowRow>();
  readonly outbox: OutboxRow[] = [];
  readonly quarantine = new Map<string, QuarantineRow>();
  readonly diagnostics = new Diagnostics();
  readonly #workspaces = new Map<string, WorkspaceRows>();
  #transactions = 0;

  constructor(limits: Partial<IngestLimits> = {}) {
    this.limits = { ...ingestLimits, ...limits };
  }

  ingestCommit(leads: readonly StorableLead[], options: CommitOptions): CommitException[] {
    return this.#transact((transaction) => ingestCommit(this, transaction, leads, options));
  }

  storeSpooled(leads: readonly SpooledLead[]): DrainException[] {
    return this.#transact((transaction) => storeSpooled(this, transaction, leads));
  }

  quarantineLead(lead: SpooledLead, reason: QuarantineReason, refusal: string | null, at: Date): boolean {
    const row = { at: at.getTime(), reason, refusal };
    return this.#transact((transaction) => quarantineLead(this, transaction, lead, row));
  }

  findLivingKey(workspaceId: string, keyHash: Buffer, now: number): LivingKey | null {
    return findLivingKey(this.#workspaceOf(workspaceId), keyHash, now);
  }

  applyFlush(instanceId: string, sequence: number, now: number, flush: OutcomeFlush): void {
    const erasuresIn = (id: string) => [...this.#workspaceOf(id).erasures.values()].flat();
    const row = { sequence, flushedAt: now };
    this.#transact((transaction) => this.diagnostics.apply(transaction, instanceId, row, flush, erasuresIn));
  }

  deleteExpiredKeys(shard: number, now: number, rowsMax: number): number {
    const workspaces = this.workspaces().filter((rows) => rows.shard === shard);
    return this.#transact((transaction) => deleteExpiredKeys(transaction, workspaces, now, rowsMax));
  }

  /** False when there is no such lead. */
  eraseLead(
    workspaceId: string,
    submissionId: string,
    now: number,
    bodyHashOf: (body: Buffer) => Buffer,
  ): boolean {
    const rows = this.#workspaceOf(workspaceId);
    return this.#transact((transaction) =>
      eraseLead(this, transaction, rows, submissionId, { now, bodyHashOf }),
    );
  }

  workspaces(): IteratorObject<WorkspaceRows> {
    return this.#workspaces.values();
  }

  leads(): IteratorObject<LeadRow> {
    return this.workspaces().flatMap((rows) => rows.leads.values());
  }

  workspace(shard: number, idBytes: Buffer): WorkspaceRows {
    const name = String.fromCharCode(shard) + bytesName(idBytes);
    let rows = this.#workspaces.get(name);
    if (rows === undefined) {
      rows = new WorkspaceRows(shard, uuidText(idBytes));
      this.#workspaces.set(name, rows);
    }
    return rows;
  }

  /** One row for all of them, as they came. */
  noteForEnrichment(transaction: Transaction, batch: readonly Noted[]): void {
    transaction.append(this.outbox, {
      shards: batch.map(({ rows }) => rows.shard),
      workspaceIds: batch.map(({ rows }) => rows.id),
      submissionIds: batch.map(({ submissionId }) => submissionId),
    });
  }

  #workspaceOf(workspaceId: string): WorkspaceRows {
    return this.workspace(shardOf(workspaceId), binaryUuid(workspaceId));
  }

  #transact<T>(work: (transaction: Transaction) => T): T {
    this.#transactions++;
    const transaction = new Transaction(this.#transactions);
    try {
      return work(transaction);
    } catch (error) {
      transaction.rollBack();
      throw error;
    }
  }
}

import { type IngestLimits, ingestLimits } from '../../src/db/ingest/ingest-commit.ts';
import type { SpooledLead } from '../../src/db/ingest/ingest-drain.ts';
import type { QuarantineReason } from '../../src/db/ingest/spool-quarantine.ts';
import type { Surface } from '../../src/domain/surface.ts';
import { Diagnostics } from './diagnostics.ts';
import type { WindowRow } from './rate-windows.ts';
import type { Transaction } from './transaction.ts';
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

export interface QuarantineRow {
  readonly at: number;
  readonly reason: QuarantineReason;
  readonly refusal: string | null;
  readonly workspaceId: string;
  readonly submissionId: string;
  readonly formId: Buffer;
  readonly surface: Surface;
  readonly receivedAt: number;
  readonly body: Buffer;
  /** The contents of the row's `head`. */
  readonly spooled: SpooledLead;
}

/** The database rows that concern leads, in memory. */
export class Tables {
  readonly limits: IngestLimits;
  /** By workspace and surface. */
  readonly windows = new Map<string, WindowRow>();
  readonly outbox: OutboxRow[] = [];
  readonly quarantine = new Map<string, QuarantineRow>();
  readonly diagnostics = new Diagnostics();
  readonly #workspaces = new Map<string, WorkspaceRows>();

  constructor(limits: Partial<IngestLimits> = {}) {
    this.limits = { ...ingestLimits, ...limits };
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

  /** One row for all of them, in order of arrival. */
  noteLeads(transaction: Transaction, batch: readonly Noted[]): void {
    transaction.append(this.outbox, {
      shards: batch.map(({ rows }) => rows.shard),
      workspaceIds: batch.map(({ rows }) => rows.id),
      submissionIds: batch.map(({ submissionId }) => submissionId),
    });
  }
}

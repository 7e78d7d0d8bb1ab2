import { type IngestLimits, ingestLimits } from '../../src/db/ingest/ingest-commit.ts';
import type { SpooledLead } from '../../src/db/ingest/ingest-drain.ts';
import type { QuarantineReason } from '../../src/db/ingest/spool-quarantine.ts';
import type { Note } from '../../src/db/relay/outbox.ts';
import type { Surface } from '../../src/domain/surface.ts';
import { shardOf } from '../../src/domain/workspace.ts';
import { DeliverRows } from './deliver/deliver-rows.ts';
import { Diagnostics } from './diagnostics.ts';
import { HeldRows } from './held/held-rows.ts';
import type { WindowRow } from './rate-windows.ts';
import type { Transaction } from './transaction.ts';
import { bytesName, type LeadRow, uuidText, WorkspaceRows } from './workspace-rows.ts';

export interface OutboxRow extends Pick<Note, 'type' | 'data' | 'shards' | 'workspaceIds' | 'submissionIds'> {
  /** Null: when the lead was received. */
  readonly at: number | null;
}

/** A lead for the relay. */
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
  readonly held = new HeldRows();
  readonly deliver = new DeliverRows();
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
  noteLeads(
    transaction: Transaction,
    batch: readonly Noted[],
    type: Note['type'] = 'lead.accepted',
    at: number | null = null,
  ): void {
    transaction.append(this.outbox, {
      type,
      at,
      data: null,
      shards: batch.map(({ rows }) => rows.shard),
      workspaceIds: batch.map(({ rows }) => rows.id),
      submissionIds: batch.map(({ submissionId }) => submissionId),
    });
  }

  /** noteLead of src/db/relay/outbox.ts. */
  noteOne(
    workspaceId: string,
    submissionId: string | null,
    type: Note['type'],
    at: number | null,
    data: Note['data'] = null,
  ): void {
    const shards = [shardOf(workspaceId)];
    this.outbox.push({ type, at, data, shards, workspaceIds: [workspaceId], submissionIds: [submissionId] });
  }
}

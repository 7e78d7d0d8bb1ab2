import type { StorableLead } from '../../src/db/ingest/ingest-commit.ts';
import type { Score, Verdict } from '../../src/domain/score/score.ts';
import type { Surface } from '../../src/domain/surface.ts';
import { uniqueViolation } from './refusal.ts';
import type { Transaction } from './transaction.ts';

export interface LeadRow {
  readonly shard: number;
  readonly workspaceId: string;
  readonly submissionId: string;
  readonly formId: Buffer;
  readonly tokenId: Buffer | null;
  readonly surface: Surface;
  readonly receivedAt: number;
  readonly body: Buffer;
  readonly projection: Buffer;
  readonly score: Score;
  /** The verdict of the scorer while there is a mark, which `score` then follows. */
  readonly scored?: Verdict | null;
}

/** The row of an idempotency key, named by its hash, or of a signature that identifies a lead whatever its key. */
export interface KeyRow {
  readonly submissionId: string;
  readonly bodyHash: Buffer;
  readonly expiresAt: number;
  /** The transaction that wrote the row last. */
  readonly writer: number;
}

export interface ErasureRow {
  readonly receivedAt: number;
  readonly erasedAt: number;
  readonly bodyHash: Buffer;
}

/** The rows of one workspace in the hot tables, whose primary keys all start with shard and workspace. */
export class WorkspaceRows {
  readonly shard: number;
  readonly id: string;
  /** By submission id. */
  readonly leads = new Map<string, LeadRow>();
  /** By `bytesName` of the hash. */
  readonly keys = new Map<string, KeyRow>();
  /** By submission id; one row for each time of arrival. */
  readonly erasures = new Map<string, readonly ErasureRow[]>();

  constructor(shard: number, id: string) {
    this.shard = shard;
    this.id = id;
  }

  /** Copies the body, as sending it to a server would: later changes of the buffer do not affect the table. */
  insertLead(transaction: Transaction, submissionId: string, lead: StorableLead): void {
    if (this.leads.has(submissionId)) throw uniqueViolation('leads_pkey');
    const { formId, tokenId, surface, receivedAt, projection, score } = lead;
    transaction.set(this.leads, submissionId, {
      shard: this.shard,
      workspaceId: this.id,
      submissionId,
      formId,
      tokenId,
      surface,
      receivedAt,
      body: Buffer.from(lead.body),
      projection,
      score,
    });
  }
}

/** Bytes as the name of a row. */
export function bytesName(bytes: Buffer): string {
  return bytes.toString('latin1');
}

export function uuidText(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

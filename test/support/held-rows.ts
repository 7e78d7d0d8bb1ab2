import { randomUUID, randomUUIDv7 } from 'node:crypto';
import type pg from 'pg';
import type { HeldClass } from '../../src/domain/held/held-class.ts';
import { type RecordedRequest, sealRequest } from '../../src/domain/held/held-request.ts';
import { BodyHashes } from '../../src/domain/lead/body-hash.ts';
import type { RejectionReason } from '../../src/domain/rejection.ts';
import { deriveIdRoot } from '../../src/domain/secrets/id-root.ts';
import { SecretBox } from '../../src/domain/secrets/secret-box.ts';
import type { Surface } from '../../src/domain/surface.ts';
import { shardOf } from '../../src/domain/workspace.ts';
import { dayMs } from '../../src/time/clock.ts';
import { type Sender, someLead } from './sender.ts';
import { encryptionKey } from './service.ts';

const hashes = new BodyHashes(deriveIdRoot(encryptionKey));

export interface HeldRow {
  readonly body: string | Buffer;
  readonly reason: RejectionReason;
  readonly class: HeldClass;
  readonly surface: Surface;
  readonly receivedAt: Date;
  readonly expiresAt: Date;
  readonly state: 'held' | 'admitted' | 'discarded';
  readonly formId: string;
  readonly request: Partial<RecordedRequest>;
  readonly keyHash: Buffer | null;
  readonly personHashes: readonly Buffer[];
  readonly signatureHash: Buffer | null;
  readonly verifiedAt: Date | null;
  /** Of a service with another key, if it is not the one of the tests. */
  readonly encryptionKey: string;
}

/** A held submission as the service writes it, and what it uses. Returns its id. */
export async function holdRow(
  pool: pg.Pool,
  { workspaceId, formId: senderFormId, tokenId }: Sender,
  row: Partial<HeldRow> = {},
): Promise<string> {
  const { reason = 'rate_limited_minute', surface = 'server', state = 'held', formId = senderFormId } = row;
  const { keyHash = null, personHashes = [], signatureHash = null, verifiedAt = null } = row;
  const heldClass = row.class ?? 'A';
  const body = Buffer.from(row.body ?? someLead);
  const receivedAt = row.receivedAt ?? new Date();
  const expiresAt = row.expiresAt ?? new Date(receivedAt.getTime() + 14 * dayMs);
  const id = randomUUIDv7();
  const recorded = { timestamp: null, signature: null, contentType: 'application/json' };
  const box = new SecretBox(row.encryptionKey ?? encryptionKey);
  const sealed = sealRequest(box, workspaceId, id, {
    ...recorded,
    bodyBytes: body.length,
    body,
    ...row.request,
  });
  const kept = state === 'held' ? sealed : null;
  const decided = state === 'held' ? [null, null] : [receivedAt, 'ada@example.com'];
  const shard = shardOf(workspaceId);
  await pool.query(
    `insert into held_submissions (shard, workspace_id, id, form_id, token_id, surface, reason, class, received_at,
       request_id, sent_at, body_bytes, body_hash, signature_hash, key_hash, person_hashes, sealed, verified_at, state,
       decided_at, decided_by, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, null, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)`,
    [
      ...[shard, workspaceId, id, formId, surface === 'server' ? tokenId : null, surface, reason, heldClass],
      ...[receivedAt, randomUUID(), body.length, hashes.of(workspaceId, body), signatureHash, keyHash],
      ...[personHashes, kept, verifiedAt, state, ...decided, expiresAt],
    ],
  );
  if (kept !== null)
    await pool.query(
      `insert into held_usage as u (shard, workspace_id, form_id, is_proven, rows, bytes) values ($1, $2, $3, $4, 1, $5)
       on conflict (shard, workspace_id, form_id, is_proven)
         do update set rows = u.rows + 1, bytes = u.bytes + excluded.bytes`,
      [shard, workspaceId, formId, heldClass !== 'D', kept.length],
    );
  return id;
}

export interface HeldUsage {
  readonly rows: number;
  readonly bytes: number;
}

/** What the books say that a workspace uses, and what it really uses. They are always equal. */
export async function heldUsage(
  pool: pg.Pool,
  { workspaceId }: Pick<Sender, 'workspaceId'>,
): Promise<{ readonly booked: HeldUsage; readonly real: HeldUsage }> {
  const read = async (columns: string, table: string): Promise<HeldUsage> => {
    const { rows } = await pool.query(`select ${columns} from ${table} where workspace_id = $1`, [
      workspaceId,
    ]);
    return { rows: Number(rows[0].rows), bytes: Number(rows[0].bytes) };
  };
  return {
    booked: await read('coalesce(sum(rows), 0) as rows, coalesce(sum(bytes), 0) as bytes', 'held_usage'),
    real: await read(
      'count(sealed) as rows, coalesce(sum(octet_length(sealed)), 0) as bytes',
      'held_submissions',
    ),
  };
}

import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { binaryUuid } from '../../src/db/binary.ts';
import { readBucketMap } from '../../src/db/citus/nodes/bucket-map.ts';
import {
  type DrainException,
  ingestDrain,
  ingestDrainOnNode,
  type SpooledLead,
} from '../../src/db/ingest/ingest-drain.ts';
import { type QuarantineReason, quarantineLead } from '../../src/db/ingest/spool-quarantine.ts';
import { fingerprintBody, hashKey } from '../../src/domain/lead/idempotency.ts';
import { shardOf } from '../../src/domain/workspace.ts';
import type { Sender } from './sender.ts';

interface Choices {
  readonly submissionId?: string;
  readonly receivedAt?: number;
  readonly key?: string;
}

/** A lead as the drain passes it on. */
export function spooledLead(sender: Sender, body: string, choices: Choices = {}): SpooledLead {
  const { submissionId = randomUUID(), receivedAt = Date.now(), key } = choices;
  const bytes = Buffer.from(body);
  return {
    shard: shardOf(sender.workspaceId),
    workspaceId: binaryUuid(sender.workspaceId),
    formId: binaryUuid(sender.formId),
    tokenId: binaryUuid(sender.tokenId),
    surface: 'server',
    submissionId,
    receivedAt,
    body: bytes,
    projection: bytes,
    score: {
      score: 71,
      risk: 3,
      grade: 'B',
      verdict: 'clean',
      fit: 1,
      intent: 2,
      reasons: [],
      merits: [],
      ruleset: 'as it arrived',
    },
    key: key === undefined ? null : { hash: hashKey(key), bodyHash: fingerprintBody(bytes) },
    signed: null,
    nextSubmissionId: key === undefined ? null : randomUUID(),
  };
}

/** Drains leads of one workspace, on whatever server they belong to. */
export async function drained(pool: pg.Pool, leads: readonly SpooledLead[]): Promise<DrainException[]> {
  const map = await readBucketMap(pool, 10_000);
  const shard = leads[0]?.shard as number;
  const bucket = map?.[shard]?.bucket;
  if (bucket === undefined) return ingestDrain(pool, leads);
  return ingestDrainOnNode(pool, leads, {
    isDelegated: true,
    shard,
    buckets: [bucket],
    ends: [leads.length],
  });
}

/** Quarantines a lead as the drain would, and returns the id of its row. */
export async function quarantined(
  pool: pg.Pool,
  lead: SpooledLead,
  reason: QuarantineReason = 'refused',
  at = new Date(),
): Promise<string> {
  await quarantineLead(pool, lead, reason, reason === 'refused' ? 'test refusal' : null, at);
  const { rows } = await pool.query(
    'select id from spool_quarantine where submission_id = $1 and reason = $2 and body = $3',
    [lead.submissionId, reason, lead.body],
  );
  return rows[0]?.id;
}

import { sql } from 'kysely';
import type pg from 'pg';
import { pageFingerprint } from '../../../domain/browser/submission-key.ts';
import { fingerprintBody, keyLifetimeMs } from '../../../domain/lead/idempotency.ts';
import type { Score } from '../../../domain/score/score.ts';
import { packReasons } from '../../../domain/score/stored-reasons.ts';
import type { Surface } from '../../../domain/surface.ts';
import { shardOf } from '../../../domain/workspace.ts';
import { noteLeads } from '../../relay/outbox.ts';
import { inWorkspace } from '../../sharded.ts';
import { insertRows, run } from '../../sql.ts';
import { addUsage, freedBy } from '../held-usage.ts';
import { findKeyOwners } from '../twins.ts';
import type { HeldRow } from './held-rows.ts';

/** A held request that was opened, parsed and scored. */
export interface ReadyLead {
  readonly body: Buffer;
  readonly projection: Buffer;
  readonly score: Score;
}

/** A request that becomes a lead. */
export interface AdmittedRow extends HeldRow, ReadyLead {
  readonly submissionId: string;
}

export interface Admission {
  readonly at: Date;
  readonly by: string;
  /** Whether destinations are told of the leads. */
  readonly deliver: boolean;
  /** Refuse those of which there is an equal lead. */
  readonly excludeTwins: boolean;
  /** Of the selection that they are admitted with. */
  readonly decisionId: string | null;
}

/** One with a formal fault becomes a lead without its key, but a token of a web page makes one lead, whatever the fault. */
export function keyOf(row: Pick<HeldRow, 'class' | 'keyHash' | 'surface'>): Buffer | null {
  return row.class === 'A' || row.surface === 'browser' ? row.keyHash : null;
}

/**
 * From now on a late repeat of the sender gets the lead. Returns the owners of the keys that somebody else has claimed
 * meanwhile, by the id of the request. No key may occur twice.
 */
export async function claimKeys(
  client: pg.PoolClient,
  workspaceId: string,
  rows: readonly AdmittedRow[],
  now: Date,
): Promise<Map<string, string>> {
  const keyed = rows
    .map((row) => ({ ...row, keyHash: keyOf(row) }))
    .filter(({ keyHash }) => keyHash !== null);
  if (keyed.length === 0) return new Map();
  const expiresAt = new Date(now.getTime() + keyLifetimeMs);
  // In the order of all who lock keys, so that none can block each other for good.
  const claims = keyed
    .toSorted((a, b) => Buffer.compare(a.keyHash as Buffer, b.keyHash as Buffer))
    .map(
      ({ keyHash, submissionId, body, surface }) =>
        sql`(${shardOf(workspaceId)}, ${workspaceId}, ${keyHash}, ${submissionId}, ${fingerprintOf(surface, body)}, ${expiresAt})`,
    );
  await run(
    client,
    sql`
      insert into idempotency_keys as k (shard, workspace_id, key_hash, submission_id, body_hash, expires_at)
      values ${sql.join(claims)}
      on conflict (shard, workspace_id, key_hash) do update
        set submission_id = excluded.submission_id, body_hash = excluded.body_hash, expires_at = excluded.expires_at
        where k.expires_at <= ${now}`,
  );
  const owners = await findKeyOwners(client, workspaceId, keyed, now);
  for (const { id, submissionId } of keyed) if (owners.get(id) === submissionId) owners.delete(id);
  return owners;
}

/** As ingest stores it, so that a late retry is told to have the same body. */
function fingerprintOf(surface: Surface, body: Buffer): Buffer {
  return surface === 'browser' ? pageFingerprint(body) : fingerprintBody(body);
}

/** Stores the leads, with everything that follows from them, and deletes what was held. */
export async function storeAdmitted(
  client: pg.PoolClient,
  workspaceId: string,
  rows: readonly AdmittedRow[],
  admission: Admission,
): Promise<void> {
  if (rows.length === 0) return;
  const shard = shardOf(workspaceId);
  await insertLeads(client, workspaceId, rows);
  await insertRows(
    client,
    `lead_recoveries (shard, workspace_id, submission_id, held_id, reason, admitted_at, admitted_by, is_delivered)`,
    rows.map(({ id, submissionId, reason }) => [
      shard,
      workspaceId,
      submissionId,
      id,
      reason,
      admission.at,
      admission.by,
      admission.deliver,
    ]),
    'on conflict do nothing',
  );
  await markAdmitted(client, workspaceId, rows, admission);
  await addUsage(
    client,
    rows.map((row) => freedBy(workspaceId, row)),
  );
  const leads = rows.map(({ submissionId }) => ({ shard, workspaceId, submissionId }));
  await noteLeads(client, leads, { type: 'lead.accepted' });
  await noteLeads(client, leads, { type: 'lead.released', at: admission.at });
}

async function insertLeads(
  client: pg.PoolClient,
  workspaceId: string,
  rows: readonly AdmittedRow[],
): Promise<void> {
  await insertRows(
    client,
    `leads (shard, workspace_id, submission_id, form_id, token_id, surface, received_at, body, fields, score, risk, grade,
      verdict, reasons, ruleset)`,
    rows.map(({ submissionId, formId, tokenId, surface, receivedAt, body, projection, score }) => [
      shardOf(workspaceId),
      workspaceId,
      submissionId,
      formId,
      tokenId,
      surface,
      receivedAt,
      body,
      projection.toString('utf8'),
      score.score,
      score.risk,
      score.grade,
      score.verdict,
      JSON.stringify(packReasons(score)),
      score.ruleset,
    ]),
    'on conflict do nothing',
  );
}

async function markAdmitted(
  client: pg.PoolClient,
  workspaceId: string,
  rows: readonly AdmittedRow[],
  { at, by, decisionId }: Admission,
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const submissionIds = rows.map(({ submissionId }) => submissionId);
  await run(
    client,
    sql`
      update held_submissions as h set state = 'admitted', sealed = null, decided_at = ${at}, decided_by = ${by},
        decision_id = ${decisionId}, submission_id = a.submission_id
      from unnest(${ids}::uuid[], ${submissionIds}::uuid[]) as a (id, submission_id)
      where ${inWorkspace(workspaceId)} and h.id = a.id`,
  );
}

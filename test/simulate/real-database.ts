import pg from 'pg';
import { applyFlush, type OutcomeFlush } from '../../src/db/diagnostics/outcomes.ts';
import { admitRows, type WantedAdmission } from '../../src/db/held/admission.ts';
import type { Admission } from '../../src/db/held/decisions/admitted-leads.ts';
import { type Discard, discardRows } from '../../src/db/held/decisions/discard.ts';
import type { Missed, NewHeld, SharedRoom } from '../../src/db/held/held-database.ts';
import { hold } from '../../src/db/held/hold.ts';
import { deleteExpiredKeys } from '../../src/db/housekeeping.ts';
import {
  type CommitOptions,
  type IngestLimits,
  ingestCommit,
  ingestLimits,
  type StorableLead,
} from '../../src/db/ingest/ingest-commit.ts';
import { ingestDrain, type SpooledLead } from '../../src/db/ingest/ingest-drain.ts';
import { type QuarantineReason, quarantineLead } from '../../src/db/ingest/spool-quarantine.ts';
import { findOriginals, type SoughtOriginal } from '../../src/db/ingest/stored-originals.ts';
import { SecretBox } from '../../src/domain/secrets/secret-box.ts';
import { Problem } from '../../src/manage/calls/problem.ts';
import type { ManagementDeps } from '../../src/manage/deps.ts';
import { eraseLead } from '../../src/manage/leads/lead-erasure.ts';
import { ManualClock } from '../support/clocks.ts';
import type { TableRows } from './table-rows.ts';
import { bodyHashes, tokenIds, tokenWorkspaceId } from './world.ts';

const secretBox = new SecretBox('an encryption key for tests, nothing else');

/** The columns that are compared, per table. Key columns come first. */
const queries: Record<keyof TableRows, string> = {
  leads: `select workspace_id, submission_id, shard, form_id, token_id, surface, received_at, body,
    coalesce(fields, convert_from(body, 'UTF8')::jsonb) as fields, score, risk,
    grade, verdict, reasons, ruleset from leads`,
  keys: 'select workspace_id, key_hash, shard, submission_id, body_hash, expires_at from idempotency_keys',
  windows: `select workspace_id, surface, shard, minute_started_at, minute_count, day_started_at, day_count, wanted, granted
    from rate_windows`,
  outbox: `select shard, shards, workspace_ids, submission_ids, type, at from enrichment_outbox
    where type in ('lead.accepted', 'lead.released')`,
  quarantine: `select workspace_id, submission_id, reason, body, at, refusal, form_id, surface, received_at,
    convert_from(head, 'UTF8')::jsonb from spool_quarantine`,
  erasures: 'select workspace_id, submission_id, received_at, shard, erased_at, body_hash from lead_erasures',
  flushes: 'select instance_id, sequence, flushed_at from diagnostic_flushes',
  counts: `select workspace_id, minute, surface, outcome, form_id, token_id, shard, count, proven_count, spam_count, last_at
    from outcome_counts`,
  entries: `select workspace_id, id, shard, at, surface, reason, form_id, token_id, request_id, detail
    from rejection_entries`,
  notes: `select workspace_id, id, shard, at, surface, kind, form_id, token_id, request_id, submission_id
    from diagnostic_notes`,
  unattributed: 'select minute, surface, reason, count, last_at from unattributed_counts',
  unattributedRequests: `select surface, reason, count, first_at, array_to_string(request_ids, ','), array_to_string(after_ms, ',')
    from unattributed_requests`,
  formerSecretUses: `select workspace_id, form_id, overlap_ends_at, minute, shard, count, last_at from former_secret_uses`,
  clockDrifts: `select workspace_id, form_id, minute, shard, array_to_string(buckets, ',') from clock_drifts`,
  handlingTimes: `select workspace_id, minute, shard, array_to_string(buckets, ',') from handling_times`,
  held: `select workspace_id, id, shard, form_id, reason, class, received_at, octet_length(sealed), body_hash,
    signature_hash, key_hash, state, submission_id, decision_id, expires_at from held_submissions`,
  recoveries:
    'select workspace_id, submission_id, shard, held_id, admitted_at, is_delivered from lead_recoveries',
  heldUsage: 'select workspace_id, form_id, is_proven, shard, rows, bytes from held_usage',
  heldMissed: `select workspace_id, to_char(day, 'YYYY-MM-DD'), shard, count from held_missed`,
  tokenUses: 'select id, last_used_at from tokens where last_used_at is not null',
  formUses: 'select form_id, slug, lead_at, verified_at from form_uses',
  tokenAddresses: 'select token_id, address, last_at from token_addresses',
};

type HoldArgs = readonly [NewHeld[], Missed[], SharedRoom];

/** PostgreSQL, through the functions of src/db. */
export class RealDatabase {
  limits = ingestLimits;
  readonly #pool: pg.Pool;

  /**
   * One connection for all: PostgreSQL reports an error before it has undone the transaction, and on another one
   * deleteExpiredKeys would pass over rows that are still locked.
   */
  constructor(connectionString: string) {
    this.#pool = new pg.Pool({ connectionString, max: 1 });
    // Nothing here has to survive a crash, and planning each statement again takes longer than running it.
    this.#pool.on('connect', (client) =>
      client.query('set synchronous_commit = off; set plan_cache_mode = force_generic_plan'),
    );
  }

  async open(): Promise<void> {
    const workspace = `'${tokenWorkspaceId}'`;
    await this.#pool.query(`
      insert into workspaces (id, name, created_at, revision) values (${workspace}, 'Tokens', now(), 1);
      insert into forms (id, workspace_id, name, slug, active, created_at, revision)
        values (${workspace}, ${workspace}, 'Form', 'form', true, now(), 1);
      insert into tokens (id, workspace_id, form_id, name, type, hash, hint, created_at, revision)
        select id::uuid, ${workspace}, ${workspace}, 'Token', 'server', id::bytea, '', now(), 1
        from unnest(array['${tokenIds.join("','")}']) as id`);
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  async empty(limits: IngestLimits): Promise<void> {
    this.limits = limits;
    await this.#pool.query(`
      delete from leads; delete from idempotency_keys; delete from rate_windows; delete from enrichment_outbox;
      delete from spool_quarantine; delete from lead_erasures; delete from diagnostic_flushes;
      delete from outcome_counts; delete from rejection_entries; delete from diagnostic_notes;
      delete from unattributed_counts; delete from unattributed_requests; delete from former_secret_uses; delete from clock_drifts;
      delete from handling_times;
      delete from held_submissions; delete from held_usage; delete from held_missed;
      delete from lead_recoveries; delete from form_uses; delete from token_addresses;
      update tokens set last_used_at = null where last_used_at is not null`);
  }

  async ingestCommit(leads: readonly StorableLead[], options: CommitOptions) {
    const client = await this.#pool.connect();
    try {
      return await ingestCommit(client, leads, options, this.limits);
    } finally {
      client.release();
    }
  }

  storeSpooled(leads: readonly SpooledLead[]) {
    return ingestDrain(this.#pool, leads, this.limits.keyLifetimeMs);
  }

  quarantineLead(lead: SpooledLead, reason: QuarantineReason, refusal: string | null, at: Date) {
    return quarantineLead(this.#pool, lead, reason, refusal, at, this.limits.keyLifetimeMs);
  }

  findOriginals(sought: readonly SoughtOriginal[], now: number) {
    return findOriginals(this.#pool, sought, now);
  }

  deleteExpiredKeys(shard: number, now: number, rowsMax: number) {
    return deleteExpiredKeys(this.#pool, shard, now, rowsMax);
  }

  applyFlush(instanceId: string, sequence: number, now: number, flush: OutcomeFlush) {
    return applyFlush(this.#pool, instanceId, sequence, now, flush);
  }

  hold(...args: HoldArgs) {
    return hold(this.#pool, ...args);
  }

  async admitRows(workspaceId: string, wanted: readonly WantedAdmission[], admission: Admission) {
    // One that does not exist counts as suspended.
    await this.#pool.query(
      `insert into workspaces (id, name, created_at, revision) values ($1, 'Held', now(), 1) on conflict do nothing`,
      [workspaceId],
    );
    return admitRows(this.#pool, workspaceId, wanted, admission);
  }

  discardRows(workspaceId: string, ids: readonly string[], discard: Discard) {
    return discardRows(this.#pool, workspaceId, ids, discard);
  }

  async eraseLead(workspaceId: string, submissionId: string, now: number): Promise<boolean> {
    const deps: Pick<ManagementDeps, 'pool' | 'clock' | 'bodyHashes' | 'secretBox' | 'learning'> = {
      pool: this.#pool,
      clock: new ManualClock(now),
      bodyHashes,
      secretBox,
      learning: { wake: () => {} },
    };
    try {
      await eraseLead(deps as ManagementDeps, workspaceId, submissionId);
      return true;
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  }

  async rows(): Promise<TableRows> {
    const text = Object.values(queries).join(';\n');
    const results = (await this.#pool.query({
      text,
      rowMode: 'array',
    })) as unknown as pg.QueryArrayResult[];
    return Object.fromEntries(
      Object.keys(queries).map((table, place) => [table, results[place]?.rows ?? []]),
    ) as unknown as TableRows;
  }
}

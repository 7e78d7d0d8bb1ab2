import type pg from 'pg';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { shardOf } from '../../../src/domain/workspace.ts';
import { openTestPool } from '../../support/database/database.ts';
import { eventually } from '../../support/diagnostics.ts';
import { type ApiAnswer, startTestService, type TestService } from '../../support/service.ts';
import { callWithKey } from '../api-keys/key-holder.ts';
import { createWorkspace, Seed } from './seed.ts';

export let service: TestService;
export let other: TestService;
export let seed: Seed;
export let pool: pg.Pool;
export let workspaceId: string;

export async function startActions(): Promise<void> {
  // Without a relay, notes stay where they can be counted.
  service = await startTestService({ env: { ROLE: 'manage' } });
  const { databaseUrl } = service;
  other = await startTestService({ env: { ROLE: 'manage' }, databaseUrl, log: pino({ level: 'silent' }) });
  seed = new Seed(service);
  pool = openTestPool(databaseUrl);
}

export async function stopActions(): Promise<void> {
  await pool.end();
  await seed.stop();
  await other.stop();
  await service.stop();
}

/** What follows is about this workspace, or a new one. */
export async function enter(id?: string): Promise<void> {
  workspaceId = id ?? (await createWorkspace(service));
}

export const at = (path = '') => `/workspaces/${workspaceId}/lead-actions${path}`;
export type Caller = { api(method: string, path: string, body?: object): Promise<ApiAnswer> };
export const mark = (body: object, by: Caller = service) => by.api('POST', at('/marks'), body);
export const erase = (body: object, by: Caller = service) => by.api('POST', at('/erasures'), body);
export const undo = (id: string) => service.api('POST', at(`/${id}/undo`));
export const read = async (id: string) => (await service.api('GET', at(`/${id}`))).json;
export const ended = (id: string) =>
  eventually(
    () => read(id),
    ({ state }) => state !== 'running',
  );
export const keyHolder = (at: TestService, key: string) => (method: string, path: string, body?: unknown) =>
  callWithKey(at, key, method, path, body as object | undefined);
export const rows = async (text: string) => (await pool.query(text, [workspaceId])).rows;
export const verdicts = async () =>
  Object.fromEntries(
    (await rows('select submission_id as id, verdict from leads where workspace_id = $1')).map((row) => [
      row.id,
      row.verdict,
    ]),
  );
export const leads = async () =>
  (await rows('select submission_id as id from leads where workspace_id = $1')).length;

/** At different times, oldest first. */
export async function fill(count: number, values: Record<string, unknown> = {}): Promise<string[]> {
  const ids = [];
  for (let n = 0; n < count; n++) {
    const received_at = new Date(Date.UTC(2026, 10, 15, 8, 0, n)).toISOString();
    ids.push(
      await seed.lead(workspaceId, { received_at, fields: { n, ...(values.fields ?? {}) }, ...values }),
    );
  }
  return ids;
}

/** Quicker than one by one. */
export async function fillMany(count: number): Promise<void> {
  await pool.query(
    `insert into leads (shard, workspace_id, submission_id, form_id, surface, received_at, body, fields, score, risk,
       grade, verdict, reasons, ruleset)
     select $1, $2, gen_random_uuid(), $2, 'server', timestamptz '2026-11-15T08:00:00Z' + n * interval '1 second',
       convert_to('{"n":' || n || '}', 'UTF8'), jsonb_build_object('n', n), 40, 0, 'B', 'clean', '[]', 'test'
     from generate_series(1, $3::int) as n`,
    [shardOf(workspaceId), workspaceId, count],
  );
}

/**
 * Locks all leads of the workspace, or the oldest, which an action comes to last. Returns what unlocks them, as the end of the
 * test does.
 */
export async function lockLeads(which: 'all' | 'oldest'): Promise<() => Promise<void>> {
  const some = which === 'oldest' ? 'order by received_at limit 1' : '';
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query(`select from leads where shard = $1 and workspace_id = $2 ${some} for update`, [
    shardOf(workspaceId),
    workspaceId,
  ]);
  let isHeld = true;
  const unlock = async () => {
    if (!isHeld) return;
    isHeld = false;
    await holder.query('rollback');
    holder.release();
  };
  onTestFinished(unlock);
  return unlock;
}

/** Statements that wait for such a lock. The nodes of a cluster show only the beginning of a long one. */
export const waitingForLeads = { query: '%from%leads%' };

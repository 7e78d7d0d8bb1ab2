import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hashKey } from '../../../src/domain/lead/idempotency.ts';
import { shardOf } from '../../../src/domain/workspace.ts';
import { openTestPool } from '../../support/database/database.ts';
import { endLockWaiters } from '../../support/database/lock-waiters.ts';
import { eventually } from '../../support/diagnostics.ts';
import { type HeldRow, heldUsage, holdRow } from '../../support/held-rows.ts';
import { createSender, post, type Sender } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createDestination } from '../destinations/some-deliveries.ts';

let service: TestService;
let other: TestService;
let pool: pg.Pool;
let sender: Sender;

beforeAll(async () => {
  service = await startTestService();
  other = await startTestService({ databaseUrl: service.databaseUrl, log: pino({ level: 'silent' }) });
  pool = openTestPool(service.databaseUrl);
});
beforeEach(async () => {
  sender = await createSender(service);
});
afterAll(async () => {
  await pool.end();
  await other.stop();
  await service.stop();
});

const at = (path: string) => `/workspaces/${sender.workspaceId}/held/${path}`;
const hold = (body: string, row: Partial<HeldRow> = {}) => holdRow(pool, sender, { ...row, body });
const start = (body: object, instance = service) => instance.api('POST', at('admissions'), body);
const read = async (id: string) => (await service.api('GET', at(`admissions/${id}`))).json;
const ended = (id: string) =>
  eventually(
    () => read(id),
    ({ state }) => state !== 'running',
  );
const query = async (text: string) => (await pool.query(text, [sender.workspaceId])).rows;
const leads = () =>
  query(
    `select submission_id, coalesce(fields, convert_from(body, 'UTF8')::jsonb) as fields from leads where workspace_id = $1`,
  );

async function holdMany(count: number): Promise<string[]> {
  const ids = [];
  for (let n = 0; n < count; n++) ids.push(await hold(`{"email":"ada@example.com","n":${n}}`));
  return ids;
}

/** Nobody decides about requests of this workspace until it is let go. */
async function holdUpDecisions(): Promise<pg.PoolClient> {
  const holder = await pool.connect();
  await holder.query(`select pg_advisory_lock(hashtextextended('leadgate held ' || $1::uuid, 0))`, [
    sender.workspaceId,
  ]);
  return holder;
}

test('a selection is counted first, with twins, predicted verdicts and destinations, and nothing is changed', async () => {
  const destination = await createDestination(service, sender.workspaceId);
  await post(service, sender, 'server', '{"email":"ada@example.com","n":1}');
  await hold('{"email":"ada@example.com","n":1}');
  await hold('{"email":"ada@example.com","n":2}');
  await hold('{"email":"ada@example.com","n":2}');
  await hold('{"email":"ada@example.com","n":3}', { reason: 'form_inactive' });
  await hold('[]', { class: 'C', reason: 'body_not_object' });
  await hold('{"email":"ada@example.com","n":4}', { class: 'D', reason: 'signature_mismatch' });
  const { status, json } = await start({ dry_run: true });
  expect([status, json]).toEqual([
    200,
    {
      count: 2,
      twins: 2,
      verdicts: { clean: 2, suspect: 0, spam: 0 },
      destinations: [{ id: destination.id, name: destination.name }],
    },
  ]);
  expect((await start({ dry_run: true, exclude_twins: false })).json).toMatchObject({ count: 4, twins: 2 });
  expect((await start({ dry_run: true, reason: 'form_inactive', deliver: false })).json).toMatchObject({
    count: 1,
    destinations: [],
  });
  expect((await start({ dry_run: true, class: 'C' })).json.count).toBe(0);
  expect((await service.api('POST', at('discards'), { dry_run: true })).json.count).toBe(6);
  expect(await leads()).toHaveLength(1);
  expect((await service.api('GET', at('admissions'))).json.items).toEqual([]);
});

test('all of a selection become leads except twins', async () => {
  await holdMany(30);
  await hold('{"email":"ada@example.com","n":0}');
  await post(service, sender, 'server', '{"email":"ada@example.com","n":7}', { key: 'k' });
  await hold('{"n":"keyed"}', { keyHash: hashKey('k') });
  const { status, json } = await start({});
  expect([status, json]).toEqual([202, { id: expect.any(String) }]);
  expect(await ended(json.id)).toMatchObject({
    kind: 'admission',
    state: 'finished',
    total: 32,
    done: 32,
    decided: 29,
    created_by: 'operator',
  });
  // With the one that was accepted meanwhile.
  expect(new Set((await leads()).map(({ fields }) => fields.n)).size).toBe(30);
  expect((await service.api('GET', at('admissions'))).json.items).toMatchObject([{ id: json.id }]);
  const left = await query(`select id from held_submissions where workspace_id = $1 and state = 'held'`);
  expect(left).toHaveLength(3);
  const { booked, real } = await heldUsage(pool, sender);
  expect(booked).toEqual(real);
});

test('equal leads are admitted if they are wanted, but none whose key belongs to a lead', async () => {
  await post(service, sender, 'server', '{"n":1}', { key: 'k' });
  await hold('{"n":1}');
  await hold('{"n":1}');
  await hold('{"n":2}', { keyHash: hashKey('k') });
  const { json } = await start({ exclude_twins: false });
  expect(await ended(json.id)).toMatchObject({ total: 3, done: 3, decided: 2 });
  expect(await leads()).toHaveLength(3);
});

test('only those are admitted that were chosen, by ID, reason, form or class', async () => {
  const [one] = await holdMany(3);
  const foreign = await holdRow(pool, await createSender(service), { body: '{"n":1}' });
  const byId = (await start({ ids: [one, foreign, randomUUID()] })).json.id;
  expect(await ended(byId)).toMatchObject({ total: 1, decided: 1 });
  await hold('{"n":"b"}', { class: 'B', reason: 'content_type_unsupported' });
  expect(await ended((await start({ class: 'B' })).json.id)).toMatchObject({ total: 1, decided: 1 });
  expect(await ended((await start({ reason: 'form_inactive' })).json.id)).toMatchObject({
    total: 0,
    done: 0,
  });
  expect((await start({ form_id: randomUUID() })).status).toBe(422);
  expect(await leads()).toHaveLength(2);
});

test('what is kept after the start does not belong to the selection', async () => {
  await holdMany(2);
  const { json } = await start({});
  await ended(json.id);
  await hold('{"n":"later"}');
  await pool.query('update held_decisions set finished_at = null where id = $1', [json.id]);
  expect(await ended(json.id)).toMatchObject({ total: 2, decided: 2 });
  expect(await leads()).toHaveLength(2);
});

test('clicking twice admits once, and only some selections can be in progress', async () => {
  await holdMany(2);
  const holder = await holdUpDecisions();
  const clicks = await Promise.all([start({}), start({}, other), start({ exclude_twins: true })]);
  const [id] = clicks.map(({ json }) => json.id);
  expect(clicks.map(({ json }) => json.id)).toEqual([id, id, id]);
  const ids = await holdMany(5);
  const answers = [];
  for (const one of ids) answers.push(await start({ ids: [one], reason: 'rate_limited_minute' }));
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 409]);
  expect(answers.at(-1)?.json.code).toBe('quota_reached');
  await holder.query('select pg_advisory_unlock_all()');
  holder.release();
  for (const { json } of answers.slice(0, 4)) await ended(json.id);
  await ended(id);
});

test('an instance that is interrupted in the middle is followed by another, and each becomes one lead', async () => {
  const ids = await holdMany(250);
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query(
    'select from held_submissions where shard = $1 and workspace_id = $2 and id = $3 for update',
    [shardOf(sender.workspaceId), sender.workspaceId, ids[150]],
  );
  const { json } = await start({});
  // The transaction of the second step dies, as with its instance.
  await eventually(
    () => endLockWaiters(service.databaseUrl, { query: '%held_submissions%for update%' }),
    (count) => count > 0,
  );
  await holder.query('rollback');
  holder.release();
  expect(await ended(json.id)).toMatchObject({ state: 'finished', total: 250, done: 250, decided: 250 });
  const fields = (await leads()).map(({ fields }) => fields.n);
  expect([fields.length, new Set(fields).size]).toEqual([250, 250]);
  const accepted = () =>
    query(`select count(*) as count from lead_events where workspace_id = $1 and type = 'lead.released'`);
  const [counted] = await eventually(accepted, ([row]) => row.count >= 250);
  expect(counted.count).toBe(250);
});

test('a step whose progress was lost is counted once', async () => {
  await holdMany(120);
  const { json } = await start({});
  await ended(json.id);
  // As a kill after the first step leaves it.
  await pool.query(
    `update held_decisions set finished_at = null, done = 0, admitted = 0, after_id = null, leased_until = '-infinity'
     where id = $1`,
    [json.id],
  );
  expect(await ended(json.id)).toMatchObject({ state: 'finished', total: 120, done: 120, decided: 120 });
  expect(await leads()).toHaveLength(120);
});

test('a selection that is stopped stays as it is, and what it has done stays done', async () => {
  await holdMany(250);
  const { json } = await start({});
  await eventually(
    () => read(json.id),
    ({ done }) => done > 0,
  );
  expect((await service.api('POST', at(`admissions/${json.id}/stop`))).status).toBe(204);
  const stopped = await read(json.id);
  expect(stopped.state).toBe('stopped');
  const settled = () =>
    query('select leased_until < now() as is_free from held_decisions where workspace_id = $1');
  await eventually(settled, ([row]) => row.is_free);
  const after = await read(json.id);
  expect([after.state, await leads()]).toEqual([
    'stopped',
    expect.objectContaining({ length: after.decided }),
  ]);
  expect(after.done).toBeLessThan(250);
  const rest = (await start({})).json.id;
  expect(rest).not.toBe(json.id);
  expect(await ended(rest)).toMatchObject({ state: 'finished', total: 250 - after.decided });
  expect(await leads()).toHaveLength(250);
  expect((await service.api('POST', at(`admissions/${randomUUID()}/stop`))).status).toBe(404);
});

test('a selection stops when the workspace is suspended', async () => {
  await holdMany(3);
  const { json } = await start({});
  await ended(json.id);
  await hold('{"n":"more"}');
  await service.api('PATCH', `/workspaces/${sender.workspaceId}`, { status: 'suspended', reason: 'Test' });
  const [row] = await query(
    'select id from held_submissions where workspace_id = $1 order by id desc limit 1',
  );
  await pool.query(
    `update held_decisions set finished_at = null, selection = selection || jsonb_build_object('last_id', $2::text)
     where id = $1`,
    [json.id, row.id],
  );
  expect((await ended(json.id)).state).toBe('stopped');
  expect(await leads()).toHaveLength(3);
});

test('a selection is discarded with its content, and the room is free again', async () => {
  await holdMany(3);
  await hold('{"n":"D"}', { class: 'D', reason: 'signature_mismatch' });
  const { status, json } = await service.api('POST', at('discards'), {});
  expect(status).toBe(202);
  expect(await ended(json.id)).toMatchObject({ kind: 'discard', state: 'finished', total: 4, decided: 4 });
  const rows = await query('select state, sealed from held_submissions where workspace_id = $1');
  expect(rows).toEqual(Array.from({ length: 4 }, () => ({ state: 'discarded', sealed: null })));
  expect(await heldUsage(pool, sender)).toMatchObject({ booked: { rows: 0, bytes: 0 } });
});

test('an unreadable request does not hold up the others', async () => {
  await hold('{"n":1}', { encryptionKey: 'another-key-0123456789-0123456789-0123456789' });
  await hold('{"n":2}');
  expect(await ended((await start({})).json.id)).toMatchObject({ total: 2, done: 2, decided: 1 });
});

test('a request that PostgreSQL refuses does not hold up the others', async () => {
  await pool.query('alter table leads add constraint test_poison check (octet_length(body) <> 16) not valid');
  await hold('{"n":"poisoned"}');
  await hold('{"n":1}');
  await hold('{"n":2}');
  const { json } = await start({});
  expect(await ended(json.id)).toMatchObject({ state: 'finished', total: 3, done: 3, decided: 2 });
  await pool.query('alter table leads drop constraint test_poison');
});

test('a workspace sees only its own decisions', async () => {
  await holdMany(1);
  const { json } = await start({});
  const stranger = await createSender(service);
  const foreign = `/workspaces/${stranger.workspaceId}/held/admissions/${json.id}`;
  expect((await service.api('GET', foreign)).status).toBe(404);
  expect((await service.api('POST', `${foreign}/stop`)).status).toBe(404);
  await ended(json.id);
});

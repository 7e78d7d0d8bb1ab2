import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { shardOf } from '../../../src/domain/workspace.ts';
import { type Browser, join } from '../../support/browser/browser.ts';
import { openTestPool } from '../../support/database/database.ts';
import { endLockWaiters, lockWaiters } from '../../support/database/lock-waiters.ts';
import { eventually } from '../../support/diagnostics.ts';
import { type ApiAnswer, startTestService, type TestService } from '../../support/service.ts';
import { callWithKey, createApiKey } from '../api-keys/key-holder.ts';
import { createWorkspace, Seed } from './seed.ts';

let service: TestService;
let other: TestService;
let seed: Seed;
let pool: pg.Pool;
let workspaceId: string;

beforeAll(async () => {
  // Without a relay, notes stay where they can be counted.
  service = await startTestService({ env: { ROLE: 'manage' } });
  const { databaseUrl } = service;
  other = await startTestService({ env: { ROLE: 'manage' }, databaseUrl, log: pino({ level: 'silent' }) });
  seed = new Seed(service);
  pool = openTestPool(databaseUrl);
});
beforeEach(async () => {
  workspaceId = await createWorkspace(service);
});
afterAll(async () => {
  await pool.end();
  await seed.stop();
  await other.stop();
  await service.stop();
});

const at = (path = '') => `/workspaces/${workspaceId}/lead-actions${path}`;
type Caller = { api(method: string, path: string, body?: object): Promise<ApiAnswer> };
const mark = (body: object, by: Caller = service) => by.api('POST', at('/marks'), body);
const erase = (body: object, by: Caller = service) => by.api('POST', at('/erasures'), body);
const undo = (id: string) => service.api('POST', at(`/${id}/undo`));
const read = async (id: string) => (await service.api('GET', at(`/${id}`))).json;
const ended = (id: string) =>
  eventually(
    () => read(id),
    ({ state }) => state !== 'running',
  );
const keyHolder = (at: TestService, key: string) => (method: string, path: string, body?: unknown) =>
  callWithKey(at, key, method, path, body as object | undefined);
const rows = async (text: string) => (await pool.query(text, [workspaceId])).rows;
const verdicts = async () =>
  Object.fromEntries(
    (await rows('select submission_id as id, verdict from leads where workspace_id = $1')).map((row) => [
      row.id,
      row.verdict,
    ]),
  );
const leads = async () =>
  (await rows('select submission_id as id from leads where workspace_id = $1')).length;

/** At different times, oldest first. */
async function fill(count: number, values: Record<string, unknown> = {}): Promise<string[]> {
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
async function fillMany(count: number): Promise<void> {
  await pool.query(
    `insert into leads (shard, workspace_id, submission_id, form_id, surface, received_at, body, fields, score, risk,
       grade, verdict, reasons, ruleset)
     select $1, $2, gen_random_uuid(), $2, 'server', timestamptz '2026-11-15T08:00:00Z' + n * interval '1 second',
       convert_to('{"n":' || n || '}', 'UTF8'), jsonb_build_object('n', n), 40, 0, 'B', 'clean', '[]', 'test'
     from generate_series(1, $3::int) as n`,
    [shardOf(workspaceId), workspaceId, count],
  );
}

test('leads that are chosen by ID are marked, each with its history, and only in this workspace', async () => {
  const ids = await fill(3);
  const foreign = await seed.lead(await createWorkspace(service), {});
  const { status, json } = await mark({ ids: [...ids.slice(1), foreign, randomUUID()], mark: 'spam' });
  expect([status, json]).toEqual([202, { id: expect.any(String) }]);
  expect(await ended(json.id)).toMatchObject({
    ...{ action: 'mark', mark: 'spam', state: 'finished', total: 4, done: 4, changed: 2 },
    created_by: 'operator',
  });
  expect(await verdicts()).toEqual({
    [ids[0] ?? '']: 'clean',
    [ids[1] ?? '']: 'spam',
    [ids[2] ?? '']: 'spam',
  });
  const { json: history } = await service.api('GET', `/workspaces/${workspaceId}/leads/${ids[1]}/marks`);
  expect(history.items).toEqual([{ mark: 'spam', at: expect.any(String), by: 'operator' }]);
  const [note] = await rows(`select submission_ids, data from enrichment_outbox
    where $1 = any (workspace_ids) and type = 'lead.marked'`);
  expect(note.data).toEqual({ mark: 'spam' });
  expect(note.submission_ids.split?.(',') ?? note.submission_ids).toHaveLength(2);
  const unmarked = await pool.query('select from lead_marks where submission_id = $1', [foreign]);
  expect(unmarked.rowCount).toBe(0);
});

test('all that match a filter are marked, although the mark changes whether they match', async () => {
  await fillMany(1_200);
  const spam = await fill(3, { verdict: 'spam' });
  const filter = { verdict: 'clean' };
  const { json: counted } = await service.api('GET', `/workspaces/${workspaceId}/leads/count?verdict=clean`);
  expect(counted).toMatchObject({ count: 1_200, is_exact: true });
  const { json } = await mark({ filter, expected_count: 1_200, mark: 'spam' });
  expect(await ended(json.id)).toMatchObject({
    state: 'finished',
    total: 1_200,
    done: 1_200,
    changed: 1_200,
  });
  expect(new Set(Object.values(await verdicts()))).toEqual(new Set(['spam']));
  const untouched = await pool.query('select from lead_marks where submission_id = any ($1)', [spam]);
  expect(untouched.rowCount).toBe(0);
  const released = await rows(`select from enrichment_outbox where $1 = any (workspace_ids)
    and type in ('lead.released', 'enrich')`);
  expect(released).toEqual([]);
});

test('a filter means the same as in the list: by text, fields and conditions', async () => {
  await fill(2, { fields: { country: 'DE' } });
  await fill(2, { fields: { country: 'FR' }, score: 80 });
  const where = JSON.stringify({ all: [{ field: 'score', op: 'gte', value: 50 }] });
  for (const filter of [{ where }, { 'field.country': 'FR' }, { q: 'fr' }]) {
    const query = new URLSearchParams(filter as Record<string, string>);
    const { json: counted } = await service.api('GET', `/workspaces/${workspaceId}/leads/count?${query}`);
    expect(counted).toMatchObject({ count: 2, is_exact: true });
    const { json } = await mark({ filter, expected_count: 2, mark: 'not_spam' });
    expect(await ended(json.id)).toMatchObject({ total: 2, done: 2 });
  }
  const marked = await rows('select from leads where workspace_id = $1 and scored_verdict is not null');
  expect(marked).toHaveLength(2);
});

test('a selection is refused if it is none, is not safe, or has become larger', async () => {
  await fill(3);
  const refused = async (body: object) => {
    const { status, json } = await mark({ mark: 'spam', ...body });
    return [status, json.code];
  };
  expect(await refused({})).toEqual([422, 'invalid_input']);
  expect(await refused({ ids: [] })).toEqual([422, 'invalid_input']);
  expect(await refused({ ids: Array(1_001).fill(randomUUID()) })).toEqual([422, 'invalid_input']);
  expect(await refused({ ids: ["'; drop table leads; --"] })).toEqual([422, 'invalid_input']);
  expect(await refused({ ids: [{ $ne: 1 }] })).toEqual([422, 'invalid_input']);
  expect(await refused({ ids: [randomUUID()], filter: {} })).toEqual([422, 'invalid_input']);
  expect(await refused({ filter: {} })).toEqual([422, 'invalid_input']);
  expect(await refused({ filter: { unknown: '1' }, expected_count: 3 })).toEqual([422, 'invalid_input']);
  expect(await refused({ filter: { from: 'yesterday' }, expected_count: 3 })).toEqual([422, 'invalid_input']);
  expect(await refused({ filter: {}, expected_count: 2 })).toEqual([409, 'selection_changed']);
  expect(new Set(Object.values(await verdicts()))).toEqual(new Set(['clean']));
  expect((await mark({ filter: {}, any_number: true, mark: 'spam' })).status).toBe(202);
});

test('the same request sent twice is one action, and an ID belongs to one action', async () => {
  const ids = await fill(2);
  const id = randomUUID();
  const twice = await Promise.all([mark({ id, ids, mark: 'spam' }), mark({ id, ids, mark: 'spam' }, other)]);
  expect(twice.map(({ json }) => json.id)).toEqual([id, id]);
  expect(await ended(id)).toMatchObject({ changed: 2 });
  expect((await mark({ id, ids, mark: 'spam' })).json).toEqual({ id });
  expect((await mark({ id, ids, mark: null })).json.code).toBe('action_conflict');
  expect((await erase({ id, ids })).json.code).toBe('action_conflict');
  expect(await leads()).toBe(2);
  expect((await service.api('GET', at())).json.items).toHaveLength(1);
  const { json: audit } = await service.api('GET', `/workspaces/${workspaceId}/audit`);
  const texts = audit.items.map(({ text }: { text: string }) => text);
  expect(texts.filter((text: string) => text.includes('leads'))).toEqual([
    'The operator marked 2 leads as spam',
  ]);
});

test('undoing gives each lead the mark it had before, except those that someone marked since, and once', async () => {
  const [fresh = '', marked = '', later = ''] = await fill(3);
  const single = (id: string, value: string | null) =>
    service.api('PUT', `/workspaces/${workspaceId}/leads/${id}/mark`, { mark: value });
  await single(marked, 'not_spam');
  const { json } = await mark({ ids: [fresh, marked, later], mark: 'spam' });
  expect(await ended(json.id)).toMatchObject({ changed: 3, undoable_until: expect.any(String) });
  await single(later, null);
  const undone = await undo(json.id);
  expect(undone.status).toBe(202);
  expect(await ended(undone.json.id)).toMatchObject({ action: 'undo', total: 3, done: 3, changed: 2 });
  expect((await undo(json.id)).json).toEqual(undone.json);
  expect((await read(json.id)).undoable_until).toBeNull();
  const now = await Promise.all(
    [fresh, marked, later].map(async (id) => {
      const lead = await service.api('GET', `/workspaces/${workspaceId}/leads/${id}`);
      return [lead.json.verdict, lead.json.mark?.mark ?? null];
    }),
  );
  expect(now).toEqual([
    ['clean', null],
    ['clean', 'not_spam'],
    ['clean', null],
  ]);
  expect((await undo(undone.json.id)).json.code).toBe('not_undoable');
  await pool.query(`update lead_actions set finished_at = now() - interval '25 hours' where undoes is null`);
  await pool.query('delete from lead_actions where undoes is not null');
  expect((await undo(json.id)).json.code).toBe('not_undoable');
});

test('erasing many deletes everything that erasing one deletes, and leaves others', async () => {
  const ids = await fill(3);
  await seed.enrichment(workspaceId, ids[0] ?? '', {});
  await service.api('PUT', `/workspaces/${workspaceId}/leads/${ids[0]}/mark`, { mark: 'spam' });
  const { json } = await erase({ ids: ids.slice(0, 2) });
  expect(await ended(json.id)).toMatchObject({
    action: 'erasure',
    done: 2,
    changed: 2,
    undoable_until: null,
  });
  expect(Object.keys(await verdicts())).toEqual(ids.slice(2));
  const left = await rows(`select (select count(*)::int from lead_marks where workspace_id = $1) as marks,
    (select count(*)::int from lead_enrichments where workspace_id = $1) as enrichments,
    (select count(*)::int from lead_erasures where workspace_id = $1 and body_hash is not null) as erasures,
    (select count(*)::int from enrichment_outbox where $1 = any (workspace_ids) and type = 'lead.erased') as notes,
    (select count(*)::int from lead_actions where workspace_id = $1 and selection is not null) as selections`);
  expect(left).toEqual([{ marks: 0, enrichments: 0, erasures: 2, notes: 2, selections: 0 }]);
  expect((await undo(json.id)).json.code).toBe('not_undoable');
});

test('an instance that is killed in the middle is followed by another, and nothing is done twice', async () => {
  await fillMany(1_300);
  const [one] = await rows(
    'select submission_id as id from leads where workspace_id = $1 order by received_at limit 1',
  );
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query('select from leads where submission_id = $1 for update', [one.id]);
  const { json } = await mark({ filter: {}, expected_count: 1_300, mark: 'spam' });
  // The transaction of the last step dies, as with its instance.
  await eventually(
    () => endLockWaiters(service.databaseUrl, { query: '%from leads%for no key update%' }),
    (count) => count > 0,
  );
  expect(await read(json.id)).toMatchObject({ state: 'running', done: 1_000, changed: 1_000 });
  await holder.query('rollback');
  holder.release();
  expect(await ended(json.id)).toMatchObject({ state: 'finished', done: 1_300, changed: 1_300 });
  const [marks] = await rows(
    'select count(*)::int as count, max(number) as most from lead_marks where workspace_id = $1',
  );
  expect(marks).toEqual({ count: 1_300, most: 1 });
});

test('erasing and marking the same leads at a time leaves no lead and no mark', async () => {
  await fillMany(700);
  const everything = { filter: {}, any_number: true };
  const [marking, erasure] = await Promise.all([mark({ ...everything, mark: 'spam' }), erase(everything)]);
  await ended(marking.json.id);
  expect(await ended(erasure.json.id)).toMatchObject({ state: 'finished' });
  expect(await leads()).toBe(0);
  expect(await rows('select from lead_marks where workspace_id = $1')).toEqual([]);
});

test('an action ends with the permission of whoever started it', async () => {
  await join(service, workspaceId, `${randomUUID()}@example.com`, 'owner');
  const owner = await join(service, workspaceId, `${randomUUID()}@example.com`, 'owner');
  const member = await join(service, workspaceId, `${randomUUID()}@example.com`, 'member');
  const idOf = async (who: Browser) => (await who.api('GET', '/me')).json.user.id;
  const memberAt = async (who: Browser) => `/workspaces/${workspaceId}/members/${await idOf(who)}`;
  const key = await createApiKey(service, workspaceId, ['leads:erase']);
  const withKey = { api: keyHolder(service, key.key) };
  const all = { filter: {}, any_number: true };
  /** The first step waits until the permission is lost. */
  const interrupted = async (
    start: () => Promise<{ json: { id: string } }>,
    lose: () => Promise<unknown>,
  ) => {
    await pool.query('delete from leads where workspace_id = $1', [workspaceId]);
    await fillMany(1_100);
    const holder = await pool.connect();
    await holder.query('begin');
    await holder.query('select from leads where workspace_id = $1 for update', [workspaceId]);
    const { json } = await start();
    await eventually(
      () => lockWaiters(service.databaseUrl, { query: '%from leads%for%update%' }),
      (count) => count > 0,
    );
    await lose();
    await holder.query('rollback');
    holder.release();
    const { state, stop_reason, done } = await ended(json.id);
    return { state, stop_reason, done };
  };
  const stopped = { state: 'stopped', stop_reason: 'permission', done: 500 };
  expect(
    await interrupted(
      () => mark({ ...all, mark: 'spam' }, member),
      async () => service.api('DELETE', await memberAt(member)),
    ),
  ).toEqual(stopped);
  expect(
    await interrupted(
      () => erase(all, owner),
      async () => service.api('PATCH', await memberAt(owner), { role: 'member' }),
    ),
  ).toEqual(stopped);
  expect(
    await interrupted(
      () => erase(all, withKey),
      () => service.api('DELETE', `/workspaces/${workspaceId}/api-keys/${key.id}`),
    ),
  ).toEqual(stopped);
});

test('members mark but do not erase, nor stop an erasure; a key needs the scope; others see nothing', async () => {
  const [id = ''] = await fill(1);
  const member = await join(service, workspaceId, `${randomUUID()}@example.com`, 'member');
  const outsider = await join(
    service,
    await createWorkspace(service),
    `${randomUUID()}@example.com`,
    'owner',
  );
  const marker = { api: keyHolder(service, (await createApiKey(service, workspaceId, ['leads:mark'])).key) };
  expect((await erase({ ids: [id] }, member)).status).toBe(403);
  expect((await erase({ ids: [id] }, marker)).json.code).toBe('scope_missing');
  expect((await mark({ ids: [id], mark: 'spam' }, outsider)).status).toBe(404);
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query('select from leads where submission_id = $1 for update', [id]);
  const { json } = await erase({ ids: [id] });
  for (const who of [member, marker])
    expect((await who.api('POST', at(`/${json.id}/stop`))).status).toBe(403);
  expect((await outsider.api('GET', at(`/${json.id}`))).status).toBe(404);
  await holder.query('rollback');
  holder.release();
  await ended(json.id);
  const { json: marking } = await mark({ ids: [id], mark: 'spam' }, marker);
  expect(await ended(marking.id)).toMatchObject({
    changed: 0,
    created_by: expect.stringContaining('API key'),
  });
});

test('an action that is stopped keeps what it has done, which can be undone', async () => {
  await fillMany(1_100);
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query('select from leads where workspace_id = $1 order by received_at limit 1 for update', [
    workspaceId,
  ]);
  const { json } = await mark({ filter: {}, any_number: true, mark: 'spam' });
  await eventually(
    () => read(json.id),
    ({ done }) => done === 1_000,
  );
  const stopping = service.api('POST', at(`/${json.id}/stop`));
  await holder.query('rollback');
  holder.release();
  expect((await stopping).status).toBe(204);
  const { changed } = await ended(json.id);
  const undone = await undo(json.id);
  expect(await ended(undone.json.id)).toMatchObject({ total: changed, changed });
  expect(new Set(Object.values(await verdicts()))).toEqual(new Set(['clean']));
});

test('a suspended workspace can mark and erase, and a form that is deleted meanwhile stops nothing', async () => {
  const form = await service.api('POST', `/workspaces/${workspaceId}/forms`, {
    name: 'Contact',
    slug: randomUUID(),
  });
  await fill(2, { form_id: form.json.id });
  await service.api('DELETE', `/workspaces/${workspaceId}/forms/${form.json.id}`);
  await service.api('PATCH', `/workspaces/${workspaceId}`, { status: 'suspended' });
  const { json } = await mark({ filter: {}, expected_count: 2, mark: 'not_spam' });
  expect(await ended(json.id)).toMatchObject({ state: 'finished', changed: 2 });
  const erasure = await erase({ filter: { form_id: form.json.id }, expected_count: 2 });
  expect(await ended(erasure.json.id)).toMatchObject({ state: 'finished', changed: 2 });
});

test('a workspace with much to do does not keep another one waiting', async () => {
  await fillMany(4_000);
  const { json: long } = await mark({ filter: {}, any_number: true, mark: 'spam' });
  const [busy, elsewhere] = [workspaceId, await createWorkspace(service)];
  workspaceId = elsewhere;
  const [id] = await fill(1);
  const { json: short } = await mark({ ids: [id], mark: 'spam' });
  await ended(short.id);
  workspaceId = busy;
  expect((await read(long.id)).state).toBe('running');
  expect(await ended(long.id)).toMatchObject({ changed: 4_000 });
});

test('chosen leads are exported by their IDs, newest first, and none of another workspace', async () => {
  const [oldest = '', , newest = ''] = await fill(3);
  const foreign = await seed.lead(await createWorkspace(service), {});
  const ids = [oldest, newest, foreign];
  const { text } = await service.api('POST', `/workspaces/${workspaceId}/leads/export`, {
    ids,
    format: 'ndjson',
  });
  const exported = text
    .trim()
    .split('\n')
    .map((line: string) => JSON.parse(line).submission_id);
  expect(exported).toEqual([newest, oldest]);
  const csv = await service.api('POST', `/workspaces/${workspaceId}/leads/export`, { ids });
  expect(csv.text.trim().split('\r\n')).toHaveLength(3);
});

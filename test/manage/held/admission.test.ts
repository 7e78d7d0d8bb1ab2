import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hashKey } from '../../../src/domain/lead/idempotency.ts';
import { shardOf } from '../../../src/domain/workspace.ts';
import { openTestPool } from '../../support/database/database.ts';
import { eventually } from '../../support/diagnostics.ts';
import { type HeldRow, heldUsage, holdRow } from '../../support/held-rows.ts';
import { createSender, post, type Sender, submissionIdOf } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createDestination } from '../destinations/some-deliveries.ts';

let service: TestService;
let other: TestService;
let pool: pg.Pool;
let sender: Sender;

beforeAll(async () => {
  service = await startTestService();
  other = await startTestService({ databaseUrl: service.databaseUrl });
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

const at = (id = '') => `/workspaces/${sender.workspaceId}/held/${id}`;
const hold = (body: string, row: Partial<HeldRow> = {}) => holdRow(pool, sender, { ...row, body });
const admit = (id: string, body?: object, instance = service) =>
  instance.api('POST', `${at(id)}/admission`, body);
const query = async (text: string) => (await pool.query(text, [sender.workspaceId])).rows;
const leads = () => query('select * from leads where workspace_id = $1');
const heldRow = async (id: string) =>
  (await pool.query('select * from held_submissions where id = $1', [id])).rows[0];

async function expectRefused(id: string, code: string, body?: object) {
  const { status, json } = await admit(id, body);
  expect([status, json.code]).toEqual([409, code]);
  return json;
}

test('an admitted request is the lead that it would have been, with the time, surface and token of its arrival', async () => {
  const receivedAt = new Date(Date.now() - 3_600_000);
  const body = '{"email": "ada@example.com",  "n": 1}';
  const id = await hold(body, { receivedAt, reason: 'rate_limited_day' });
  const { status, json } = await admit(id);
  expect(status).toBe(201);
  const [lead, ...others] = await leads();
  expect(others).toEqual([]);
  expect(lead).toMatchObject({
    submission_id: json.submission_id,
    form_id: sender.formId,
    token_id: sender.tokenId,
    surface: 'server',
    received_at: receivedAt,
    fields: { email: 'ada@example.com', n: 1 },
  });
  expect(lead.body.toString()).toBe(body);
  expect(await query('select * from lead_recoveries where workspace_id = $1')).toMatchObject([
    { submission_id: json.submission_id, held_id: id, reason: 'rate_limited_day', admitted_by: 'operator' },
  ]);
  expect(await heldRow(id)).toMatchObject({
    state: 'admitted',
    sealed: null,
    submission_id: json.submission_id,
    decided_by: 'operator',
  });
  expect(await heldUsage(pool, sender)).toMatchObject({ booked: { rows: 0, bytes: 0 } });
});

test('twenty calls on two instances make one lead, and all get its submission ID', async () => {
  const id = await hold('{"n":2}');
  const calls = Array.from({ length: 20 }, (_, n) => admit(id, undefined, n % 2 === 0 ? service : other));
  const answers = await Promise.all(calls);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(answers.map(({ json }) => json.submission_id)).size).toBe(1);
  expect(await leads()).toHaveLength(1);
  const types = () => query('select type from lead_events where workspace_id = $1 order by id');
  expect(await eventually(types, (events) => events.length === 3)).toEqual([
    { type: 'lead.accepted' },
    { type: 'lead.released' },
    { type: 'lead.enriched' },
  ]);
});

test('it is scored with the settings that the form has now', async () => {
  const id = await hold('{"email":"ada@example.com","message":"We sell llamas to companies"}');
  const path = `/workspaces/${sender.workspaceId}/forms/${sender.formId}/scoring`;
  const saved = await service.api('PUT', path, { settings: { block: { emails: ['ada@example.com'] } } });
  expect(saved.status).toBe(200);
  await admit(id);
  expect(await leads()).toMatchObject([{ verdict: 'spam' }]);
});

test('the limits of a surface do not count admissions', async () => {
  await admit(await hold('{"n":3}'));
  expect(await query('select * from rate_windows where workspace_id = $1')).toEqual([]);
});

test('a request whose idempotency key belongs to another lead is refused, even if equal leads are wanted', async () => {
  const accepted = submissionIdOf(await post(service, sender, 'server', '{"n":4}', { key: 'k' }));
  const id = await hold('{"n":"other"}', { keyHash: hashKey('k') });
  const { detail } = await expectRefused(id, 'twin', { exclude_twins: false });
  expect(detail).toContain(accepted);
  expect((await service.api('GET', at(id))).json.twin_of).toBe(accepted);
  expect(await leads()).toHaveLength(1);
});

test('a request with a formal fault is admitted without its key', async () => {
  await admit(
    await hold('{"n":6}', { keyHash: hashKey('b'), class: 'B', reason: 'content_type_unsupported' }),
  );
  expect(await query('select * from idempotency_keys where workspace_id = $1')).toEqual([]);
});

test('an equal lead that came from an hour before to a week after is a twin, and no other lead is', async () => {
  const now = Date.now();
  const days = 86_400_000;
  const accepted = submissionIdOf(await post(service, sender, 'server', '{"n":7}'));
  const place = (ms: number) =>
    pool.query('update leads set received_at = $2 where submission_id = $1', [accepted, new Date(now + ms)]);
  const id = await hold('{"n":7}', { receivedAt: new Date(now - 8 * days), expiresAt: new Date(now + days) });
  for (const ms of [-8 * days - 3_599_000, -8 * days, -days - 1_000]) {
    await place(ms);
    expect((await expectRefused(id, 'twin')).detail).toContain(accepted);
  }
  await place(-8 * days - 3_601_000);
  expect((await admit(await hold('{"n":8}'))).status).toBe(201);
  expect((await admit(id)).status).toBe(201);
});

test('an equal lead is found among thousands of the same length, but not in another form', async () => {
  const lead = (n: number) => `{"n":${100_000 + n}}`;
  await pool.query(
    `insert into leads (shard, workspace_id, submission_id, form_id, surface, received_at, body, fields, score, risk, grade,
       verdict, reasons, ruleset)
     select $1::smallint, $2, gen_random_uuid(), $3, 'server', now(), convert_to('{"n":' || 100000 + n || '}', 'UTF8'),
       '{}', 0, 0, 'E', 'clean', '[]', ''
     from generate_series(1, 5000) as n`,
    [shardOf(sender.workspaceId), sender.workspaceId, sender.formId],
  );
  await expectRefused(await hold(lead(4_321)), 'twin');
  expect((await admit(await hold(lead(5_001)))).status).toBe(201);
  const { json: form } = await service.api('POST', `/workspaces/${sender.workspaceId}/forms`, {
    name: 'Other',
  });
  expect((await admit(await hold(lead(7), { formId: form.id }))).status).toBe(201);
});

test('an equal lead can be wanted', async () => {
  await post(service, sender, 'server', '{"n":9}');
  const id = await hold('{"n":9}');
  const { items } = (await service.api('GET', at().slice(0, -1))).json;
  expect(items).toMatchObject([{ id, twin_of: (await leads())[0].submission_id }]);
  await expectRefused(id, 'twin');
  expect((await admit(id, { exclude_twins: false })).status).toBe(201);
  expect(await leads()).toHaveLength(2);
});

test('of two equal requests that are admitted at the same time, one becomes a lead', async () => {
  const ids = [await hold('{"n":10}'), await hold('{"n":10}')];
  const answers = await Promise.all(ids.map((id, n) => admit(id, undefined, n === 0 ? service : other)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
});

test('while the workspace is suspended, nothing is admitted', async () => {
  const id = await hold('{"n":11}');
  await service.api('PATCH', `/workspaces/${sender.workspaceId}`, { status: 'suspended', reason: 'Test' });
  await expectRefused(id, 'suspended');
  expect((await service.api('POST', `${at()}admissions`, {})).json.code).toBe('suspended');
  await service.api('PATCH', `/workspaces/${sender.workspaceId}`, { status: 'active' });
  expect((await admit(id)).status).toBe(201);
});

test('what is no lead, not proven, or of a deleted form cannot be admitted', async () => {
  await expectRefused(await hold('[1]', { class: 'C', reason: 'body_not_object' }), 'not_admissible');
  await expectRefused(await hold('{"n":12}', { class: 'D' }), 'not_admissible');
  await expectRefused(await hold('no JSON'), 'not_admissible');
  const { json: form } = await service.api('POST', `/workspaces/${sender.workspaceId}/forms`, {
    name: 'Gone',
  });
  await service.api('DELETE', `/workspaces/${sender.workspaceId}/forms/${form.id}`);
  await expectRefused(await hold('{"n":13}', { formId: form.id }), 'not_admissible');
});

test('a request that was encrypted with another key is refused as unreadable, and others are not affected', async () => {
  const id = await hold('{"n":14}', { encryptionKey: 'another-key-0123456789-0123456789-0123456789' });
  await expectRefused(id, 'unreadable');
  expect((await admit(await hold('{"n":15}'))).status).toBe(201);
});

test('a request of another workspace, an expired one and an unknown one do not exist', async () => {
  const id = await hold('{"n":16}');
  const expired = await hold('{"n":17}', { expiresAt: new Date(Date.now() - 1_000) });
  const stranger = await createSender(service);
  const foreign = `/workspaces/${stranger.workspaceId}/held/${id}`;
  expect((await service.api('POST', `${foreign}/admission`)).status).toBe(404);
  expect((await service.api('POST', `${foreign}/discard`)).status).toBe(404);
  expect((await admit(expired)).status).toBe(404);
  expect((await admit(randomUUID())).status).toBe(404);
  expect((await heldRow(id)).state).toBe('held');
});

test('a discarded request is gone for good, and gives back its room', async () => {
  const id = await hold('{"n":18}');
  expect((await service.api('POST', `${at(id)}/discard`)).status).toBe(204);
  expect(await heldRow(id)).toMatchObject({ state: 'discarded', sealed: null, decided_by: 'operator' });
  expect(await heldUsage(pool, sender)).toMatchObject({ booked: { rows: 0, bytes: 0 } });
  await expectRefused(id, 'decided');
  const again = await service.api('POST', `${at(id)}/discard`);
  expect([again.status, again.json.code]).toEqual([409, 'decided']);
});

test('a lead that was admitted and erased does not come back', async () => {
  const id = await hold('{"n":19}');
  const { json } = await admit(id);
  await service.api('DELETE', `/workspaces/${sender.workspaceId}/leads/${json.submission_id}`);
  await expectRefused(id, 'decided');
  expect(await leads()).toEqual([]);
});

test('destinations are told of it unless told otherwise, and the feed has the events either way', async () => {
  await createDestination(service, sender.workspaceId, {
    events: ['lead.accepted', 'lead.released', 'lead.enriched'],
  });
  const silent = (await admit(await hold('{"email":"ada@example.com","n":20}'), { deliver: false })).json
    .submission_id;
  const told = (await admit(await hold('{"email":"ada@example.com","n":21}'))).json.submission_id;
  const enriched = () =>
    query(`select * from lead_events where workspace_id = $1 and type = 'lead.enriched'`);
  await eventually(enriched, (events) => events.length === 2);
  const events = await query(
    'select type, submission_id from lead_events where workspace_id = $1 order by id',
  );
  expect(events.filter(({ submission_id }) => submission_id === silent)).toHaveLength(3);
  const deliveries = await query('select submission_id from deliveries where workspace_id = $1');
  expect(deliveries.map(({ submission_id }) => submission_id)).toEqual([told, told, told]);
});

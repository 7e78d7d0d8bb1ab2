import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SecretBox } from '../../../src/domain/secrets/secret-box.ts';
import { shardOf } from '../../../src/domain/workspace.ts';
import { dayMs, minuteMs } from '../../../src/time/clock.ts';
import { openTestPool } from '../../support/database/database.ts';
import { holdRow } from '../../support/held-rows.ts';
import { createSender, type Sender, someLead } from '../../support/sender.ts';
import { allItems, encryptionKey, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let pool: pg.Pool;
let sender: Sender;

beforeAll(async () => {
  service = await startTestService();
  pool = openTestPool(service.databaseUrl);
});
beforeEach(async () => {
  sender = await createSender(service);
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});

const list = (query = '') => service.api('GET', `/workspaces/${sender.workspaceId}/held${query}`);
const read = (id: string) => service.api('GET', `/workspaces/${sender.workspaceId}/held/${id}`);
const idsOf = async (query: string) => (await list(query)).json.items.map((item: { id: string }) => item.id);

test('a held submission is listed with what is known of it, and read with its body', async () => {
  const id = await holdRow(pool, sender);
  const { json } = await list();
  const item = {
    id,
    reason: 'rate_limited_minute',
    class: 'A',
    surface: 'server',
    form_id: sender.formId,
    token_id: sender.tokenId,
    body_bytes: someLead.length,
    state: 'held',
    twin_of: null,
    is_readable: true,
    is_admissible: true,
    has_key: false,
    decided_by: null,
  };
  expect(json).toMatchObject({ items: [item], next_cursor: null });
  const whole = (await read(id)).json;
  expect(whole).toMatchObject({ ...item, body: someLead, headers: { content_type: 'application/json' } });
  expect(Buffer.from(whole.body_base64, 'base64').toString()).toBe(someLead);
});

test('the list is paged newest first, without gaps and without repetitions', async () => {
  const start = Date.now();
  const ids: string[] = [];
  // Two of each time: the order continues within it.
  for (let i = 0; i < 7; i++)
    ids.push(await holdRow(pool, sender, { receivedAt: new Date(start - Math.floor(i / 2) * minuteMs) }));
  const listed = await allItems(service, `/workspaces/${sender.workspaceId}/held?limit=2`);
  expect(listed.map(({ id }: { id: string }) => id).toSorted()).toEqual(ids.toSorted());
  const times = listed.map(({ received_at }: { received_at: string }) => received_at);
  expect(times).toEqual(times.toSorted().toReversed());
});

test('each filter selects exactly its rows, and a cursor belongs to its filters', async () => {
  const other = await service.api('POST', `/workspaces/${sender.workspaceId}/forms`, { name: 'Other' });
  const early = new Date(Date.now() - dayMs);
  const limited = await holdRow(pool, sender, { receivedAt: early });
  const formal = await holdRow(pool, sender, { reason: 'content_type_unsupported', class: 'B' });
  const elsewhere = await holdRow(pool, sender, { formId: other.json.id });
  const gone = await holdRow(pool, sender, { state: 'discarded' });
  expect(await idsOf('?reason=content_type_unsupported')).toEqual([formal]);
  expect(await idsOf('?class=B')).toEqual([formal]);
  expect(await idsOf(`?form_id=${other.json.id}`)).toEqual([elsewhere]);
  expect(await idsOf('?state=discarded')).toEqual([gone]);
  expect(await idsOf(`?to=${new Date(early.getTime() + 1).toISOString()}`)).toEqual([limited]);
  expect(await idsOf(`?from=${early.toISOString()}`)).toHaveLength(3);
  const { next_cursor } = (await list('?limit=1')).json;
  expect((await list(`?limit=1&class=A&cursor=${next_cursor}`)).json.code).toBe('invalid_cursor');
  expect((await list('?reason=unheard_of')).status).toBe(422);
});

test('what is past its time is gone before it is deleted', async () => {
  const id = await holdRow(pool, sender, { expiresAt: new Date(Date.now() - 1) });
  expect((await list()).json.items).toEqual([]);
  expect((await read(id)).status).toBe(404);
});

test('what was encrypted with another key is shown as unreadable, never an error', async () => {
  const id = await holdRow(pool, sender, { encryptionKey: 'another-encryption-key-0123456789' });
  await holdRow(pool, sender);
  const { status, json } = await list();
  expect(status).toBe(200);
  const item = json.items.find((one: { id: string }) => one.id === id);
  expect(item).toMatchObject({ is_readable: false, is_admissible: false });
  const whole = await read(id);
  expect(whole.json).toMatchObject({ is_readable: false, headers: null, body: null, body_base64: null });
});

test('what was moved to another row cannot be read there', async () => {
  const [id, other] = [await holdRow(pool, sender), await holdRow(pool, sender)];
  await pool.query(
    `update held_submissions h set sealed = o.sealed from held_submissions o
      where h.shard = $3 and o.shard = h.shard and h.id = $1 and o.id = $2`,
    [id, other, shardOf(sender.workspaceId)],
  );
  expect((await read(id)).json).toMatchObject({ is_readable: false, is_admissible: false, body: null });
});

test('a request of version 0.1.0 is read like any other', async () => {
  const id = await holdRow(pool, sender, { class: 'D', reason: 'signature_mismatch', surface: 'webhook' });
  const head = { timestamp: '1', signature: 'sha256=00', contentType: null, bodyBytes: 2, hasBody: true };
  const sealed = new SecretBox(encryptionKey).seal(
    Buffer.from(`${JSON.stringify(head)}\n{}`),
    `rejection ${id}`,
  );
  await pool.query('update held_submissions set sealed = $1, body_bytes = 0 where id = $2', [sealed, id]);
  expect((await read(id)).json).toMatchObject({
    body: '{}',
    body_bytes: 2,
    headers: { timestamp: '1', signature: 'sha256=00' },
    is_admissible: false,
  });
});

test('a body that is no text is shown as well as possible, and copied byte by byte', async () => {
  const body = Buffer.from([0x7b, 0xff, 0x00, 0x7d]);
  const id = await holdRow(pool, sender, { body, class: 'C', reason: 'body_not_json' });
  const { json } = await read(id);
  expect(Buffer.from(json.body_base64, 'base64')).toEqual(body);
  expect(json).toMatchObject({ body: '{\ufffd\0}', is_admissible: false });
});

test('a decided one keeps its row without its content', async () => {
  const id = await holdRow(pool, sender, { state: 'discarded' });
  expect((await read(id)).json).toMatchObject({
    state: 'discarded',
    decided_by: 'ada@example.com',
    body: null,
    headers: null,
    is_admissible: false,
  });
});

test('another workspace sees nothing of it, and an unknown one is not found', async () => {
  const id = await holdRow(pool, sender);
  const other = await createSender(service);
  const at = `/workspaces/${other.workspaceId}/held`;
  expect((await service.api('GET', at)).json.items).toEqual([]);
  expect((await service.api('GET', `${at}/${id}`)).status).toBe(404);
  expect((await read(randomUUID())).status).toBe(404);
});

test('each list and each read is in the audit log once', async () => {
  const id = await holdRow(pool, sender);
  await holdRow(pool, sender);
  await list();
  await read(id);
  const { json } = await service.api('GET', `/workspaces/${sender.workspaceId}/audit`);
  const actions = json.items.map(({ action }: { action: string }) => action);
  expect(actions.filter((action: string) => action === 'listHeldSubmissions')).toHaveLength(1);
  expect(actions.filter((action: string) => action === 'readAHeldSubmission')).toHaveLength(1);
});

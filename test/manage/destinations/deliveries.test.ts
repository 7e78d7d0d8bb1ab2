import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { responseHeadOwner } from '../../../src/domain/destination/secrets.ts';
import { SecretBox } from '../../../src/domain/secrets/secret-box.ts';
import { shardOf } from '../../../src/domain/workspace.ts';
import { join } from '../../support/browser/browser.ts';
import { allItems, encryptionKey, startTestService, type TestService } from '../../support/service.ts';
import { createForm, createWorkspace, Seed } from '../leads/seed.ts';
import { addDelivery, createDestination, someUrl } from './some-deliveries.ts';

let service: TestService;
let seed: Seed;
let workspaceId: string;
let path: string;
let destinationId: string;

beforeAll(async () => {
  // Nothing sends what the tests add.
  service = await startTestService({ env: { ROLE: 'manage' } });
  seed = new Seed(service);
});
beforeEach(async () => {
  workspaceId = await createWorkspace(service);
  path = `/workspaces/${workspaceId}/deliveries`;
  destinationId = (await createDestination(service, workspaceId)).id;
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);

async function addAttempt(deliveryId: string, n: number, values: Record<string, unknown> = {}) {
  const row = {
    shard: shardOf(workspaceId),
    workspace_id: workspaceId,
    delivery_id: deliveryId,
    n,
    at: `2026-11-15T08:00:0${n}Z`,
    ms: 10 * n,
    ...values,
  };
  const places = Object.keys(row).map((_, i) => `$${i + 1}`);
  await seed.query(
    `insert into delivery_attempts (${Object.keys(row)}) values (${places})`,
    Object.values(row),
  );
}

test('deliveries are listed newest first, over pages', async () => {
  const ids: string[] = [];
  for (let second = 0; second < 5; second++) {
    const created_at = `2026-11-15T08:00:0${second}Z`;
    ids.unshift(await addDelivery(seed, workspaceId, destinationId, { created_at }));
  }
  expect(idsOf(await allItems(service, `${path}?limit=2`))).toEqual(ids);
  expect(idsOf(await allItems(service, `${path}?limit=2&destination_id=${destinationId}`))).toEqual(ids);
  expect(idsOf(await allItems(service, `${path}?limit=2&state=pending`))).toEqual(ids);
});

test('a delivery shows its event, its last response and its next attempt', async () => {
  const submission_id = randomUUID();
  const values = { submission_id, attempts: 2, last_status: 503, last_error: 'It failed.', last_ms: 12 };
  const id = await addDelivery(seed, workspaceId, destinationId, values);
  const { items } = (await service.api('GET', path)).json;
  expect(items).toEqual([
    {
      id,
      destination_id: destinationId,
      destination_name: 'CRM',
      submission_id,
      event: 'lead.accepted',
      event_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      event_at: '2026-11-15T08:00:00.000Z',
      state: 'pending',
      attempts: 2,
      next_attempt_at: '2026-11-15T08:00:00.000Z',
      last_status: 503,
      last_error: 'It failed.',
      last_ms: 12,
      created_at: '2026-11-15T08:00:00.000Z',
      delivered_at: null,
      replay_of: null,
    },
  ]);
});

test('each filter narrows the list, and all of them together do', async () => {
  const other = (await createDestination(service, workspaceId)).id;
  const submission_id = randomUUID();
  const add = (to: string, hour: number, values: object = {}) =>
    addDelivery(seed, workspaceId, to, { created_at: `2026-11-15T0${hour}:00:00Z`, ...values });
  const a = await add(destinationId, 1, { state: 'delivered', submission_id });
  const b = await add(destinationId, 2, { state: 'dead', submission_id });
  const c = await add(destinationId, 3, { state: 'skipped' });
  const d = await add(other, 4, { state: 'dead', submission_id });
  const list = async (query: string) => idsOf((await service.api('GET', `${path}?${query}`)).json.items);
  expect(await list(`destination_id=${destinationId}`)).toEqual([c, b, a]);
  expect(await list('state=dead')).toEqual([d, b]);
  expect(await list('state=delivered')).toEqual([a]);
  expect(await list(`submission_id=${submission_id}`)).toEqual([d, b, a]);
  expect(await list('from=2026-11-15T02:00:00Z')).toEqual([d, c, b]);
  expect(await list('to=2026-11-15T02:00:00Z')).toEqual([a]);
  expect(await list('from=2026-11-15T02:00:00Z&to=2026-11-15T04:00:00Z&state=dead')).toEqual([b]);
  const all = `destination_id=${destinationId}&state=dead&submission_id=${submission_id}`;
  expect(await list(`${all}&from=2026-11-15T02:00:00Z&to=2026-11-15T02:00:00.001Z`)).toEqual([b]);
});

test('a cursor works only with the filters that it was given for', async () => {
  for (let n = 0; n < 3; n++) await addDelivery(seed, workspaceId, destinationId, { state: 'dead' });
  const { next_cursor } = (await service.api('GET', `${path}?state=dead&limit=1`)).json;
  expect((await service.api('GET', `${path}?state=dead&cursor=${next_cursor}`)).json.items).toHaveLength(2);
  const other = await service.api('GET', `${path}?cursor=${next_cursor}`);
  expect([other.status, other.json.code]).toEqual([422, 'invalid_cursor']);
});

test.each(['state=lost', 'destination_id=1', 'from=yesterday', 'limit=0', 'destination=1'])(
  'a list with %s is refused',
  async (query) => {
    expect((await service.api('GET', `${path}?${query}`)).status).toBe(422);
  },
);

test('the deliveries of a lead are listed with it, and not those of others', async () => {
  const lead = await seed.lead(workspaceId, {});
  const id = await addDelivery(seed, workspaceId, destinationId, { submission_id: lead });
  await addDelivery(seed, workspaceId, destinationId);
  const list = (ofWorkspace: string, ofLead: string) =>
    service.api('GET', `/workspaces/${ofWorkspace}/leads/${ofLead}/deliveries`);
  expect(idsOf((await list(workspaceId, lead)).json.items)).toEqual([id]);
  expect((await list(workspaceId, randomUUID())).status).toBe(404);
  expect((await list(await createWorkspace(service), lead)).status).toBe(404);
});

test('the deliveries of another workspace are not there', async () => {
  const lead = await seed.lead(workspaceId, {});
  const id = await addDelivery(seed, workspaceId, destinationId, { submission_id: lead, state: 'dead' });
  const other = `/workspaces/${await createWorkspace(service)}/deliveries`;
  expect((await service.api('GET', `${other}?destination_id=${destinationId}`)).json.items).toEqual([]);
  expect((await service.api('GET', `${other}/${id}`)).status).toBe(404);
  expect((await service.api('POST', `${other}/${id}/replay`)).status).toBe(404);
});

test('a member sees deliveries, but neither what was sent nor what was responded', async () => {
  const id = await addDelivery(seed, workspaceId, destinationId);
  const member = await join(service, workspaceId, `${randomUUID()}@example.com`, 'member');
  expect((await member.api('GET', path)).json.items).toHaveLength(1);
  expect((await member.api('GET', `${path}/${id}`)).status).toBe(403);
  expect((await member.api('POST', `${path}/${id}/replay`)).status).toBe(403);
  expect((await member.api('POST', `${path}/replays`, { filter: {} })).status).toBe(403);
});

test('a delivery has its attempts with the beginning of each response, decrypted', async () => {
  const box = new SecretBox(encryptionKey);
  const id = await addDelivery(seed, workspaceId, destinationId, { state: 'delivered', attempts: 3 });
  const head = box.seal('server: nginx\n\nBad\u0007 gateway', responseHeadOwner(id));
  await addAttempt(id, 1, { status: 502, error: 'The receiver failed: 502', response_head: head });
  await addAttempt(id, 2, { error: 'The host refused the connection.' });
  const foreign = box.seal('of another delivery', responseHeadOwner(randomUUID()));
  await addAttempt(id, 3, { status: 200, response_head: foreign });
  const { json } = await service.api('GET', `${path}/${id}`);
  expect(json.tries).toEqual([
    {
      n: 1,
      at: '2026-11-15T08:00:01.000Z',
      took_ms: 10,
      status: 502,
      error: 'The receiver failed: 502',
      response_head: 'server: nginx\n\nBad� gateway',
    },
    expect.objectContaining({
      n: 2,
      status: null,
      error: 'The host refused the connection.',
      response_head: null,
    }),
    expect.objectContaining({ n: 3, status: 200, response_head: null }),
  ]);
});

test('a delivery shows the request as it would be made now, with the numbers of the lead unchanged', async () => {
  const form = await createForm(service, workspaceId);
  const lead = await seed.lead(workspaceId, { form_id: form.id });
  await seed.query(
    `update leads set fields = '{"id": 1234567890123456789, "name": "Ada"}' where submission_id = $1`,
    [lead],
  );
  const id = await addDelivery(seed, workspaceId, destinationId, { submission_id: lead, state: 'delivered' });
  const { json } = await service.api('GET', `${path}/${id}`);
  expect(json.request).toEqual({
    url: someUrl,
    headers: { 'content-type': 'application/json', 'webhook-id': `msg_${json.event_id}` },
    body: expect.stringContaining('"fields":{"id":1234567890123456789,"name":"Ada"}'),
  });
  expect(JSON.parse(json.request.body)).toMatchObject({
    type: 'lead.accepted',
    timestamp: '2026-11-15T08:00:00.000Z',
    data: { submission_id: lead, form: { id: form.id, name: 'Contact' }, test: false },
  });
  await service.api('PATCH', `/workspaces/${workspaceId}/destinations/${destinationId}`, { format: 'thin' });
  const thin = JSON.parse((await service.api('GET', `${path}/${id}`)).json.request.body);
  expect(thin.data).not.toHaveProperty('fields');
});

test('nothing can be made again of an erased lead, or for a deleted destination', async () => {
  const lead = await seed.lead(workspaceId, {});
  const read = async (id: string) => (await service.api('GET', `${path}/${id}`)).json.request;
  const id = await addDelivery(seed, workspaceId, destinationId, { submission_id: lead, state: 'delivered' });
  const erased = { submission_id: lead, event_type: 'lead.erased' };
  const ofErasure = await addDelivery(seed, workspaceId, destinationId, erased);
  await service.api('DELETE', `/workspaces/${workspaceId}/leads/${lead}`);
  expect(await read(id)).toBeNull();
  expect(JSON.parse((await read(ofErasure)).body)).toMatchObject({ data: { submission_id: lead } });
  await service.api('DELETE', `/workspaces/${workspaceId}/destinations/${destinationId}`);
  expect(await read(ofErasure)).toBeNull();
});

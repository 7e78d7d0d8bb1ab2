import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { HubspotStandIn, throttle } from '../../../deliver/kinds/hubspot-stand-in.ts';
import { join } from '../../../support/browser/browser.ts';
import { ManualClock } from '../../../support/clocks.ts';
import { startTestService, type TestService } from '../../../support/service.ts';
import { createWorkspace, Seed } from '../../leads/seed.ts';
import { createDestination } from '../some-deliveries.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
const hubspot = new HubspotStandIn();
let logged = '';
const log = pino(
  { level: 'trace' },
  new Writable({
    write(chunk, _, done) {
      logged += chunk;
      done();
    },
  }),
);
let service: TestService;
let seed: Seed;
let workspaceId: string;
let path: string;

beforeAll(async () => {
  await hubspot.start();
  // Only tests are sent.
  const env = { ROLE: 'manage', HUBSPOT_URL: hubspot.url, DELIVER_ALLOW: '127.0.0.1' };
  service = await startTestService({ clock, log, env });
  seed = new Seed(service);
});
beforeEach(async () => {
  hubspot.reset();
  workspaceId = await createWorkspace(service);
  path = `/workspaces/${workspaceId}/destinations`;
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
  await hubspot.stop();
});

const mapping = [{ from: 'email' }, { from: 'name', to: 'firstname' }];
const wanted = { name: 'CRM', kind: 'hubspot', token: hubspot.token, mapping };

const create = (more: object = {}) => service.api('POST', path, { ...wanted, ...more });
const created = async () => (await create()).json.id as string;
const change = (id: string, changes: object) => service.api('PATCH', `${path}/${id}`, changes);

async function rowOf(table: string, id: string) {
  const key = table === 'destinations' ? 'id' : 'destination_id';
  return (await seed.query(`select * from ${table} where ${key} = $1`, [id]))[0];
}

test('a new destination is saved once HubSpot accepts its token and knows its properties', async () => {
  const { status, json } = await create();
  expect(status).toBe(201);
  const { secret, ...shown } = json;
  expect(secret).toBeNull();
  expect(shown).toMatchObject({ kind: 'hubspot', mapping, per_second: 5, status: 'active' });
  expect(hubspot.reads).toEqual([hubspot.token]);
  expect((await service.api('GET', `${path}/${json.id}`)).json).toEqual(shown);
  expect(hubspot.upserts).toEqual([]);
});

test('nobody can read the token again: not in responses, in the audit log, in the log or in the database', async () => {
  const id = await created();
  const responses = [
    await create(),
    await service.api('GET', path),
    await service.api('GET', `${path}/${id}`),
    await change(id, { token: hubspot.token }),
    await service.api('POST', `${path}/${id}/test`),
    await service.api('POST', `${path}/hubspot/properties`, { token: hubspot.token }),
    await service.api('GET', `${path}/${id}/properties`),
    await create({ token: `${hubspot.token}x` }),
    await service.api('GET', `/workspaces/${workspaceId}/audit`),
  ];
  expect(responses.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200, 200, 200, 422, 200]);
  for (const { text } of responses) expect(text).not.toContain(hubspot.token);
  expect(logged).not.toContain(hubspot.token);
  expect(JSON.stringify(await rowOf('destinations', id))).not.toContain(hubspot.token);
});

test('each row of a mapping that HubSpot would refuse is named, and nothing is saved', async () => {
  const { status, json } = await create({
    mapping: [
      { from: 'name', to: 'First Name' },
      { from: 'email' },
      { from: 'a', to: 'createdate' },
      { from: 'b', to: 'lead_rank', as: 'number' },
      { from: 'c', to: 'score' },
    ],
  });
  expect(status).toBe(422);
  expect(json.errors.map(({ field }: { field: string }) => field)).toEqual([
    'mapping[0]',
    'mapping[2]',
    'mapping[3]',
    'mapping[4]',
  ]);
  expect(json.errors[0].message).toContain('firstname');
  const none = await create({ mapping: [{ from: 'name', to: 'firstname' }] });
  expect(none.json.errors).toEqual([{ field: 'mapping', message: expect.stringContaining('`email`') }]);
  expect((await service.api('GET', path)).json.items).toEqual([]);
});

test('a token that is wrong, or lacks the scope, is refused with what to do', async () => {
  const wrong = await create({ token: 'pat-wrong' });
  expect(wrong.json.errors).toEqual([
    { field: 'token', message: 'HubSpot does not accept the access token' },
  ]);
  hubspot.scopes.set(hubspot.token, ['crm.objects.contacts.write']);
  const { json } = await create();
  expect(json.errors).toEqual([
    { field: 'token', message: 'The access token lacks a scope: crm.schemas.contacts.read' },
  ]);
  expect((await create({ token: 'two words' })).json.errors[0].field).toBe('token');
  expect((await service.api('GET', path)).json.items).toEqual([]);
});

test.each<[string, HubspotStandIn['readBehaviour'], RegExp]>([
  ['closes the connection', (response) => response.destroy() !== null, /closed the connection/],
  ['fails', (response) => response.writeHead(502).end('oops') !== null, /502/],
  ['asks to wait', (response) => throttle(response), /try later/],
  ['redirects', (response) => response.writeHead(302, { location: '/' }).end() !== null, /302/],
  ['responds with a page', (response) => response.writeHead(200).end('<html>') !== null, /unexpected/],
  ['responds with other JSON', (response) => response.writeHead(200).end('{"a":1}') !== null, /unexpected/],
  ['is endless', (response) => response.writeHead(200).end(Buffer.alloc(5_000_000, 32)) !== null, /too long/],
])('while HubSpot %s nothing is saved, and the response says so', async (_, behaviour, text) => {
  hubspot.readBehaviour = behaviour;
  const { status, json } = await create();
  expect([status, json.code]).toEqual([503, 'unavailable']);
  expect(json.detail).toMatch(/HubSpot could not be asked.*Nothing was saved/);
  expect(json.detail).toMatch(text);
  expect((await service.api('GET', path)).json.items).toEqual([]);
});

test('odd properties of an account are left out or taken as text, and break nothing', async () => {
  hubspot.readBehaviour = (response) => {
    const results = [
      null,
      5,
      {},
      { name: 7 },
      { name: 'odd', label: 3, options: 'x', modificationMetadata: 1 },
    ];
    const email = { name: 'email', label: 'Email', type: 'string' };
    response
      .writeHead(200)
      .end(JSON.stringify({ results: [...results, email, { ...email, archived: true }] }));
    return true;
  };
  const { json } = await service.api('POST', `${path}/hubspot/properties`, { token: hubspot.token });
  expect(json.properties).toEqual([
    { name: 'email', label: 'Email', type: 'string' },
    { name: 'odd', label: 'odd', type: 'string' },
  ]);
});

test('a change of the mapping is checked with the stored token, one of the token with the stored mapping', async () => {
  const id = await created();
  expect((await change(id, { mapping: [{ from: 'email' }, { from: 'x', to: 'nope' }] })).json.errors).toEqual(
    [{ field: 'mapping[1]', message: 'Row 2: HubSpot has no contact property `nope`' }],
  );
  const changed = await change(id, { mapping: [{ from: 'mail', to: 'email' }] });
  expect(changed.json.mapping).toEqual([{ from: 'mail', to: 'email' }]);
  hubspot.scopes.set('pat-other', ['crm.schemas.contacts.read']);
  expect((await change(id, { token: 'pat-other' })).status).toBe(200);
  expect((await change(id, { token: 'pat-wrong' })).status).toBe(422);
  // The name has nothing to do with HubSpot.
  expect((await change(id, { name: 'Sales' })).status).toBe(200);
  expect(hubspot.reads).toEqual([hubspot.token, hubspot.token, hubspot.token, 'pat-other', 'pat-wrong']);
  hubspot.reads.length = 0;
  await service.api('GET', `${path}/${id}/properties`);
  expect(hubspot.reads).toEqual(['pat-other']);
});

test('a new token or mapping makes earlier failures not count, a new name does not', async () => {
  const id = await created();
  const failed = () =>
    seed.query(
      `update destination_health set consecutive_failures = 12, opened_at = now(), next_probe_at = now() + interval '1 day',
         last_error = 'no' where destination_id = $1`,
      [id],
    );
  const failures = async () => (await rowOf('destination_health', id)).consecutive_failures;
  await failed();
  await change(id, { name: 'Sales' });
  expect(await failures()).toBe(12);
  await change(id, { token: hubspot.token });
  expect(await failures()).toBe(0);
  await failed();
  await change(id, { mapping });
  expect(await failures()).toBe(0);
});

test('a test creates the contact of the sample, and shows what was sent', async () => {
  const id = await created();
  const { json } = await service.api('POST', `${path}/${id}/test`);
  expect(json).toMatchObject({ delivered: true, status: 200, error: null });
  expect(JSON.parse(json.request.body)).toEqual({ inputs: hubspot.upserts[0] });
  expect(json.request.headers).toEqual({ 'content-type': 'application/json' });
  expect(hubspot.contacts.get('ada@example.com')?.properties.firstname).toBe('Ada Lovelace');
  expect(json.response_head).toContain('COMPLETE');
  hubspot.scopes.set(hubspot.token, ['crm.schemas.contacts.read']);
  const refused = await service.api('POST', `${path}/${id}/test`);
  expect(refused.json).toMatchObject({
    delivered: false,
    status: 403,
    error: 'The access token lacks a scope: crm.objects.contacts.write.',
  });
});

test('a dry run shows contacts, and counts leads without an address', async () => {
  const id = await created();
  await seed.lead(workspaceId, { fields: { email: 'Bob@Example.com', name: 'Bob' } });
  await seed.lead(workspaceId, { fields: { name: 'Nobody' } });
  const { json } = await service.api('POST', `${path}/${id}/dry-run`, {});
  expect(json).toMatchObject({ matching: 2, skipped: 1 });
  expect(JSON.parse(json.examples[0].body)).toEqual({
    inputs: [{ id: 'bob@example.com', idProperty: 'email', properties: { firstname: 'Bob' } }],
  });
  const draft = await service.api('POST', `${path}/dry-run`, {
    kind: 'hubspot',
    mapping: [{ from: 'email' }],
  });
  expect(draft.json).toMatchObject({ matching: 2, skipped: 1 });
  expect(hubspot.upserts).toEqual([]);
});

test('the properties that a mapping can set are listed, the address first', async () => {
  const { json } = await service.api('POST', `${path}/hubspot/properties`, { token: hubspot.token });
  expect(json.properties[0]).toEqual({ name: 'email', label: 'Email', type: 'string' });
  const names = json.properties.map(({ name }: { name: string }) => name);
  expect(names).toContain('interests');
  expect(names).not.toContain('createdate');
  expect(names).not.toContain('lead_rank');
});

test('only owners of the workspace ask HubSpot with its tokens', async () => {
  const id = await created();
  const member = await join(service, workspaceId, `${randomUUID()}@example.com`, 'member');
  const ask = { token: hubspot.token };
  expect((await member.api('GET', `${path}/${id}/properties`)).status).toBe(403);
  expect((await member.api('POST', `${path}/hubspot/properties`, ask)).status).toBe(403);
  expect((await member.api('POST', path, wanted)).status).toBe(403);
  const elsewhere = `/workspaces/${await createWorkspace(service)}/destinations`;
  hubspot.reads.length = 0;
  expect((await service.api('GET', `${elsewhere}/${id}/properties`)).status).toBe(404);
  expect((await service.api('PATCH', `${elsewhere}/${id}`, { mapping })).status).toBe(404);
  expect((await service.api('POST', `${elsewhere}/${id}/test`)).status).toBe(404);
  const webhook = await createDestination(service, workspaceId);
  expect((await service.api('GET', `${path}/${webhook.id}/properties`)).json).toEqual({ properties: [] });
  expect(hubspot.reads).toEqual([]);
});

test('a workspace asks HubSpot ten times a minute at most, however it asks', async () => {
  const id = await created();
  for (let i = 0; i < 3; i++)
    await service.api('POST', `${path}/hubspot/properties`, { token: `guess-${i}` });
  for (let i = 0; i < 3; i++) await create({ token: `guess-${i}` });
  for (let i = 0; i < 3; i++) await change(id, { token: `guess-${i}` });
  const refused = [
    await service.api('POST', `${path}/hubspot/properties`, { token: hubspot.token }),
    await service.api('GET', `${path}/${id}/properties`),
    await create(),
    await change(id, { mapping }),
    await service.api('POST', `${path}/${id}/test`),
  ];
  expect(refused.map(({ status }) => status)).toEqual([429, 429, 429, 429, 429]);
  expect(hubspot.reads).toHaveLength(10);
  expect((await change(id, { name: 'Sales' })).status).toBe(200);
});

test('a destination has only the settings of its kind', async () => {
  const id = await created();
  for (const changes of [{ url: 'https://example.com' }, { per_second: 9 }, { link_only: true }]) {
    const { status, json } = await change(id, changes);
    expect([status, json.errors[0].field]).toEqual([422, Object.keys(changes)[0]]);
  }
  expect((await change(id, { events: ['lead.erased'] })).status).toBe(422);
  expect((await service.api('POST', `${path}/${id}/secret-rotation`, {})).status).toBe(422);
  const webhook = await createDestination(service, workspaceId);
  expect((await change(webhook.id, { token: 'x' })).status).toBe(422);
});

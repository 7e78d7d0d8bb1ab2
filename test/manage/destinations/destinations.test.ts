import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../support/clocks.ts';
import { allItems, startTestService, type TestService } from '../../support/service.ts';
import { callWithKey, createApiKey } from '../api-keys/key-holder.ts';
import { createForm, createWorkspace, Seed } from '../leads/seed.ts';
import { createDestination, newDestination, someUrl } from './some-deliveries.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;
let seed: Seed;
let workspaceId: string;
let path: string;

beforeAll(async () => {
  service = await startTestService({ clock });
  seed = new Seed(service);
});
beforeEach(async () => {
  workspaceId = await createWorkspace(service);
  path = `/workspaces/${workspaceId}/destinations`;
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

async function rowsOf(table: string, id: string) {
  const key = table === 'destinations' ? 'id' : 'destination_id';
  return (await seed.query(`select * from ${table} where ${key} = $1`, [id]))[0];
}

test('a new destination sends clean leads with their enrichment, to one URL', async () => {
  const { secret, ...created } = await createDestination(service, workspaceId);
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
  expect(created).toEqual({
    id: expect.any(String),
    name: 'CRM',
    kind: 'webhook',
    status: 'active',
    disabled_reason: null,
    url: someUrl,
    form_ids: null,
    events: ['lead.accepted', 'lead.released'],
    filter: { all: [{ field: 'verdict', op: 'eq', value: 'clean' }] },
    mapping: [],
    format: 'standard',
    headers: [],
    send_when: 'enriched',
    wait_max_s: 120,
    per_second: 50,
    previous_secret_valid_until: null,
    version: 1,
    created_at: '2026-11-15T08:00:00.000Z',
    created_by: 'operator',
    updated_at: '2026-11-15T08:00:00.000Z',
    updated_by: 'operator',
    last_day: { delivered: 0, waiting: 0, dead: 0, oldest_waiting_at: null, p95_ms: null },
    health: { consecutive_failures: 0, failing_since: null, next_probe_at: null, last_error: null },
  });
  expect((await service.api('GET', `${path}/${created.id}`)).json).toEqual(created);
  expect((await service.api('GET', path)).json).toEqual({ items: [created], next_cursor: null });
  expect(await rowsOf('destination_leases', created.id)).toBeDefined();
  expect(await rowsOf('destination_health', created.id)).toBeDefined();
});

test('a list has pages, newest first', async () => {
  const names = ['one', 'two', 'three'];
  for (const name of names) {
    clock.advance(1);
    await createDestination(service, workspaceId, { name });
  }
  const listed = await allItems(service, `${path}?limit=2`);
  expect(listed.map(({ name }) => name)).toEqual(names.toReversed());
});

test('a destination of another workspace is not there', async () => {
  const { id } = await createDestination(service, workspaceId);
  const other = `/workspaces/${await createWorkspace(service)}/destinations`;
  expect((await service.api('GET', other)).json.items).toEqual([]);
  const calls = [
    ['GET', ''],
    ['PATCH', '', { name: 'Mine' }],
    ['DELETE', ''],
    ['POST', '/test'],
    ['POST', '/pause'],
    ['POST', '/resume'],
    ['POST', '/secret-rotation', {}],
    ['POST', '/dry-run', {}],
  ] as const;
  for (const [method, end, body] of calls) {
    const { status, json } = await service.api(method, `${other}/${id}${end}`, body);
    expect([status, json.detail]).toEqual([404, 'There is no such destination.']);
  }
  expect(await rowsOf('destinations', id)).toMatchObject({ name: 'CRM', status: 'active', version: 1 });
});

test('forms are those of the workspace, each once', async () => {
  const form = await createForm(service, workspaceId);
  const foreign = await createForm(service, await createWorkspace(service));
  const twice = await createDestination(service, workspaceId, { form_ids: [form.id, form.id] });
  expect(twice.form_ids).toEqual([form.id]);
  const refused = await service.api('POST', path, { ...newDestination, form_ids: [form.id, foreign.id] });
  expect(refused.status).toBe(422);
  expect(refused.json.errors).toEqual([
    { field: 'form_ids[1]', message: 'does not exist in this workspace' },
  ]);
  const changed = await service.api('PATCH', `${path}/${twice.id}`, { form_ids: [foreign.id] });
  expect(changed.json.errors[0].field).toBe('form_ids[0]');
  expect((await service.api('PATCH', `${path}/${twice.id}`, { form_ids: null })).json.form_ids).toBeNull();
});

const wrong: [string, object, string, RegExp][] = [
  ['a name that is empty', { name: ' ' }, 'name', /empty/],
  ['another kind', { kind: 'pigeon' }, 'kind', /use one of webhook/],
  ['an unknown member', { uri: someUrl }, 'uri', /unknown field/],
  ['no events', { events: [] }, 'events', /at least 1/],
  ['an event that nobody subscribes to', { events: ['test'] }, 'events[0]', /use one of/],
  ['a mapping without rows', { format: 'mapped' }, 'mapping', /at least one row/],
  ['a row that is wrong', { mapping: [{ from: 'a' }, { from: '/x', to: 'x' }] }, 'mapping[1]', /^Row 2/],
  [
    'a condition that is wrong',
    {
      filter: {
        all: [
          { field: 'score', op: 'gte', value: 1 },
          { field: 'x', op: 'eq', value: 1 },
        ],
      },
    },
    'filter.all[1]',
    /^Condition 2/,
  ],
  ['both kinds of conditions', { filter: { all: [], any: [] } }, 'filter', /either `all` or `any`/],
  [
    'a regular expression',
    { filter: { all: [{ field: 'field.a', op: 'matches', value: '.*' }] } },
    'filter.all[0].op',
    /Condition 1/,
  ],
  [
    'a header of the service',
    { headers: { 'X-A': 'b', 'Webhook-Id': 'x' } },
    'headers.Webhook-Id',
    /^Header 2/,
  ],
  ['a header with a line break', { headers: { 'X-A': 'a\r\nHost: evil' } }, 'headers.X-A', /^Header 1/],
  [
    'too many headers',
    { headers: Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`X-${i}`, 'a'])) },
    'headers',
    /at most 10/,
  ],
  ['a short secret', { secret: 'whsec_c2hvcnQ=' }, 'secret', /24 to 64 bytes/],
  ['a secret without its prefix', { secret: 'A'.repeat(44) }, 'secret', /whsec_/],
  ['a rate that is too high', { per_second: 1e9 }, 'per_second', /at most/],
  ['a wait that is too long', { wait_max_s: 1e9 }, 'wait_max_s', /at most/],
];
test.each(wrong)('%s is refused, and the error names it', async (_, body, field, message) => {
  const { status, json } = await service.api('POST', path, { ...newDestination, ...body });
  expect(status, JSON.stringify(json)).toBe(422);
  expect(json.errors[0]).toEqual({ field, message: expect.stringMatching(message) });
  expect((await service.api('GET', path)).json.items).toEqual([]);
});

test('a change keeps what it leaves out, and counts as a version', async () => {
  const before = await createDestination(service, workspaceId, { headers: { 'X-Key': 'value' } });
  const { secret: _, ...shown } = before;
  clock.advance(1_000);
  const filter = { any: [{ field: 'grade', op: 'in', value: ['A', 'B'] }] };
  const changed = await service.api('PATCH', `${path}/${before.id}`, { filter, per_second: 0.5 });
  const updated_at = new Date(clock.now()).toISOString();
  expect(changed.json).toEqual({ ...shown, filter, per_second: 0.5, version: 2, updated_at });
  expect((await service.api('GET', `${path}/${before.id}`)).json).toEqual(changed.json);
});

test('the second of two owners who change the same version is told so', async () => {
  const { id } = await createDestination(service, workspaceId);
  const change = (name: string) => service.api('PATCH', `${path}/${id}`, { name, expected_version: 1 });
  const answers = await Promise.all([change('Ada'), change('Bob')]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.json).toMatchObject({
    code: 'version_conflict',
    detail: expect.stringContaining('version 2'),
  });
  const only = await service.api('PATCH', `${path}/${id}`, { expected_version: 2 });
  expect(only.json.errors[0].message).toContain('nothing to change');
});

test('headers are never sent to a host that they were not given for', async () => {
  const { id } = await createDestination(service, workspaceId, { headers: { 'X-Key': 'value' } });
  const patch = async (body: object) => (await service.api('PATCH', `${path}/${id}`, body)).json.headers;
  expect(await patch({ url: `${someUrl}/v2` })).toEqual(['X-Key']);
  expect(await patch({ url: 'https://93.184.215.15/leads' })).toEqual([]);
  expect((await rowsOf('destinations', id)).headers_ciphertext).toBeNull();
  expect(await patch({ headers: { 'X-New': 'a' }, url: someUrl })).toEqual(['X-New']);
  expect(await patch({ headers: {} })).toEqual([]);
});

test('a workspace can have 50 destinations, unless the operator adds more', async () => {
  const { id } = await createDestination(service, workspaceId);
  await seed.query(
    `insert into destinations (id, workspace_id, name, kind, status, events, filter, mapping, config, secret_ciphertext,
       send_when, wait_max_s, per_second, created_at, created_by, updated_at, updated_by)
     select gen_random_uuid(), workspace_id, name, kind, status, events, filter, mapping, config, secret_ciphertext,
       send_when, wait_max_s, per_second, created_at, created_by, updated_at, updated_by
     from destinations, generate_series(1, 49) where id = $1`,
    [id],
  );
  const { key } = await createApiKey(service, workspaceId, ['destinations:write', 'leads:read']);
  const refused = await callWithKey(service, key, 'POST', path, newDestination);
  expect([refused.status, refused.json.code]).toEqual([409, 'quota_reached']);
  expect((await service.api('POST', path, newDestination)).status).toBe(201);
});

test('what an API key creates has its name', async () => {
  const { key } = await createApiKey(service, workspaceId, ['destinations:write', 'leads:read']);
  const { status, json } = await callWithKey(service, key, 'POST', path, newDestination);
  expect([status, json.created_by]).toEqual([201, 'API key Zapier']);
});

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isWellFormedApiKey } from '../../../src/domain/api-key/api-key.ts';
import { scopes } from '../../../src/domain/api-key/scope.ts';
import { type Browser, join } from '../../support/browser/browser.ts';
import { ManualClock } from '../../support/clocks.ts';
import { eventually } from '../../support/diagnostics.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createForm, createWorkspace, Seed } from '../leads/seed.ts';
import { callWithKey, createApiKey } from './key-holder.ts';

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
  clock.advance(60_000);
  workspaceId = await createWorkspace(service, 'Engines');
  path = `/workspaces/${workspaceId}/api-keys`;
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const leadsWith = (key: string, at: Pick<TestService, 'url'> = service) =>
  callWithKey(at, key, 'GET', `/workspaces/${workspaceId}/leads`);
const listed = async () => (await service.api('GET', path)).json.items;
const owner = (): Promise<Browser> =>
  join(service, workspaceId, `${crypto.randomUUID()}@example.com`, 'owner');

test('a key is shown once and works from the moment of the response', async () => {
  const person = await owner();
  const me = (await person.api('GET', '/me')).json.user;
  const body = { name: 'Zapier', scopes: ['forms:read', 'leads:read', 'leads:read'] };
  const { status, json } = await person.api('POST', path, body);
  expect(status).toBe(201);
  const { key, ...rest } = json;
  expect(isWellFormedApiKey(key)).toBe(true);
  expect(rest).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: 'Zapier',
    scopes: ['leads:read', 'forms:read'],
    hint: `lgk_…${key.slice(-4)}`,
    status: 'active',
    created_at: new Date(clock.now()).toISOString(),
    created_by: { id: me.id, name: me.name, is_member: true },
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
  });
  expect((await leadsWith(key)).status).toBe(200);
  expect(JSON.stringify(await listed())).not.toContain(key);
});

test('the database holds only a hash of the key', async () => {
  const { id, key } = await createApiKey(service, workspaceId, ['leads:read']);
  const [row] = await seed.query('select k::text as text from api_keys k where id = $1', [id]);
  expect(row.text).not.toContain(key.slice(4, -4));
});

test('a revoked key is refused by all instances from the next call on, and stays in the list', async () => {
  const second = await startTestService({ clock, databaseUrl: service.databaseUrl });
  try {
    const { id, key } = await createApiKey(service, workspaceId, ['leads:read']);
    expect((await leadsWith(key, second)).status).toBe(200);
    expect((await service.api('DELETE', `${path}/${id}`)).status).toBe(204);
    const refused = await leadsWith(key, second);
    expect([refused.status, refused.json.detail]).toEqual([401, 'The API key was revoked.']);
    const revoked_at = new Date(clock.now()).toISOString();
    clock.advance(1000);
    expect((await service.api('DELETE', `${path}/${id}`)).status).toBe(204);
    expect(await listed()).toMatchObject([{ id, status: 'revoked', revoked_at }]);
  } finally {
    await second.stop();
  }
});

test('a key expires at its time', async () => {
  const expires_at = new Date(clock.now() + 60_000).toISOString();
  const { id, key } = await createApiKey(service, workspaceId, ['leads:read'], { expires_at });
  expect((await leadsWith(key)).status).toBe(200);
  clock.advance(60_000);
  const refused = await leadsWith(key);
  expect([refused.status, refused.json.detail]).toEqual([401, 'The API key has expired.']);
  expect(await listed()).toMatchObject([{ id, status: 'expired' }]);
});

test('the last use is known to the minute, and written at most once a minute', async () => {
  const { key } = await createApiKey(service, workspaceId, ['leads:read']);
  const lastUse = async () => (await listed())[0].last_used_at;
  const usedAt = new Date(clock.now()).toISOString();
  await leadsWith(key);
  expect(await lastUse()).toBe(usedAt);
  clock.advance(59_999);
  await leadsWith(key);
  expect(await lastUse()).toBe(usedAt);
  clock.advance(1);
  await leadsWith(key);
  expect(await lastUse()).toBe(new Date(clock.now()).toISOString());
});

test('a key outlives the person who created it, and the list says that they have left', async () => {
  const person = await owner();
  const me = (await person.api('GET', '/me')).json.user;
  const { json } = await person.api('POST', path, { name: 'Zapier', scopes: ['leads:read'] });
  await owner();
  await service.api('DELETE', `/workspaces/${workspaceId}/members/${me.id}`);
  expect((await leadsWith(json.key)).status).toBe(200);
  expect(await listed()).toMatchObject([{ created_by: { id: me.id, name: me.name, is_member: false } }]);
});

test('owners manage keys, members do not see them, and creating one asks for the password', async () => {
  const person = await owner();
  const member = await join(service, workspaceId, `${crypto.randomUUID()}@example.com`, 'member');
  const body = { name: 'Zapier', scopes: ['leads:read'] };
  for (const [method, at] of [
    ['GET', path],
    ['POST', path],
    ['DELETE', `${path}/${crypto.randomUUID()}`],
  ] as const)
    expect((await member.api(method, at, method === 'POST' ? body : undefined)).status).toBe(403);
  clock.advance(11 * 60_000);
  const asked = await person.api('POST', path, body);
  expect([asked.status, asked.json.code]).toEqual([403, 'password_needed']);
});

test.each([
  [{}, 'name', 'is required'],
  [{ name: 'Zapier' }, 'scopes', 'is required'],
  [{ name: 'Zapier', scopes: [] }, 'scopes', 'choose at least one'],
  [{ name: 'Zapier', scopes: ['leads:write'] }, 'scopes[0]', `use one of ${scopes.join(', ')}`],
  [
    { name: 'Zapier', scopes: ['leads:read'], expires_at: '2020-01-01T00:00:00Z' },
    'expires_at',
    'must be in the future',
  ],
])('the key %j is refused, and the response names the error', async (body, field, message) => {
  const { status, json } = await service.api('POST', path, body);
  expect(status).toBe(422);
  expect(json.errors).toContainEqual({ field, message });
});

test('what a key does is in the audit log with its id and name', async () => {
  clock.advance(1000);
  const { id, key } = await createApiKey(service, workspaceId, ['forms:write'], { name: 'Sync' });
  clock.advance(1000);
  const made = await callWithKey(service, key, 'POST', `/workspaces/${workspaceId}/forms`, {
    name: 'Contact',
    slug: `contact-${crypto.randomUUID()}`,
  });
  expect(made.status).toBe(201);
  const audit = async (query = '') =>
    (await service.api('GET', `/workspaces/${workspaceId}/audit${query}`)).json;
  const { items } = await audit();
  expect(items[0]).toMatchObject({
    actor: { kind: 'api_key', id, name: 'Sync' },
    text: 'API key Sync created form Contact',
  });
  expect((await audit(`?actor=${id}`)).items).toHaveLength(1);
  expect(items[1]).toMatchObject({
    text: 'The operator created API key Sync',
    subject: { kind: 'api_key', id, name: 'Sync' },
    changes: { name: 'Sync', scopes: ['forms:write'] },
  });
  await service.api('DELETE', `${path}/${id}`);
  expect((await audit('?action=keys')).items).toHaveLength(2);
  expect(JSON.stringify(await audit())).not.toContain(key);
});

test('a key that tries more than it may is in the audit log', async () => {
  const { id, key } = await createApiKey(service, workspaceId, ['forms:read'], { name: 'Sync' });
  expect((await leadsWith(key)).status).toBe(403);
  const refusals = async () =>
    (await service.api('GET', `/workspaces/${workspaceId}/audit?action=refused`)).json.items;
  const [entry] = await eventually(refusals, (items) => items.length > 0);
  expect(entry).toMatchObject({
    actor: { kind: 'api_key', id, name: 'Sync' },
    text: 'API key Sync tried to list leads and was refused',
  });
});

test('a key makes 600 calls a minute, further ones are told how long to wait, and other keys are not affected', async () => {
  clock.advance(60_000 - (clock.now() % 60_000) + 15_000);
  const busy = await createApiKey(service, workspaceId, ['leads:read']);
  const quiet = await createApiKey(service, workspaceId, ['leads:read']);
  const workspace = (key: string) => callWithKey(service, key, 'GET', `/workspaces/${workspaceId}`);
  for (let i = 0; i < 20; i++) {
    const answers = await Promise.all(Array.from({ length: 30 }, () => workspace(busy.key)));
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
  }
  const refused = await workspace(busy.key);
  expect([refused.status, refused.json.code, refused.headers.get('retry-after')]).toEqual([
    429,
    'too_many_calls',
    '45',
  ]);
  expect((await workspace(quiet.key)).status).toBe(200);
  clock.advance(45_000);
  expect((await workspace(busy.key)).status).toBe(200);
});

test('a key lists and reads its workspace only', async () => {
  const { key } = await createApiKey(service, workspaceId, ['browser:mint']);
  const { json } = await callWithKey(service, key, 'GET', '/workspaces');
  expect(json).toMatchObject({ items: [{ id: workspaceId }], next_cursor: null });
  expect((await callWithKey(service, key, 'GET', '/workspaces?q=a')).json.items).toHaveLength(0);
});

test('a suspended workspace is as open to its keys as to its members', async () => {
  const { key } = await createApiKey(service, workspaceId, ['leads:read']);
  await service.api('PATCH', `/workspaces/${workspaceId}`, { status: 'suspended', reason: 'Unpaid' });
  expect((await leadsWith(key)).status).toBe(200);
});

test('a key that only marks leads does not read them by that', async () => {
  const { id: form_id } = await createForm(service, workspaceId);
  const fields = { email: 'ada@example.com', message: 'Confidential' };
  const submissionId = await seed.lead(workspaceId, { form_id, fields });
  const marked = async (...given: ('leads:mark' | 'leads:read')[]) => {
    const { key } = await createApiKey(service, workspaceId, given);
    const at = `/workspaces/${workspaceId}/leads/${submissionId}/mark`;
    return callWithKey(service, key, 'PUT', at, { mark: 'spam' });
  };
  const blind = await marked('leads:mark');
  expect(blind.json).toMatchObject({
    verdict: 'spam',
    mark: { by: 'API key Zapier' },
    fields: {},
    enrichment: null,
  });
  expect(blind.text).not.toContain('Confidential');
  expect((await marked('leads:mark', 'leads:read')).json.fields).toEqual(fields);
});

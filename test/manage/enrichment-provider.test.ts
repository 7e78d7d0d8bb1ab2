import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../support/clocks.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { createWorkspace, Seed } from './leads/seed.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;
let seed: Seed;
let path: string;
let workspaceId: string;

beforeAll(async () => {
  service = await startTestService({ clock });
  seed = new Seed(service);
});
beforeEach(async () => {
  workspaceId = await createWorkspace(service);
  path = `/workspaces/${workspaceId}/enrichment-provider`;
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const provider = {
  url: 'https://api.provider-public.com/v1/companies',
  send: 'domain',
  header_name: 'Authorization',
  header_value: 'Bearer the-key-of-the-owner',
  signing_secret: 'the signing secret of the owner',
  mapping: { 'company.name': 'data.name', 'company.phones': 'data.phones.0' },
};

async function stored() {
  return (await seed.query('select * from enrichment_providers where workspace_id = $1', [workspaceId]))[0];
}

test('a workspace without a provider has none to read', async () => {
  expect((await service.api('GET', path)).json.code).toBe('not_found');
});

test('a provider that was set is shown without its secrets', async () => {
  const put = await service.api('PUT', path, provider);
  expect(put.status).toBe(200);
  const { json, text } = await service.api('GET', path);
  expect(json).toEqual({
    url: provider.url,
    send: 'domain',
    header_name: 'Authorization',
    header_value_set: true,
    mapping: provider.mapping,
    daily_limit: 1_000,
    used_today: 0,
    resets_at: '2026-11-16T00:00:00.000Z',
    updated_at: '2026-11-15T08:00:00.000Z',
  });
  expect(put.json).toEqual(json);
  for (const secret of [provider.header_value, provider.signing_secret]) expect(text).not.toContain(secret);
});

test('the database holds no secret of a provider in clear text', async () => {
  await service.api('PUT', path, provider);
  const row = await stored();
  expect(row.header_ciphertext.includes('the-key-of-the-owner')).toBe(false);
  expect(row.signing_ciphertext.includes('the signing secret')).toBe(false);
});

test('a signing secret is generated if none is sent, and shown only then', async () => {
  const { signing_secret: _, ...without } = provider;
  const first = await service.api('PUT', path, without);
  expect(first.json.signing_secret).toMatch(/^lgs_[0-9A-Za-z]{38}$/);
  const second = await service.api('PUT', path, without);
  expect(second.json).not.toHaveProperty('signing_secret');
  expect((await service.api('GET', path)).text).not.toContain(first.json.signing_secret);
});

test('secrets that are left out stay the same while the host stays the same', async () => {
  await service.api('PUT', path, provider);
  const before = await stored();
  const { header_value: _, signing_secret: __, ...rest } = provider;
  const changed = await service.api('PUT', path, { ...rest, url: 'https://api.provider-public.com/v2' });
  expect(changed.json).toMatchObject({ url: 'https://api.provider-public.com/v2', header_value_set: true });
  const after = await stored();
  expect(after.header_ciphertext).toEqual(before.header_ciphertext);
  expect(after.signing_ciphertext).toEqual(before.signing_ciphertext);
  expect(after.revision).toBeGreaterThan(before.revision);
});

test('a secret is never sent to a host it was not given for', async () => {
  await service.api('PUT', path, provider);
  const { header_value: _, ...rest } = provider;
  const moved = await service.api('PUT', path, { ...rest, url: 'https://api.attacker-public.com/' });
  expect(moved.status).toBe(422);
  expect(moved.json.errors).toEqual([{ field: 'header_value', message: 'is required' }]);
  expect((await stored()).url).toBe(provider.url);
});

test('a change of the daily limit alone keeps what the provider has said', async () => {
  await service.api('PUT', path, provider);
  const { revision } = await stored();
  const { header_value: _, signing_secret: __, ...rest } = provider;
  const changed = await service.api('PUT', path, { ...rest, daily_limit: 20 });
  expect(changed.json).toMatchObject({ daily_limit: 20, header_value_set: true });
  expect(await stored()).toMatchObject({ revision, daily_limit: 20 });
  await service.api('PUT', path, { ...rest, send: 'email', daily_limit: 20 });
  expect((await stored()).revision).toBeGreaterThan(revision);
});

test('the settings say how far enrichment may reach, with or without a provider', async () => {
  const settings = `/workspaces/${workspaceId}/enrichment`;
  expect((await service.api('GET', settings)).json).toEqual({ network: 'off', provider: null });
  const { json } = await service.api('PUT', path, provider);
  expect((await service.api('GET', settings)).json).toEqual({ network: 'off', provider: json });
});

test('a provider without a header keeps no secret for one', async () => {
  await service.api('PUT', path, provider);
  const { header_value: _, ...rest } = provider;
  expect((await service.api('PUT', path, { ...rest, header_name: null })).json.header_value_set).toBe(false);
  expect((await stored()).header_ciphertext).toBeNull();
});

test('removing a provider also removes what it said about companies', async () => {
  await service.api('PUT', path, provider);
  await seed.query(
    `insert into enrichment_cache (provider, version, scope, key, outcome, expires_at, claimed_until)
     values ('external', 1, $1, 'acme.com', '{"kind":"none"}', now() + interval '1 day', now())`,
    [workspaceId],
  );
  expect((await service.api('DELETE', path)).status).toBe(204);
  expect((await service.api('GET', path)).status).toBe(404);
  expect((await service.api('DELETE', path)).status).toBe(204);
  expect(await seed.query('select 1 from enrichment_cache where scope = $1', [workspaceId])).toEqual([]);
});

const addressRule = 'use an https URL with a public host, without a port, credentials or fragment';

test.each([
  [{ url: 'http://api.acme.com/' }, 'url', 'must start with https://'],
  [{ url: 'https://127.0.0.1/' }, 'url', addressRule],
  [{ url: 'https://localhost/' }, 'url', addressRule],
  [{ url: 'https://metadata.google.internal/' }, 'url', addressRule],
  [{ url: 'https://api.acme.com:8443/' }, 'url', addressRule],
  [{ url: 'https://user:pass@api.acme.com/' }, 'url', addressRule],
  [{ send: 'everything' }, 'send', 'use one of domain, email'],
  [{ header_name: 'Host' }, 'header_name', 'is a header that the service sets'],
  [{ header_name: 'X Y' }, 'header_name', 'use letters, digits and hyphens'],
  [
    { header_value: 'a\r\nX-Evil: 1' },
    'header_value',
    'use printable ASCII characters without spaces at the ends',
  ],
  [{ header_name: undefined }, 'header_name', 'is required'],
  [{ signing_secret: 'short' }, 'signing_secret', 'must have at least 8 characters'],
  [{ mapping: {} }, 'mapping', 'map 1 to 50 fields'],
  [{ mapping: { 'company.fax': 'fax' } }, 'mapping.company.fax', 'is not an enrichment field'],
  [
    { mapping: { 'company.name': 'a..b' } },
    'mapping.company.name',
    'use names separated by dots, such as data.name',
  ],
  [{ daily_limit: -1 }, 'daily_limit', /0/],
  [{ daily_limit: 1.5 }, 'daily_limit', /./],
  [{ daily_limit: 1_000_001 }, 'daily_limit', /1,?000,?000/],
  [{ secret: 'x' }, 'secret', /^unknown field/],
])('the provider %j is refused', async (change, field, message) => {
  const { status, json } = await service.api('PUT', path, { ...provider, ...change });
  expect(status).toBe(422);
  const text = typeof message === 'string' ? message : expect.stringMatching(message);
  expect(json.errors).toEqual([{ field, message: text }]);
  expect(await stored()).toBeUndefined();
});

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { destinationSecretOwner } from '../../../../src/domain/destination/secrets.ts';
import { SecretBox } from '../../../../src/domain/secrets/secret-box.ts';
import { ManualClock } from '../../../support/clocks.ts';
import { TestInternet } from '../../../support/egress.ts';
import { encryptionKey, startTestService, type TestService } from '../../../support/service.ts';
import { createWorkspace, Seed } from '../../leads/seed.ts';
import { addDelivery, createDestination } from '../some-deliveries.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;
let internet: TestInternet;
let seed: Seed;
let workspaceId: string;
let path: string;

const token = 'aVerySecretToken24Chars0';
const url = `https://hooks.slack.com/services/T0123ABCD/B0123ABCD/${token}`;
const newChat = { name: 'Sales', kind: 'chat', service: 'slack', url };
const urls = {
  slack: url,
  discord: `https://discord.com/api/webhooks/1234567890/${token}`,
  teams: `https://prod-23.westeurope.logic.azure.com/workflows/0123/triggers/manual/paths/invoke?sig=${token}`,
  mattermost: `https://chat.acme-public.com/hooks/${token}`,
} as const;

beforeAll(async () => {
  internet = await new TestInternet().start();
  internet.addHost(...Object.values(urls).map((each) => new URL(each).hostname));
  service = await startTestService({ clock, egress: internet, env: { ROLE: 'manage' } });
  seed = new Seed(service);
});
beforeEach(async () => {
  workspaceId = await createWorkspace(service);
  path = `/workspaces/${workspaceId}/destinations`;
  internet.requests.length = 0;
  internet.handler = (_, response) => response.writeHead(200).end('ok');
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
  await internet.stop();
});

const secretOf = async (id: string) => {
  const [row] = await seed.query('select secret_ciphertext from destinations where id = $1', [id]);
  return new SecretBox(encryptionKey).open(row.secret_ciphertext, destinationSecretOwner(id));
};
const patch = (id: string, changes: object) => service.api('PATCH', `${path}/${id}`, changes);

test('a chat is shown with the host of its URL, which is encrypted and never shown', async () => {
  clock.advance(1);
  const created = await service.api('POST', path, newChat);
  expect([created.status, created.json]).toMatchObject([
    201,
    {
      ...{ kind: 'chat', service: 'slack', host: 'hooks.slack.com', link_only: false },
      ...{ status: 'active', per_second: 1, secret: null, version: 1 },
    },
  ]);
  const { id } = created.json;
  const read = await service.api('GET', `${path}/${id}`);
  const listed = await service.api('GET', path);
  const audit = await service.api('GET', `/workspaces/${workspaceId}/audit`);
  for (const { text } of [created, read, listed, audit]) expect(text).not.toMatch(/VerySecret|B0123ABCD/);
  expect(audit.json.items[0].changes).toMatchObject({ url: 'hooks.slack.com', kind: 'chat' });
  const [row] = await seed.query('select * from destinations where id = $1', [id]);
  expect(JSON.stringify(row)).not.toContain(token);
  expect(await secretOf(id)).toBe(url);
});

test.each(Object.entries(urls))('a URL of %s can be used for it', async (each, itsUrl) => {
  const created = await createDestination(service, workspaceId, { ...newChat, service: each, url: itsUrl });
  expect([created.service, created.host]).toEqual([each, new URL(itsUrl).host]);
});

test.each([
  ['slack', urls.discord, 'belongs to Discord, not to Slack'],
  ['discord', urls.slack, 'belongs to Slack, not to Discord'],
  ['mattermost', urls.slack, 'belongs to Slack, not to Mattermost'],
  ['mattermost', urls.teams, 'belongs to Microsoft Teams, not to Mattermost'],
  ['teams', urls.discord, 'belongs to Discord, not to Microsoft Teams'],
  [
    'slack',
    'https://hooks.slack.com/workflows/T0/A0/1/x',
    'which looks like https://hooks.slack.com/services/…',
  ],
  ['discord', `${urls.discord}/slack`, 'which looks like https://discord.com/api/webhooks/…'],
  ['discord', 'https://discord.com/channels/1/2', 'which looks like https://discord.com/api/webhooks/…'],
  ['slack', 'http://hooks.slack.com/services/x', 'must start with https'],
  ['slack', 'https://10.0.0.1/services/x', 'private or reserved'],
  ['mattermost', 'http://127.0.0.1:PORT/hooks/x', 'Leadgate itself'],
  ['mattermost', `https://user:${token}@chat.acme-public.com/hooks/x`, 'user name or a password'],
  ['mattermost', token, 'not a URL'],
])('%s does not accept %s, and says why without repeating it', async (each, wrong, reason) => {
  const body = { ...newChat, service: each, url: wrong.replace('PORT', new URL(service.url).port) };
  const refused = await service.api('POST', path, body);
  expect([refused.status, refused.json.errors[0]]).toEqual([
    422,
    { field: 'url', message: expect.stringContaining(reason) },
  ]);
  const { id } = await createDestination(service, workspaceId, {
    ...{ name: 'Other', kind: 'chat', service: 'mattermost', url: urls.mattermost },
  });
  const checked = await service.api('POST', `${path}/check`, body);
  expect(checked.json.errors).toEqual(refused.json.errors);
  const changed = await patch(id, { service: each, url: body.url });
  expect(changed.status).toBe(422);
  for (const { text } of [refused, changed]) expect(text).not.toContain(token);
  expect(await secretOf(id)).toBe(urls.mattermost);
});

test('a host that belongs to no service can be used for any, because it may be a proxy', async () => {
  for (const each of Object.keys(urls))
    await createDestination(service, workspaceId, {
      ...{ ...newChat, service: each, name: each },
      url: `https://proxy-public.com/${each}/x`,
    });
});

test('another URL replaces the secret, forgets failures and is audited by its host', async () => {
  const { id } = await createDestination(service, workspaceId, newChat);
  const fail = () =>
    seed.query(
      `update destination_health set consecutive_failures = 12, last_error = 'no' where destination_id = $1`,
      [id],
    );
  await fail();
  const other = `https://hooks.slack.com/services/T0123ABCD/B0123ABCD/another${token}`;
  clock.advance(1);
  const changed = await patch(id, { url: other });
  expect([changed.status, changed.json.health.consecutive_failures, changed.json.version]).toEqual([
    200, 0, 2,
  ]);
  expect(await secretOf(id)).toBe(other);
  const audit = await service.api('GET', `/workspaces/${workspaceId}/audit`);
  expect(audit.json.items[0].changes).toEqual({ url: 'hooks.slack.com' });
  for (const { text } of [changed, audit]) expect(text).not.toContain(token);
  await fail();
  const renamed = await patch(id, { name: 'Support', link_only: true });
  expect(renamed.json).toMatchObject({
    name: 'Support',
    link_only: true,
    health: { consecutive_failures: 12 },
  });
  expect(await secretOf(id)).toBe(other);
});

test('the service changes only to one that the URL may belong to', async () => {
  const { id } = await createDestination(service, workspaceId, newChat);
  const refused = await patch(id, { service: 'discord' });
  expect([refused.status, refused.json.errors[0].field]).toEqual([422, 'service']);
  const both = await patch(id, { service: 'discord', url: urls.discord });
  expect(both.json).toMatchObject({ service: 'discord', host: 'discord.com' });
  const { id: proxied } = await createDestination(service, workspaceId, {
    ...{ ...newChat, name: 'Proxy', url: 'https://proxy-public.com:8443/x' },
  });
  expect((await patch(proxied, { service: 'teams' })).json).toMatchObject({
    service: 'teams',
    host: 'proxy-public.com:8443',
  });
});

test.each([
  ['format', 'flat'],
  ['mapping', []],
  ['headers', { 'X-Key': 'value' }],
  ['per_second', 50],
  ['recipients', ['ada@example.com']],
  ['token', 'pat-123'],
])('a chat has no %s', async (field, value) => {
  const refused = await service.api('POST', path, { ...newChat, [field]: value });
  expect(refused.status).toBe(422);
  const { id } = await createDestination(service, workspaceId, newChat);
  const changed = await patch(id, { [field]: value });
  expect([changed.status, changed.json.errors[0].field]).toEqual([422, field]);
});

test('a chat cannot be told that a lead was erased, and its secret cannot be rotated', async () => {
  const refused = await service.api('POST', path, { ...newChat, events: ['lead.erased'] });
  expect([refused.status, refused.json.errors[0].field]).toEqual([422, 'events']);
  const { id } = await createDestination(service, workspaceId, newChat);
  const rotated = await service.api('POST', `${path}/${id}/secret-rotation`, {});
  expect(rotated.status).toBe(422);
  expect(await secretOf(id)).toBe(url);
});

test.each(Object.entries(urls))(
  'a test of %s sends the sample lead, and shows no URL',
  async (each, itsUrl) => {
    const { id } = await createDestination(service, workspaceId, { ...newChat, service: each, url: itsUrl });
    internet.handler = (request, response) => response.writeHead(200).end(`ok ${request.url}`);
    const { status, json, text } = await service.api('POST', `${path}/${id}/test`);
    expect([status, json.delivered, json.status, json.error]).toEqual([200, true, 200, null]);
    const [request] = internet.requests;
    expect(request?.url).toBe(new URL(itsUrl).pathname + new URL(itsUrl).search);
    expect(request?.headers['content-type']).toBe('application/json');
    expect(request?.body).toContain('Test lead');
    expect(json.request).toEqual({ headers: { 'content-type': 'application/json' }, body: request?.body });
    expect(text).not.toContain(token);
  },
);

test('a test of a chat whose webhook was deleted says so, and changes nothing', async () => {
  internet.handler = (_, response) => response.writeHead(404).end('no_service');
  const { id } = await createDestination(service, workspaceId, newChat);
  const { json } = await service.api('POST', `${path}/${id}/test`);
  expect(json).toMatchObject({
    delivered: false,
    status: 404,
    error: expect.stringContaining('no longer accepts'),
  });
  expect((await service.api('GET', `${path}/${id}`)).json.status).toBe('active');
});

test('a dry run shows what people would read', async () => {
  await seed.lead(workspaceId, { fields: { name: 'Ada', message: '<!channel>' } });
  const { id } = await createDestination(service, workspaceId, newChat);
  const { json } = await service.api('POST', `${path}/${id}/dry-run`, {});
  expect(json.examples[0].message).toMatchObject({ title: 'New lead: Ada' });
  expect(json.examples[0].body).toContain('&lt;!channel&gt;');
  const linkOnly = await service.api('POST', `${path}/${id}/dry-run`, {
    link_only: true,
    service: 'discord',
  });
  expect(linkOnly.json.examples[0].body).toContain('**New lead**');
  expect(linkOnly.json.examples[0].body).not.toContain('Ada');
});

test('a delivery shows the message and not the URL', async () => {
  const { id } = await createDestination(service, workspaceId, newChat);
  const submission_id = await seed.lead(workspaceId, { fields: { name: 'Ada' } });
  const delivery = await addDelivery(seed, workspaceId, id, { submission_id });
  const { status, text } = await service.api('GET', `/workspaces/${workspaceId}/deliveries/${delivery}`);
  expect(status).toBe(200);
  expect(text).toContain('New lead: Ada');
  expect(text).not.toContain(token);
});

test('a chat of another workspace is not there', async () => {
  const { id } = await createDestination(service, workspaceId, newChat);
  const other = `/workspaces/${await createWorkspace(service)}/destinations/${id}`;
  const calls = [
    service.api('GET', other),
    service.api('PATCH', other, { url: urls.slack }),
    service.api('POST', `${other}/test`),
    service.api('POST', `${other}/dry-run`, {}),
    service.api('DELETE', other),
  ];
  for (const { status, text } of await Promise.all(calls)) {
    expect(status).toBe(404);
    expect(text).not.toContain('hooks.slack.com');
  }
  expect(internet.requests).toEqual([]);
  expect(await secretOf(id)).toBe(url);
});

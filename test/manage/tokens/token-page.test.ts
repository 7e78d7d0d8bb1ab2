import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Browser, join } from '../../support/browser/browser.ts';
import { ManualClock } from '../../support/clocks.ts';
import { createSender, post, type Sender, someLead } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { callWithKey, createApiKey } from '../api-keys/key-holder.ts';
import { Seed } from '../leads/seed.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:30:00.000Z'));
const dayMs = 86_400_000;
let service: TestService;
let seed: Seed;
let sender: Sender;
let owner: Browser;

beforeAll(async () => {
  service = await startTestService({ clock, env: { TRUST_PROXY: '1' } });
  seed = new Seed(service);
});
let owners = 0;
beforeEach(async () => {
  sender = await createSender(service);
  owner = await join(service, sender.workspaceId, `ada${++owners}@example.com`, 'owner');
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const at = () => `/workspaces/${sender.workspaceId}/tokens`;
const read = async (by: Pick<Browser, 'api'> = owner) =>
  (await by.api('GET', `${at()}/${sender.tokenId}`)).json;

/** From an address that the proxy names. */
function send(address: string, body = someLead) {
  return post(service, sender, 'server', body, { headers: { 'X-Forwarded-For': address } });
}

/** What is counted is written once a second by the clock of the service. */
async function until<Value>(look: () => Promise<Value>, isThere: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    clock.advance(1_000);
    const value = await look();
    if (isThere(value)) return value;
  }
}

test('the addresses that use a token are listed for owners, the newest first, and for nobody else', async () => {
  await send('198.51.100.1');
  await until(read, ({ addresses }) => addresses.length === 1);
  await send('::ffff:203.0.113.2');
  const token = await until(read, ({ addresses }) => addresses.length === 2);
  expect(token.addresses.map(({ address }: { address: string }) => address)).toEqual([
    '203.0.113.2',
    '198.51.100.1',
  ]);
  const member = await join(service, sender.workspaceId, `max${owners}@example.com`, 'member');
  expect((await read(member)).addresses).toBeNull();
  const { key } = await createApiKey(service, sender.workspaceId, ['tokens:write', 'diagnostics:read']);
  const byKey = await callWithKey(service, key, 'GET', `${at()}/${sender.tokenId}`);
  expect([byKey.status, byKey.json.addresses]).toEqual([200, null]);
  const list = await owner.api('GET', at());
  expect(list.text).not.toContain('198.51.100.1');
});

test('a token keeps the newest eight of its addresses', async () => {
  for (let n = 1; n <= 10; n++) {
    await send(`198.51.100.${n}`);
    await until(read, ({ addresses }) => addresses[0]?.address === `198.51.100.${n}`);
  }
  const { addresses } = await read();
  expect(addresses.map(({ address }: { address: string }) => address.split('.')[3])).toEqual([
    '10',
    '9',
    '8',
    '7',
    '6',
    '5',
    '4',
    '3',
  ]);
});

test('a list says by one look how each token is doing, with its outcomes by reason and hour', async () => {
  const other = await owner.api('POST', at(), { name: 'Unused', form_id: sender.formId });
  expect((await send('198.51.100.1')).status).toBe(202);
  expect((await send('198.51.100.1', 'no JSON')).status).toBe(200);
  const find = async () => {
    const { json } = await owner.api('GET', at());
    return json.items.find(({ id }: { id: string }) => id === sender.tokenId);
  };
  const token = await until(find, ({ traffic }) => traffic.accepted + traffic.other === 2);
  expect(token).toMatchObject({
    health: 'healthy',
    traffic: {
      accepted: 1,
      rate_limited: 0,
      other: 1,
      by_reason: [{ reason: 'body_not_json', category: 'other', count: 1 }],
      series: [{ accepted: 1, rate_limited: 0, other: 1 }],
    },
  });
  for (let n = 0; n < 4; n++) await send('198.51.100.1', 'no JSON');
  const rejected = await until(find, ({ traffic }) => traffic.other === 5);
  expect(rejected).toMatchObject({
    health: 'elevated_rejections',
    advice: expect.stringMatching('body_not_json'),
  });
  const { json } = await owner.api('GET', at());
  expect(json.items.find(({ id }: { id: string }) => id === other.json.id)).toMatchObject({
    health: 'idle',
    traffic: { accepted: 0, by_reason: [], series: [] },
  });
});

test('members and keys without the scope see how old a token is, but neither its traffic nor why it is rejected', async () => {
  for (let n = 0; n < 5; n++) await send('198.51.100.1', 'no JSON');
  await until(read, ({ health }) => health === 'elevated_rejections');
  const member = await join(service, sender.workspaceId, `max${owners}@example.com`, 'member');
  const { key } = await createApiKey(service, sender.workspaceId, ['tokens:write']);
  const byKey = await callWithKey(service, key, 'GET', at());
  for (const { json } of [await member.api('GET', at()), byKey])
    expect(json.items[0]).toMatchObject({ health: 'idle', traffic: null });
});

test('a token says who created it: a person, an API key, the operator, or that nobody knows', async () => {
  const { id, key } = await createApiKey(service, sender.workspaceId, ['tokens:write']);
  const body = { name: 'New', form_id: sender.formId };
  const byPerson = await owner.api('POST', at(), body);
  const byKey = await callWithKey(service, key, 'POST', at(), body);
  const byOperator = await service.api('POST', at(), body);
  const rotated = await owner.api('POST', `${at()}/${byKey.json.id}/rotation`, {});
  const person = { kind: 'person', id: (await owner.api('GET', '/me')).json.user.id, name: `ada${owners}` };
  const creators = [byPerson, byKey, byOperator, rotated].map(({ json }) => json.created_by);
  expect(creators).toEqual([
    person,
    { kind: 'api_key', id, name: 'Zapier' },
    { kind: 'operator_key', id: null, name: null },
    person,
  ]);
  await seed.query('update tokens set creator_kind = null where id = $1', [sender.tokenId]);
  expect((await read()).created_by).toBeNull();
});

test('a token that expires within seven days or was not used for 30 is told so', async () => {
  const expires_at = new Date(clock.now() + 6 * dayMs).toISOString();
  const soon = await owner.api('POST', at(), { name: 'Soon', form_id: sender.formId, expires_at });
  expect(soon.json).toMatchObject({ health: 'expires_soon', advice: expect.stringMatching(/^Rotate it/) });
  await seed.query(`update tokens set created_at = created_at - interval '31 days' where id = $1`, [
    sender.tokenId,
  ]);
  expect(await read()).toMatchObject({ health: 'idle', advice: expect.stringMatching('revoke it') });
});

test('another workspace does not have the token', async () => {
  const others = await createSender(service);
  const stranger = await join(service, others.workspaceId, `eve${owners}@example.com`, 'owner');
  const { status } = await stranger.api('GET', `/workspaces/${others.workspaceId}/tokens/${sender.tokenId}`);
  expect(status).toBe(404);
});

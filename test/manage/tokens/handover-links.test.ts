import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decryptToken, encryptToken, secretsIn } from '../../../src/contract/tokens/handover-cipher.ts';
import { Browser, join } from '../../support/browser/browser.ts';
import { ManualClock } from '../../support/clocks.ts';
import { createSender, type Sender } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { callWithKey, createApiKey } from '../api-keys/key-holder.ts';
import { Seed } from '../leads/seed.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
const hourMs = 3_600_000;
let service: TestService;
let seed: Seed;
let sender: Sender;
let owner: Browser;

beforeAll(async () => {
  service = await startTestService({ clock });
  seed = new Seed(service);
});
let owners = 0;
beforeEach(async () => {
  // So that attempts of earlier tests no longer count.
  clock.advance(61_000);
  sender = await createSender(service);
  owner = await join(service, sender.workspaceId, `ada${++owners}@example.com`, 'owner');
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const at = () => `/workspaces/${sender.workspaceId}/tokens/${sender.tokenId}`;

interface Made {
  readonly id: string;
  /** In the link, besides the key. */
  readonly token: string;
  readonly ciphertext: string;
  readonly key: string;
}

async function handOver(by: Pick<Browser, 'api'> = owner): Promise<Made> {
  const { ciphertext, key } = await encryptToken(sender.token);
  const { status, json } = await by.api('POST', `${at()}/handover-links`, { ciphertext });
  expect(status).toBe(201);
  return { id: json.id, token: json.link.split('#token=')[1], ciphertext, key };
}

/** As anyone could, without a session. */
function visit(path: 'preview' | 'open', token: string) {
  return new Browser(service.url).api('POST', `/handover-links/${path}`, { token });
}

async function opens({ token }: Made): Promise<boolean> {
  const { status } = await visit('open', token);
  expect([200, 404]).toContain(status);
  return status === 200;
}

const openLinks = async () => (await owner.api('GET', at())).json.handover_links;

test('a link gives the token to one person, who decrypts it, and to nobody after them', async () => {
  const made = await handOver();
  expect(await openLinks()).toMatchObject([{ id: made.id, created_by: `ada${owners}` }]);
  const preview = await visit('preview', made.token);
  expect(preview.json).toMatchObject({ token_name: 'Backend', form: 'Contact', created_by: `ada${owners}` });
  expect(preview.text).not.toContain(made.ciphertext);
  // A preview opens nothing.
  const [first, second] = await Promise.all([visit('open', made.token), visit('open', made.token)]);
  expect([first.status, second.status].toSorted()).toEqual([200, 404]);
  const given = first.status === 200 ? first : second;
  expect(given.headers.get('cache-control')).toBe('no-store');
  expect(await decryptToken({ ...given.json, key: made.key })).toBe(sender.token);
  expect((await visit('preview', made.token)).status).toBe(404);
  expect(await openLinks()).toEqual([]);
});

test('the database has neither the token nor anything to decrypt or open it with', async () => {
  const { key, token } = await handOver();
  const [row] = await seed.query(
    `select concat(h, encode(locked_token, 'escape')) as text from token_handovers h where token_id = $1`,
    [sender.tokenId],
  );
  for (const secret of [sender.token, key, token]) expect(row.text).not.toContain(secret);
});

test('a link that was opened, has ended or never existed gets the same response', async () => {
  const opened = await handOver();
  await opens(opened);
  const cancelled = await handOver();
  expect((await owner.api('DELETE', `${at()}/handover-links/${cancelled.id}`)).status).toBe(204);
  const expired = await handOver();
  clock.advance(72 * hourMs);
  const responses = await Promise.all(
    [opened.token, cancelled.token, expired.token, 'never'].map((token) => visit('open', token)),
  );
  expect(
    new Set(responses.map(({ status, json }) => JSON.stringify([status, { ...json, instance: '' }]))),
  ).toHaveProperty('size', 1);
  expect(responses[0]?.status).toBe(404);
});

describe('a link is void', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['when its token is revoked', () => owner.api('DELETE', at())],
    [
      'when its token is rotated without grace',
      () => owner.api('POST', `${at()}/rotation`, { grace_seconds: 0 }),
    ],
    [
      'when the workspace is suspended',
      () => service.api('PATCH', `/workspaces/${sender.workspaceId}`, { status: 'suspended' }),
    ],
    [
      'when its creator is no longer an owner',
      async () => {
        await addKeeper();
        await changeRole('member');
      },
    ],
    [
      'when its creator becomes an owner again',
      async () => {
        await addKeeper();
        await changeRole('member');
        await changeRole('owner');
      },
    ],
    [
      'when its creator is removed',
      async () => {
        await addKeeper();
        await service.api('DELETE', `/workspaces/${sender.workspaceId}/members/${await personId()}`);
      },
    ],
  ])('%s', async (_, end) => {
    const made = await handOver();
    await end();
    expect((await visit('preview', made.token)).status).toBe(404);
    expect(await opens(made)).toBe(false);
  });

  test('when its token expires, which is never later than the link', async () => {
    const expires_at = new Date(clock.now() + hourMs).toISOString();
    const path = `/workspaces/${sender.workspaceId}/tokens`;
    const { json } = await owner.api('POST', path, { name: 'Short', form_id: sender.formId, expires_at });
    sender = { ...sender, tokenId: json.id, token: json.token };
    const made = await handOver();
    expect(await openLinks()).toMatchObject([{ expires_at }]);
    clock.advance(hourMs);
    expect(await opens(made)).toBe(false);
    const { ciphertext } = await encryptToken(sender.token);
    const late = await service.api('POST', `${at()}/handover-links`, { ciphertext });
    expect([late.status, late.json.code]).toEqual([409, 'token_ended']);
  });

  test('when the API key that created it is revoked, and not before', async () => {
    const { id, key } = await createApiKey(service, sender.workspaceId, ['tokens:write']);
    const byKey = {
      api: (method: string, path: string, body?: unknown) =>
        callWithKey(service, key, method, path, body as object),
    };
    expect(await opens(await handOver(byKey))).toBe(true);
    const made = await handOver(byKey);
    await owner.api('DELETE', `/workspaces/${sender.workspaceId}/api-keys/${id}`);
    expect(await opens(made)).toBe(false);
  });
});

test('a suspended workspace that is resumed gets its links back', async () => {
  const made = await handOver();
  const setStatus = (status: string) => service.api('PATCH', `/workspaces/${sender.workspaceId}`, { status });
  await setStatus('suspended');
  expect(await opens(made)).toBe(false);
  await setStatus('active');
  expect(await opens(made)).toBe(true);
});

test('a token has at most three open links, also if they are created at the same time', async () => {
  const { ciphertext } = await encryptToken(sender.token);
  const asked = [1, 2, 3, 4, 5].map(() => owner.api('POST', `${at()}/handover-links`, { ciphertext }));
  const statuses = (await Promise.all(asked)).map(({ status }) => status).toSorted();
  expect(statuses).toEqual([201, 201, 201, 409, 409]);
  const [first] = await openLinks();
  await owner.api('DELETE', `${at()}/handover-links/${first.id}`);
  await handOver();
});

test('a link of another token or workspace cannot be cancelled, nor one be created for it', async () => {
  const made = await handOver();
  const others = await createSender(service);
  const stranger = await join(service, others.workspaceId, `eve${owners}@example.com`, 'owner');
  const theirs = `/workspaces/${others.workspaceId}/tokens`;
  for (const path of [
    `${theirs}/${sender.tokenId}/handover-links/${made.id}`,
    `${theirs}/${others.tokenId}/handover-links/${made.id}`,
  ])
    expect((await stranger.api('DELETE', path)).status).toBe(404);
  const { ciphertext } = await encryptToken(others.token);
  const wrong = await stranger.api('POST', `${theirs}/${sender.tokenId}/handover-links`, { ciphertext });
  expect(wrong.status).toBe(404);
  expect(await opens(made)).toBe(true);
});

test.each([
  [{}, 'is required'],
  [{ ciphertext: 'AAAA' }, expect.any(String)],
  [{ ciphertext: '<script>'.repeat(8) }, expect.any(String)],
  [{ ciphertext: 'A'.repeat(404) }, expect.any(String)],
])('the ciphertext of %j is refused', async (body, message) => {
  const { status, json } = await owner.api('POST', `${at()}/handover-links`, body);
  expect([status, json.errors]).toEqual([422, [{ field: 'ciphertext', message }]]);
});

test('opening links is limited by address', async () => {
  const statuses = new Set<number>();
  for (let tries = 0; tries < 32; tries++) statuses.add((await visit('open', `guess ${tries}`)).status);
  expect([...statuses]).toEqual([404, 429]);
});

test('the audit log says who created, cancelled and opened links, and from where', async () => {
  const made = await handOver();
  const other = await handOver();
  await owner.api('DELETE', `${at()}/handover-links/${other.id}`);
  await opens(made);
  const { json } = await owner.api('GET', `/workspaces/${sender.workspaceId}/audit`);
  const ada = `ada${owners}`;
  const texts = json.items.map(({ text }: { text: string }) => text);
  const about = new Set(texts.filter((text: string) => text.includes('hand-over')));
  expect([...about].toSorted()).toEqual([
    `Someone opened the hand-over link that ${ada} created for ingest token Backend`,
    `${ada} cancelled a hand-over link of ingest token Backend`,
    `${ada} created a hand-over link for ingest token Backend`,
  ]);
  const opening = json.items.find(({ text }: { text: string }) => text.startsWith('Someone opened'));
  expect(opening.address).toMatch(/127\.0\.0\.1|::1/);
  expect(JSON.stringify(json)).not.toContain(made.ciphertext);
});

test('a link whose end was cut off is not taken for a whole one', async () => {
  const { key } = await encryptToken('ingt');
  expect(secretsIn(`#token=abc&key=${key}`)).toEqual({ token: 'abc', key });
  expect(secretsIn(`#token=abc&key=${key.slice(0, -1)}`)).toBeNull();
  expect(secretsIn('#token=abc')).toBeNull();
});

async function personId(): Promise<string> {
  return (await owner.api('GET', '/me')).json.user.id;
}

/** Someone else who is an owner, so that this one need not stay one. */
async function addKeeper() {
  await join(service, sender.workspaceId, `keeper${owners}@example.com`, 'owner');
}

async function changeRole(role: string) {
  const id = await personId();
  const changed = await service.api('PATCH', `/workspaces/${sender.workspaceId}/members/${id}`, { role });
  expect(changed.status).toBe(200);
}

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../support/clocks.ts';
import { createSender, post, type Sender } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { Seed } from '../leads/seed.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;
let seed: Seed;
let sender: Sender;

beforeAll(async () => {
  service = await startTestService({ clock });
  seed = new Seed(service);
});
beforeEach(async () => {
  sender = await createSender(service);
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

function formPath() {
  return `/workspaces/${sender.workspaceId}/forms/${sender.formId}`;
}

function rotate(body?: unknown) {
  return service.api('PUT', `${formPath()}/webhook-secret`, body);
}

/** The status of a webhook signed with this secret. */
async function statusWith(secret: string): Promise<number> {
  return (await post(service, sender, 'webhook', undefined, { secret })).status;
}

async function secretState() {
  return (await service.api('GET', formPath())).json.webhook_secret;
}

test('a generated secret works from the moment of the response', async () => {
  const { status, json } = await rotate();
  expect(status).toBe(200);
  expect(json).toEqual({
    secret: expect.stringMatching(/^lgs_[0-9A-Za-z]{38}$/),
    previous_valid_until: null,
  });
  expect(await statusWith(json.secret)).toBe(202);
});

test('a secret with the prefix of Standard Webhooks, as we generated them before, works and is shown by its first characters', async () => {
  const secret = `whsec_${randomBytes(32).toString('base64url')}`;
  await rotate({ secret });
  expect(await statusWith(secret)).toBe(202);
  const { json } = await service.api('GET', `${formPath()}/webhook-secret`);
  expect(json.prefix).toBe(secret.slice(0, 10));
});

test("an owner's own secret is used unchanged", async () => {
  const secret = ' geheim ü 8 ';
  expect((await rotate({ secret })).json.secret).toBe(secret);
  expect(await statusWith(secret)).toBe(202);
});

test('without an overlap the previous secret ends immediately', async () => {
  const { json } = await rotate({ overlap_seconds: 0 });
  expect(await statusWith(sender.secret)).toBe(200);
  expect(await statusWith(json.secret)).toBe(202);
});

test('with an overlap both secrets are valid until it ends', async () => {
  const { json } = await rotate({ overlap_seconds: 3600 });
  const until = new Date(clock.now() + 3_600_000).toISOString();
  expect(json.previous_valid_until).toBe(until);
  expect(await secretState()).toMatchObject({ configured: true, previous_valid_until: until });
  expect([await statusWith(sender.secret), await statusWith(json.secret)]).toEqual([202, 202]);
  clock.advance(3_600_001);
  expect([await statusWith(sender.secret), await statusWith(json.secret)]).toEqual([200, 202]);
  expect((await secretState()).previous_valid_until).toBeNull();
});

test('a second rotation ends the overlap of the first', async () => {
  const first = await rotate({ overlap_seconds: 3600 });
  const second = await rotate({ overlap_seconds: 60 });
  expect(await statusWith(sender.secret)).toBe(200);
  expect([await statusWith(first.json.secret), await statusWith(second.json.secret)]).toEqual([202, 202]);
});

test('a removed secret is no longer valid, nor is the previous one', async () => {
  const { json } = await rotate({ overlap_seconds: 3600 });
  expect((await service.api('DELETE', `${formPath()}/webhook-secret`)).status).toBe(204);
  expect([await statusWith(sender.secret), await statusWith(json.secret)]).toEqual([200, 200]);
  expect(await secretState()).toEqual({ configured: false, set_at: null, previous_valid_until: null });
  expect((await service.api('DELETE', `${formPath()}/webhook-secret`)).status).toBe(204);
});

test('the first secret after a removal has no overlap to offer', async () => {
  await service.api('DELETE', `${formPath()}/webhook-secret`);
  expect((await rotate({ overlap_seconds: 60 })).json.previous_valid_until).toBeNull();
});

test('a form shows when its secret was set, but not the secret', async () => {
  const { json } = await rotate({ secret: 'correct horse battery' });
  const form = await service.api('GET', formPath());
  const set_at = new Date(clock.now()).toISOString();
  expect(form.json.webhook_secret).toEqual({ configured: true, set_at, previous_valid_until: null });
  expect(form.text).not.toContain(json.secret);
});

test('the database holds no secret in clear text', async () => {
  const secret = 'correct horse battery staple';
  await rotate({ secret });
  const [row] = await seed.query('select current_ciphertext from webhook_secrets where form_id = $1', [
    sender.formId,
  ]);
  expect(row.current_ciphertext.includes(secret)).toBe(false);
});

test.each([
  [{ secret: 'sh0rt7!' }, 'secret', 'must have at least 8 characters'],
  [{ secret: '🦊🐢🐙🦉🐝🦋🐌' }, 'secret', 'must have at least 8 characters'],
  [{ secret: 'abcdeabcdeabcde' }, 'secret', 'must have at least 6 different characters'],
  [{ secret: 'abcdefgh'.repeat(33) }, 'secret', 'must have at most 256 characters'],
  [{ secret: 12345678 }, 'secret', 'must be text'],
  [{ secret: 'lone \ud800 surrogate' }, 'secret', 'contains characters that cannot be stored'],
  [{ overlap_seconds: -1 }, 'overlap_seconds', 'must be at least 0'],
  [{ overlap_seconds: 604_801 }, 'overlap_seconds', 'must be at most 604800'],
  [{ overlap_seconds: 1.5 }, 'overlap_seconds', 'must be a whole number'],
  [{ overlap: 60 }, 'overlap', 'unknown field; known fields: secret, overlap_seconds'],
])('the rotation %j is refused, and the old secret stays', async (body, field, message) => {
  const { status, json } = await rotate(body);
  expect(status).toBe(422);
  expect(json.errors).toEqual([{ field, message }]);
  expect(await statusWith(sender.secret)).toBe(202);
});

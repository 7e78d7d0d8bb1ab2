import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dayMs, hourMs } from '../../../src/time/clock.ts';
import { ManualClock } from '../../support/clocks.ts';
import { diagnosticsOf, eventually } from '../../support/diagnostics.ts';
import { createSender, post, type Sender } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;
let sender: Sender;

beforeAll(async () => {
  service = await startTestService({ clock });
});
beforeEach(async () => {
  sender = await createSender(service);
});
afterAll(() => service.stop());

const tokensPath = () => `/workspaces/${sender.workspaceId}/tokens`;
const iso = (ms: number) => new Date(ms).toISOString();

function rotate(body?: object, tokenId = sender.tokenId) {
  return service.api('POST', `${tokensPath()}/${tokenId}/rotation`, body);
}

async function statusWith(token: string): Promise<number> {
  return (await post(service, { ...sender, token }, 'server')).status;
}

async function listed(id: string) {
  const { json } = await service.api('GET', tokensPath());
  return json.items.find((token: { id: string }) => token.id === id);
}

test('a replacement has the name, form and type of the token it replaces, and is shown once', async () => {
  const { status, json } = await rotate({ grace_seconds: 3600 });
  expect(status).toBe(201);
  const { token, ...successor } = json;
  expect(token).toMatch(/^ingt_srv_/);
  expect(successor).toMatchObject({
    name: 'Backend',
    form_id: sender.formId,
    type: 'server',
    status: 'active',
    expires_at: null,
    replaces: sender.tokenId,
    replaced_by: null,
  });
  expect(await listed(successor.id)).toEqual(successor);
  expect(JSON.stringify((await service.api('GET', tokensPath())).json)).not.toContain(token);
  expect(await listed(sender.tokenId)).toMatchObject({
    status: 'active',
    replaced_by: successor.id,
    expires_at: iso(clock.now() + hourMs),
  });
});

test('both tokens work during the grace period, and not a millisecond longer', async () => {
  const { json } = await rotate({ grace_seconds: 3600 });
  expect([await statusWith(sender.token), await statusWith(json.token)]).toEqual([202, 202]);
  clock.advance(hourMs - 1);
  expect(await statusWith(sender.token)).toBe(202);
  clock.advance(1);
  expect([await statusWith(sender.token), await statusWith(json.token)]).toEqual([200, 202]);
  expect(await listed(sender.tokenId)).toMatchObject({ status: 'expired' });
});

test('without a grace period the old token ends with the response', async () => {
  const { json } = await rotate({ grace_seconds: 0 });
  expect([await statusWith(sender.token), await statusWith(json.token)]).toEqual([200, 202]);
  expect(await listed(sender.tokenId)).toMatchObject({ status: 'revoked', replaced_by: json.id });
});

test('the grace period is a day by default, and can be ended immediately', async () => {
  const { json } = await rotate();
  expect(await listed(sender.tokenId)).toMatchObject({ expires_at: iso(clock.now() + dayMs) });
  expect((await service.api('DELETE', `${tokensPath()}/${sender.tokenId}`)).status).toBe(204);
  expect([await statusWith(sender.token), await statusWith(json.token)]).toEqual([200, 202]);
});

test.each([
  ['at the end of the grace', () => clock.advance(hourMs)],
  ['ended early', () => service.api('DELETE', `${tokensPath()}/${sender.tokenId}`)],
])('the diagnostics say that a token was replaced, by which, and when it ended: %s', async (_, end) => {
  const { json } = await rotate({ grace_seconds: 3600 });
  await end();
  const endedAt = iso(clock.now());
  clock.advance(1000);
  expect(await statusWith(sender.token)).toBe(200);
  const { items } = await eventually(
    () => diagnosticsOf(service, sender),
    (found) => found.items.length > 0,
  );
  expect(items).toMatchObject([
    {
      reason: 'token_revoked',
      token_id: sender.tokenId,
      detail: { replaced_by: json.id, grace_ended_at: endedAt },
    },
  ]);
});

test('a token with a lifetime gets a replacement with the same lifetime, and its grace period ends with its own expiry', async () => {
  const body = { name: 'Short', form_id: sender.formId, expires_at: iso(clock.now() + 2 * hourMs) };
  const short = await service.api('POST', tokensPath(), body);
  clock.advance(hourMs);
  const { json } = await rotate({ grace_seconds: 86_400 }, short.json.id);
  expect(json.expires_at).toBe(iso(clock.now() + 2 * hourMs));
  expect((await listed(short.json.id)).expires_at).toBe(body.expires_at);
});

test('when many rotate a token at the same time, one gets a replacement', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => rotate({ grace_seconds: 60 })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  expect((await service.api('GET', tokensPath())).json.items).toHaveLength(2);
});

test('a rotation and a revocation at the same time never leave the old token working', async () => {
  await Promise.all([
    rotate({ grace_seconds: 60 }),
    service.api('DELETE', `${tokensPath()}/${sender.tokenId}`),
  ]);
  expect(await statusWith(sender.token)).toBe(200);
});

test('a replacement can be rotated while the first token is in its grace period', async () => {
  const second = (await rotate({ grace_seconds: 3600 })).json;
  const third = (await rotate({ grace_seconds: 3600 }, second.id)).json;
  const statuses = [sender.token, second.token, third.token].map(statusWith);
  expect(await Promise.all(statuses)).toEqual([202, 202, 202]);
  expect(await listed(second.id)).toMatchObject({ replaces: sender.tokenId, replaced_by: third.id });
});

test.each([
  ['was rotated before', () => rotate(), 'It was already rotated. Rotate its replacement.'],
  [
    'was revoked',
    () => service.api('DELETE', `${tokensPath()}/${sender.tokenId}`),
    'It is revoked. Create a new token.',
  ],
  [
    'belongs to a deleted form',
    () => service.api('DELETE', `/workspaces/${sender.workspaceId}/forms/${sender.formId}`),
    'Its form was deleted. Create a token for another form.',
  ],
])('a token that %s cannot be rotated', async (_, prepare, detail) => {
  await prepare();
  const { status, json } = await rotate();
  expect([status, json.code, json.detail]).toEqual([409, 'token_not_rotatable', detail]);
});

test.each([
  [{ grace_seconds: -1 }, 'must be at least 0'],
  [{ grace_seconds: 604_801 }, 'must be at most 604800'],
  [{ grace_seconds: '1 hour' }, 'must be a number'],
])('the rotation %j is refused, and the token stays the same', async (body, message) => {
  const { status, json } = await rotate(body);
  expect(status).toBe(422);
  expect(json.errors).toEqual([{ field: 'grace_seconds', message }]);
  expect(await listed(sender.tokenId)).toMatchObject({ expires_at: null, replaced_by: null });
});

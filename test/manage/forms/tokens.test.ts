import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isWellFormedToken } from '../../../src/domain/token.ts';
import { ManualClock } from '../../support/clocks.ts';
import { createSender, post, type Sender } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createForm, createWorkspace, Seed } from '../leads/seed.ts';

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

const ownForm = 'the form of the sender';

function create(body: { readonly form_id?: string | undefined; readonly [field: string]: unknown }) {
  const form_id = body.form_id === ownForm ? sender.formId : body.form_id;
  return service.api('POST', `/workspaces/${sender.workspaceId}/tokens`, {
    name: 'Backend',
    ...body,
    form_id,
  });
}

async function list(query = '') {
  return (await service.api('GET', `/workspaces/${sender.workspaceId}/tokens${query}`)).json;
}

async function statusWith(token: string): Promise<number> {
  return (await post(service, { ...sender, token }, 'server')).status;
}

test('a token is shown once and works from the moment of the response', async () => {
  const { status, json } = await create({ form_id: ownForm });
  expect(status).toBe(201);
  const { token, ...rest } = json;
  expect(isWellFormedToken(token)).toBe(true);
  expect(rest).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: 'Backend',
    form_id: sender.formId,
    type: 'server',
    hint: `ingt_srv_…${token.slice(-4)}`,
    status: 'active',
    health: 'idle',
    advice: 'Put it in your backend and send a lead.',
    created_at: new Date(clock.now()).toISOString(),
    created_by: { kind: 'operator_key', id: null, name: null },
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
    traffic: { accepted: 0, rate_limited: 0, other: 0, by_reason: [], series: [] },
    handover_links: [],
    replaced_by: null,
    replaces: null,
  });
  expect(await statusWith(token)).toBe(202);
  expect(JSON.stringify(await list())).not.toContain(token);
});

test('a browser token can be created, and is refused where server tokens are required', async () => {
  const { json } = await create({ form_id: ownForm, type: 'browser' });
  expect(json.token).toMatch(/^ingt_br_/);
  expect(await statusWith(json.token)).toBe(200);
});

test('a revoked token is rejected immediately, stays in the list, and can be revoked again', async () => {
  const path = `/workspaces/${sender.workspaceId}/tokens/${sender.tokenId}`;
  expect((await service.api('DELETE', path)).status).toBe(204);
  expect(await statusWith(sender.token)).toBe(200);
  const revoked_at = new Date(clock.now()).toISOString();
  clock.advance(1000);
  expect((await service.api('DELETE', path)).status).toBe(204);
  expect((await list()).items).toMatchObject([{ id: sender.tokenId, status: 'revoked', revoked_at }]);
});

test('a token expires at its time', async () => {
  const expires_at = new Date(clock.now() + 60_000).toISOString();
  const { json } = await create({ form_id: ownForm, expires_at });
  expect(json).toMatchObject({ expires_at, status: 'active' });
  expect(await statusWith(json.token)).toBe(202);
  clock.advance(60_000);
  expect(await statusWith(json.token)).toBe(200);
  expect((await list()).items).toContainEqual(expect.objectContaining({ id: json.id, status: 'expired' }));
});

test('an expiry may have any offset, or be null for none', async () => {
  const inTokyo = await create({ form_id: ownForm, expires_at: '2030-01-01T09:00:00+09:00' });
  expect(inTokyo.json.expires_at).toBe('2030-01-01T00:00:00.000Z');
  expect((await create({ form_id: ownForm, expires_at: null })).json.expires_at).toBeNull();
});

test('the database holds only a hash of the token', async () => {
  const [row] = await seed.query('select t::text as text from tokens t where id = $1', [sender.tokenId]);
  expect(row.text).not.toContain(sender.token.slice(9, -4));
});

const timeRule = 'use an RFC 3339 time such as 2026-11-15T08:00:00Z';

test.each([
  [{}, 'form_id', 'is required'],
  [{ form_id: 'contact' }, 'form_id', 'use a UUID'],
  [{ form_id: '8f14e45f-ceea-467f-a8f4-111111111111' }, 'form_id', 'does not exist in this workspace'],
  [{ form_id: ownForm, name: '' }, 'name', 'must not be empty'],
  [{ form_id: ownForm, type: 'robot' }, 'type', 'use one of server, browser'],
  [{ form_id: ownForm, expires_at: '2020-01-01T00:00:00Z' }, 'expires_at', 'must be in the future'],
  [{ form_id: ownForm, expires_at: 'tomorrow' }, 'expires_at', timeRule],
  [{ form_id: ownForm, expires_at: '2027-02-30T00:00:00Z' }, 'expires_at', timeRule],
  [{ form_id: ownForm, expires: null }, 'expires', /^unknown field; known fields: name, form_id, /],
])('the token %j is refused, and the response names the error', async (body, field, message) => {
  const form_id =
    'form_id' in body && body.form_id === 'own' ? sender.formId : (body as { form_id?: string }).form_id;
  const { status, json } = await create({ ...body, form_id });
  expect(status).toBe(422);
  expect(json.errors).toEqual([
    { field, message: typeof message === 'string' ? message : expect.stringMatching(message) },
  ]);
});

test("a token cannot be made for another workspace's form, nor for a deleted one", async () => {
  const other = await createWorkspace(service);
  const theirs = await createForm(service, other);
  const deleted = await createForm(service, sender.workspaceId);
  await service.api('DELETE', `/workspaces/${sender.workspaceId}/forms/${deleted.id}`);
  for (const form_id of [theirs.id, deleted.id]) {
    const { status, json } = await create({ form_id });
    expect([status, json.errors[0].field]).toEqual([422, 'form_id']);
  }
});

test('pages of the list hold each token once, the newest first', async () => {
  const made = [sender.tokenId];
  for (let i = 0; i < 3; i++) {
    clock.advance(1000);
    made.unshift((await create({ form_id: ownForm })).json.id);
  }
  const first = await list('?limit=3');
  const second = await list(`?limit=3&cursor=${first.next_cursor}`);
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(made);
  expect(second.next_cursor).toBeNull();
});

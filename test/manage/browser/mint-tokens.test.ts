import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  isTokenSignedWith,
  type ReadToken,
  readBrowserToken,
} from '../../../src/domain/browser/browser-token.ts';
import { BrowserSigningKeys } from '../../../src/domain/browser/signing-keys.ts';
import { dayMs } from '../../../src/time/clock.ts';
import { join } from '../../support/browser/browser.ts';
import { ManualClock } from '../../support/clocks.ts';
import { encryptionKey, startTestService, type TestService } from '../../support/service.ts';
import { callWithKey, createApiKey } from '../api-keys/key-holder.ts';
import { createWorkspace } from '../leads/seed.ts';
import { createPageForm, type PageForm, shop } from './page-form.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.500Z'));
let service: TestService;
let workspaceId: string;
let key: string;
let form: PageForm;

beforeAll(async () => {
  service = await startTestService({ clock });
  workspaceId = await createWorkspace(service, 'Engines');
  key = (await createApiKey(service, workspaceId, ['browser:mint'])).key;
});
beforeEach(async () => {
  form = await createPageForm(service, workspaceId);
  await service.api('PUT', form.path, settings);
});
afterAll(() => service.stop());

const settings = { enabled: true, origins: [shop, 'https://*.example.org'], ttl_s: 90 };
const mint = (body: object = {}, by = key) =>
  callWithKey(service, by, 'POST', '/browser/tokens', { form: form.formId, origin: shop, ...body });
const signingKeys = new BrowserSigningKeys(encryptionKey);

function readToken(token: string): ReadToken {
  const read = readBrowserToken(token) as ReadToken;
  const signedWith = signingKeys.find('tokens', read.claims.workspaceId, read.kid);
  expect(signedWith !== null && isTokenSignedWith(read, signedWith)).toBe(true);
  return read;
}

test('a backend with a key gets a token for one of its pages', async () => {
  const { status, json, headers } = await mint();
  expect([status, json.expires_in]).toEqual([201, 90]);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('cache-control')).toBe('no-store');
  const issuedAt = Math.floor(clock.now() / 1_000);
  expect(readToken(json.token).claims).toEqual({
    workspaceId,
    formId: form.formId,
    epoch: 1,
    origin: shop,
    issuedAt,
    expiresAt: issuedAt + 90,
    jti: expect.any(Buffer),
    bodyHash: null,
    proof: 'backend',
  });
});

test('each token is another one, because each may create one lead', async () => {
  const tokens = await Promise.all([mint(), mint(), mint()]);
  const ids = tokens.map(({ json }) => readToken(json.token).claims.jti.toString('hex'));
  expect(new Set(ids).size).toBe(3);
});

test('a backend chooses the life of a token and the only body that it is for', async () => {
  const body_hash = '0a'.repeat(32);
  const { json } = await mint({ body_hash, ttl_s: 300 });
  const { claims } = readToken(json.token);
  expect(json.expires_in).toBe(300);
  expect(claims.expiresAt - claims.issuedAt).toBe(300);
  expect(claims.bodyHash?.toString('hex')).toBe(body_hash);
});

test('a token of today carries the epoch of today', async () => {
  await service.api('POST', `${form.path}/end-tokens`);
  expect(readToken((await mint()).json.token).claims.epoch).toBe(2);
});

test('the origin is signed in the spelling of browsers', async () => {
  for (const [origin, signed] of [
    ['https://SHOP.example.com:443/', shop],
    ['https://any.example.org', 'https://any.example.org'],
  ] as const)
    expect(readToken((await mint({ origin })).json.token).claims.origin).toBe(signed);
});

test.each([
  ['another origin', { origin: 'https://evil.test' }, 'origin', 'not among the allowed origins'],
  ['a wildcard', { origin: 'https://*.example.org' }, 'origin', 'must be an origin'],
  ['a page', { origin: `${shop}/contact` }, 'origin', 'must be an origin'],
  ['localhost, unless it is turned on', { origin: 'http://localhost:3000' }, 'origin', 'not among'],
  ['a hash of another length', { body_hash: 'ab' }, 'body_hash', 'SHA-256'],
  ['a life that is too long', { ttl_s: 301 }, 'ttl_s', 'at most 300'],
  ['a form that is no ID', { form: 'contact' }, 'form', ''],
])('%s is refused with the member that is wrong', async (_, body, field, message) => {
  const { status, json } = await mint(body);
  expect([status, json.code]).toEqual([422, 'invalid_input']);
  expect(json.errors).toEqual([{ field, message: expect.stringContaining(message) }]);
});

test('an origin that was removed gets no more tokens, and localhost none after a day', async () => {
  await service.api('PUT', form.path, { ...settings, origins: ['https://other.example'], localhost: true });
  expect((await mint()).json.errors[0].field).toBe('origin');
  const local = { origin: 'http://localhost:3000' };
  expect((await mint(local)).status).toBe(201);
  clock.advance(dayMs);
  expect((await mint(local)).status).toBe(422);
});

test('a form that accepts no leads from pages gives no token, and says why', async () => {
  const formPath = `/workspaces/${workspaceId}/forms/${form.formId}`;
  await service.api('PATCH', formPath, { active: false });
  expect((await mint()).json).toMatchObject({
    status: 409,
    code: 'browser_disabled',
    detail: expect.stringContaining('inactive'),
  });
  await service.api('PATCH', formPath, { active: true });
  await service.api('PUT', form.path, { ...settings, enabled: false });
  expect((await mint()).json).toMatchObject({
    status: 409,
    code: 'browser_disabled',
    detail: expect.stringContaining('Turn on'),
  });
  const never = await createPageForm(service, workspaceId);
  expect((await mint({ form: never.formId })).json.code).toBe('browser_disabled');
});

test('a form of another workspace looks like one that does not exist; a deleted form is gone, too', async () => {
  const foreign = await createPageForm(service);
  await service.api('PUT', foreign.path, settings);
  const unknown = await mint({ form: randomUUID() });
  expect([unknown.status, unknown.json.detail]).toEqual([404, 'There is no such form.']);
  expect((await mint({ form: foreign.formId })).text).toBe(unknown.text);
  await service.api('DELETE', `/workspaces/${workspaceId}/forms/${form.formId}`);
  expect((await mint()).text).toBe(unknown.text);
});

test('the operator key creates tokens for every workspace, unless it is suspended', async () => {
  const foreign = await createPageForm(service);
  await service.api('PUT', foreign.path, settings);
  const { status, json } = await mint({ form: foreign.formId }, service.operatorKey);
  expect(status).toBe(201);
  expect(readToken(json.token).claims.workspaceId).toBe(foreign.workspaceId);
  const path = `/workspaces/${foreign.workspaceId}`;
  await service.api('PATCH', path, { status: 'suspended', reason: 'Unpaid' });
  expect((await mint({ form: foreign.formId }, service.operatorKey)).json.code).toBe('suspended');
});

test('a key without the scope, a revoked key and a session get no token', async () => {
  const other = await createApiKey(service, workspaceId, ['forms:write', 'tokens:write']);
  expect((await mint({}, other.key)).json.code).toBe('scope_missing');
  const ended = await createApiKey(service, workspaceId, ['browser:mint']);
  await service.api('DELETE', `/workspaces/${workspaceId}/api-keys/${ended.id}`);
  expect((await mint({}, ended.key)).status).toBe(401);
  const owner = await join(service, workspaceId, 'owner@example.com', 'owner');
  const byCookie = await owner.api('POST', '/browser/tokens', { form: form.formId, origin: shop });
  expect([byCookie.status, byCookie.json]).toEqual([403, { status: 'refused' }]);
});

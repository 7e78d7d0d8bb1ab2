import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isWellFormedPublicKey } from '../../../src/domain/browser/public-key.ts';
import { allowsOrigin } from '../../../src/ingest/directory/browser-entry.ts';
import { dayMs, hourMs } from '../../../src/time/clock.ts';
import { type Browser, goodPassword, join } from '../../support/browser/browser.ts';
import { ManualClock } from '../../support/clocks.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { callWithKey, createApiKey } from '../api-keys/key-holder.ts';
import { createWorkspace, Seed } from '../leads/seed.ts';
import { ChangeReader } from '../live/change-reader.ts';
import { createPageForm, formSince, type PageForm, presentRevision, shop } from './page-form.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;
let seed: Seed;
let workspaceId: string;
let owner: Browser;
let form: PageForm;

beforeAll(async () => {
  service = await startTestService({ clock });
  seed = new Seed(service);
  workspaceId = await createWorkspace(service, 'Engines');
  owner = await join(service, workspaceId, 'owner@example.com', 'owner');
});
beforeEach(async () => {
  clock.advance(1_000);
  form = await createPageForm(service, workspaceId);
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const save = (body: object) => owner.api('PUT', form.path, body);
const read = async () => (await owner.api('GET', form.path)).json;
const enabled = { enabled: true, origins: [shop] };
const keys = { site_key: '0x4AAA', secret: '0x4AAA-secret' };

test('a form without settings shows the default ones, turned off and without a public key', async () => {
  expect(await read()).toEqual({
    enabled: false,
    public_key: null,
    origins: [],
    protection: 'work',
    ttl_s: 120,
    no_script: false,
    thanks_url: null,
    captcha: null,
    localhost_until: null,
    epoch: 1,
    mint_secret: { set_at: null, previous_valid_until: null },
    sdk: { url: `${service.url}/sdk/v1.js`, hashed_url: null, integrity: null },
    dummy_keys: {
      accepted: 'ingt_pub_test_always_accepted',
      rejected: 'ingt_pub_test_always_rejected',
      spent: 'ingt_pub_test_always_spent',
    },
  });
});

test('the first settings create the public key, which later settings keep', async () => {
  const { status, json } = await save(enabled);
  expect([status, json.enabled, json.origins]).toEqual([200, true, [shop]]);
  expect(isWellFormedPublicKey(json.public_key)).toBe(true);
  const changed = await save({ enabled: false, origins: [shop, 'https://*.example.org'], ttl_s: 60 });
  expect(changed.json).toMatchObject({ public_key: json.public_key, enabled: false, ttl_s: 60 });
  expect(await read()).toEqual(changed.json);
});

test('origins are kept once each, in the spelling of browsers', async () => {
  const origins = ['https://Shop.Example.com:443/', shop, 'https://BÜCHER.example', 'https://*.example.com'];
  const { json } = await save({ enabled: true, origins });
  expect(json.origins).toEqual([shop, 'https://xn--bcher-kva.example', 'https://*.example.com']);
});

test('what is saved is in the next read of the directory, which nothing else is needed for', async () => {
  const before = await presentRevision(service);
  const { json } = await save({ ...enabled, protection: 'turnstile', captcha: keys, ttl_s: 300 });
  expect(await formSince(service, form, before)).toMatchObject({
    isEnabled: true,
    publicKey: json.public_key,
    protection: 'turnstile',
    captcha: { siteKey: keys.site_key, secret: keys.secret },
    ttlSeconds: 300,
  });
  const then = await presentRevision(service);
  await save({ ...enabled, enabled: false });
  expect(await formSince(service, form, then)).toMatchObject({ isEnabled: false });
});

test.each([
  ['enabled without an origin', { enabled: true, origins: [] }, 'origins', 'at least one page'],
  ['no script without a page to go to', { ...enabled, no_script: true }, 'thanks_url', 'is required'],
  ['a captcha without keys', { ...enabled, protection: 'turnstile' }, 'captcha', 'needs a site key'],
  [
    'a captcha without a secret',
    { ...enabled, protection: 'hcaptcha', captcha: { site_key: 'a' } },
    'captcha.secret',
    'needs the secret',
  ],
  [
    'an origin with a path',
    { enabled: true, origins: ['https://a.example/b'] },
    'origins[0]',
    'without path',
  ],
  ['an origin for all', { enabled: true, origins: ['https://*'] }, 'origins[0]', 'must be an origin'],
  ['a life that is too long', { ...enabled, ttl_s: 301 }, 'ttl_s', 'at most 300'],
  ['a page that is a script', { ...enabled, thanks_url: 'javascript:alert(1)' }, 'thanks_url', 'https://'],
  ['an unknown protection', { ...enabled, protection: 'magic' }, 'protection', 'use one of'],
  ['an unknown member', { ...enabled, public_key: 'x' }, 'public_key', ''],
])('%s is refused with the member that is wrong, and changes nothing', async (_, body, field, message) => {
  const { status, json } = await save(body);
  expect([status, json.code]).toEqual([422, 'invalid_input']);
  expect(json.errors).toEqual([{ field, message: expect.stringContaining(message) }]);
  expect(await read()).toMatchObject({ enabled: false, public_key: null });
});

test('the keys of a captcha stay when they are left out, and the secret is never shown', async () => {
  await save({ ...enabled, protection: 'turnstile', captcha: keys });
  const { json, text } = await save({ ...enabled, protection: 'turnstile', captcha: { site_key: '0x4BBB' } });
  expect(json.captcha).toEqual({ site_key: '0x4BBB', has_secret: true });
  expect(text).not.toContain(keys.secret);
  const [row] = await seed.query('select b::text as text from browser_settings b where form_id = $1', [
    form.formId,
  ]);
  expect(row?.text).not.toContain(keys.secret);
  expect((await save({ ...enabled, protection: 'turnstile' })).json.captcha.site_key).toBe('0x4BBB');
});

test('the secret of one captcha service is not sent to another', async () => {
  await save({ ...enabled, protection: 'turnstile', captcha: keys });
  const { status, json } = await save({ ...enabled, protection: 'hcaptcha', captcha: { site_key: 'b' } });
  expect([status, json.errors[0].field]).toEqual([422, 'captcha.secret']);
  expect((await save({ ...enabled, protection: 'work' })).json.captcha).toBeNull();
  expect((await save({ ...enabled, protection: 'hcaptcha' })).json.errors[0].field).toBe('captcha');
});

test('localhost is allowed for 24 hours, which saving something else does not prolong', async () => {
  const { json } = await save({ enabled: true, origins: [], localhost: true });
  const until = new Date(clock.now() + dayMs).toISOString();
  expect(json.localhost_until).toBe(until);
  clock.advance(hourMs);
  expect((await save({ ...enabled, ttl_s: 90 })).json.localhost_until).toBe(until);
  const entry = await formSince(service, form, 0);
  const isAllowed = (at: number) => entry != null && allowsOrigin(entry, 'http://localhost:5173', at);
  expect([isAllowed(Date.parse(until) - 1), isAllowed(Date.parse(until))]).toEqual([true, false]);
  expect((await save({ ...enabled, localhost: false })).json.localhost_until).toBeNull();
  await save({ ...enabled, localhost: true });
  clock.advance(dayMs);
  expect((await read()).localhost_until).toBeNull();
});

test('the page after a form without script is kept in ASCII, as a header needs it', async () => {
  const { json } = await save({
    ...enabled,
    no_script: true,
    thanks_url: 'https://shop.example.com/größe?ü',
  });
  expect(json.thanks_url).toBe('https://shop.example.com/gr%C3%B6%C3%9Fe?%C3%BC');
});

test('ending all tokens raises the epoch, also for a form without settings', async () => {
  const before = await presentRevision(service);
  const { status, json } = await owner.api('POST', `${form.path}/end-tokens`);
  expect([status, json.epoch, json.enabled]).toEqual([200, 2, false]);
  await save(enabled);
  expect((await owner.api('POST', `${form.path}/end-tokens`)).json).toMatchObject({
    epoch: 3,
    enabled: true,
  });
  expect(await formSince(service, form, before)).toMatchObject({ epoch: 3, isEnabled: true });
});

test('a deleted form has no settings, and its secrets are erased', async () => {
  await save({ ...enabled, protection: 'turnstile', captcha: keys });
  expect((await service.api('POST', `${form.path}/mint-secret`, {})).status).toBe(201);
  const before = await presentRevision(service);
  await owner.api('DELETE', `/workspaces/${workspaceId}/forms/${form.formId}`);
  expect(await formSince(service, form, before)).toMatchObject({
    isEnabled: false,
    captcha: null,
    mintSecrets: [],
  });
  for (const [method, body] of [['GET'], ['PUT', enabled]] as const)
    expect((await owner.api(method, form.path, body)).status).toBe(404);
});

test('members read the settings and owners change them; someone who was removed does neither', async () => {
  const member = await join(service, workspaceId, `member-${form.formId}@example.com`, 'member');
  expect((await member.api('GET', form.path)).status).toBe(200);
  expect((await member.api('PUT', form.path, enabled)).json.code).toBe('forbidden');
  expect((await member.api('POST', `${form.path}/end-tokens`)).json.code).toBe('forbidden');
  const { id } = (await member.api('GET', '/me')).json.user;
  await owner.api('DELETE', `/workspaces/${workspaceId}/members/${id}`);
  expect((await member.api('GET', form.path)).status).toBe(404);
  expect((await read()).enabled).toBe(false);
});

test('an API key needs the scopes of forms, and its own workspace', async () => {
  const writer = await createApiKey(service, workspaceId, ['forms:write']);
  const reader = await createApiKey(service, workspaceId, ['forms:read']);
  const foreign = await createApiKey(service, await createWorkspace(service), ['forms:write', 'forms:read']);
  const status = async (key: string, method: string, body?: object) =>
    (await callWithKey(service, key, method, form.path, body)).status;
  expect(await status(writer.key, 'PUT', enabled)).toBe(200);
  expect(await status(reader.key, 'GET')).toBe(200);
  expect(await status(reader.key, 'PUT', enabled)).toBe(403);
  expect(await status(foreign.key, 'GET')).toBe(404);
  expect(await status(foreign.key, 'PUT', enabled)).toBe(404);
});

test('a page that shows the form learns that its settings have changed', async () => {
  const changes = await ChangeReader.open(service, workspaceId, owner);
  try {
    await changes.until(({ events }) => events.some(({ event }) => event === 'in_step'));
    await save(enabled);
    await changes.until((reader) => reader.names(workspaceId).includes('forms'));
  } finally {
    changes.close();
  }
});

test('the audit log says what was done, with the values that are no secrets', async () => {
  const newest = async () => {
    const { items } = (await owner.api('GET', `/workspaces/${workspaceId}/audit?limit=1`)).json;
    clock.advance(1_000);
    return items[0];
  };
  // A new secret asks for a recent password.
  await owner.api('POST', '/me/password-check', { password: goodPassword });
  clock.advance(1_000);
  await save({ ...enabled, protection: 'turnstile', captcha: keys });
  const entry = await newest();
  expect(entry.text).toBe('owner changed the web page settings of Contact');
  expect(entry.changes).toMatchObject({
    enabled: true,
    origins: [shop],
    protection: 'turnstile',
    captcha: '…',
  });
  await save({ ...enabled, thanks_url: 'https://shop.example.com/thanks?key=secret' });
  expect((await newest()).changes.thanks_url).toBe('shop.example.com');
  await save({ ...enabled, enabled: false });
  expect((await newest()).text).toBe('owner turned off leads from web pages for Contact');
  await owner.api('POST', `${form.path}/end-tokens`);
  expect((await newest()).text).toBe('owner ended all browser tokens of Contact');
  await owner.api('POST', `${form.path}/mint-secret`, { overlap_seconds: 60 });
  expect(await newest()).toMatchObject({
    text: 'owner created a mint secret for Contact',
    changes: { overlap_seconds: 60 },
  });
  await owner.api('POST', `${form.path}/mint-secret`, {});
  expect((await newest()).text).toBe('owner rotated the mint secret of Contact');
});

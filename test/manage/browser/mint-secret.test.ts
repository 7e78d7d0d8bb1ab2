import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { mintSecretKey } from '../../../src/domain/browser/signing-keys.ts';
import { dayMs, hourMs, minuteMs } from '../../../src/time/clock.ts';
import { type Browser, join } from '../../support/browser/browser.ts';
import { ManualClock } from '../../support/clocks.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { callWithKey, createApiKey } from '../api-keys/key-holder.ts';
import { createWorkspace, Seed } from '../leads/seed.ts';
import { createPageForm, formSince, type PageForm, presentRevision } from './page-form.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;
let seed: Seed;
let form: PageForm;

beforeAll(async () => {
  service = await startTestService({ clock });
  seed = new Seed(service);
});
beforeEach(async () => {
  form = await createPageForm(service);
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const rotate = (body: object = {}, by: Pick<Browser, 'api'> = service) =>
  by.api('POST', `${form.path}/mint-secret`, body);
const kidsSince = async (revision: number) =>
  (await formSince(service, form, revision))?.mintSecrets.map(({ kid, validUntil }) => [kid, validUntil]);
const kidOf = (secret: string) => mintSecretKey(secret).kid;

test('a mint secret comes with everything that a backend signs, and every instance learns it', async () => {
  const before = await presentRevision(service);
  const { status, json } = await rotate();
  expect(status).toBe(201);
  expect(json).toEqual({
    secret: expect.stringMatching(/^ingt_mint_\w{20,}$/),
    workspace_id: form.workspaceId,
    form_id: form.formId,
    epoch: 1,
    previous_valid_until: null,
  });
  expect(await kidsSince(before)).toEqual([[kidOf(json.secret), Number.POSITIVE_INFINITY]]);
  const set_at = new Date(clock.now()).toISOString();
  expect((await service.api('GET', form.path)).json).toMatchObject({
    enabled: false,
    mint_secret: { set_at, previous_valid_until: null },
  });
});

test('with an overlap the previous secret stays valid until its end, without one it ends immediately', async () => {
  const first = (await rotate({ overlap_seconds: 3600 })).json;
  expect(first.previous_valid_until).toBeNull();
  const second = (await rotate({ overlap_seconds: 3600 })).json;
  const until = clock.now() + hourMs;
  expect(second.previous_valid_until).toBe(new Date(until).toISOString());
  expect(await kidsSince(0)).toEqual([
    [kidOf(second.secret), Number.POSITIVE_INFINITY],
    [kidOf(first.secret), until],
  ]);
  clock.advance(hourMs);
  expect((await service.api('GET', form.path)).json.mint_secret.previous_valid_until).toBeNull();
  const third = (await rotate()).json;
  expect(await kidsSince(0)).toEqual([[kidOf(third.secret), Number.POSITIVE_INFINITY]]);
});

test('the secret is stored encrypted, and neither the settings nor the audit log show it', async () => {
  const { secret } = (await rotate({ overlap_seconds: 60 })).json;
  await rotate({ overlap_seconds: 60 });
  const stored = await seed.query(
    `select (select string_agg(b::text, ' ') from browser_settings b) as settings,
       (select string_agg(a::text, ' ') from audit_log a) as audit`,
  );
  expect(JSON.stringify(stored)).not.toContain(secret);
  expect((await service.api('GET', form.path)).text).not.toContain(secret);
});

test.each([
  [{ overlap_seconds: -1 }, 'overlap_seconds'],
  [{ overlap_seconds: 604_801 }, 'overlap_seconds'],
  [{ secret: 'my own' }, 'secret'],
])('%j is refused, and the secret stays', async (body, field) => {
  const { secret } = (await rotate()).json;
  const { status, json } = await rotate(body);
  expect([status, json.errors[0].field]).toEqual([422, field]);
  expect((await kidsSince(0))?.[0]?.[0]).toBe(kidOf(secret));
});

test('only owners get a mint secret, with their password entered, and no API key does', async () => {
  const owner = await join(service, form.workspaceId, `o-${form.formId}@example.com`, 'owner');
  const member = await join(service, form.workspaceId, `m-${form.formId}@example.com`, 'member');
  const { key } = await createApiKey(service, form.workspaceId, ['forms:write', 'browser:mint']);
  const byKey = await callWithKey(service, key, 'POST', `${form.path}/mint-secret`, {});
  expect((await rotate({}, member)).json.code).toBe('forbidden');
  expect(byKey.json.code).toBe('forbidden');
  expect((await rotate({}, owner)).status).toBe(201);
  clock.advance(10 * minuteMs);
  expect((await rotate({}, owner)).json.code).toBe('password_needed');
});

test('the owner of another workspace finds no form there', async () => {
  const other = await createWorkspace(service);
  const path = `/workspaces/${other}/forms/${form.formId}/browser/mint-secret`;
  const { status, json } = await service.api('POST', path, {});
  expect([status, json.detail]).toEqual([404, 'There is no such form.']);
  clock.advance(dayMs);
  expect((await service.api('GET', form.path)).json.mint_secret.set_at).toBeNull();
});

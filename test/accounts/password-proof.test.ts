import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { asksForPassword, type CallDeclaration, operationId } from '../../src/contract/call.ts';
import { calls } from '../../src/contract/calls.ts';
import { minuteMs } from '../../src/time/clock.ts';
import { createForm, createWorkspace, Seed } from '../manage/leads/seed.ts';
import { Browser, goodPassword, invite, join, makeOperator } from '../support/browser/browser.ts';
import { ManualClock } from '../support/clocks.ts';
import { eventually } from '../support/diagnostics.ts';
import { startTestService, type TestService } from '../support/service.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
const email = 'ada@example.com';
let service: TestService;
let seed: Seed;
let ids: Record<string, string>;
/** An owner and operator. */
let ada: Browser;

beforeAll(async () => {
  service = await startTestService({ clock, env: { TRUST_PROXY: '1' } });
  seed = new Seed(service);
  const workspace_id = await createWorkspace(service, 'Engines');
  const form_id = (await createForm(service, workspace_id)).id;
  const token = await service.api('POST', `/workspaces/${workspace_id}/tokens`, { name: 'Backend', form_id });
  ada = await join(service, workspace_id, email, 'owner');
  await makeOperator(service, ada);
  const max = await join(service, workspace_id, 'max@example.com', 'member');
  await invite(service, workspace_id, 'invited@example.com', 'member');
  const invitations = await service.api('GET', `/workspaces/${workspace_id}/invitations`);
  const person_id = (await max.api('GET', '/me')).json.user.id;
  const invitation_id = invitations.json.items[0].id;
  const destination = await service.api('POST', `/workspaces/${workspace_id}/destinations`, newDestination);
  const destination_id = destination.json.id;
  ids = { workspace_id, form_id, token_id: token.json.id, person_id, invitation_id, destination_id };
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});
// Signed in just now.
beforeEach(async () => {
  ada = new Browser(service.url);
  expect((await ada.signIn(email)).status).toBe(200);
});

const newDestination = { name: 'CRM', kind: 'webhook', url: 'https://hooks.receiver-public.com/leads' };
/** A valid body of each call that asks; a new call needs one, too. */
const bodies: Record<string, () => object> = {
  createAnIngestToken: () => ({ name: 'Website', form_id: ids.form_id }),
  rotateAnIngestToken: () => ({}),
  createAHandOverLink: () => ({ ciphertext: 'A'.repeat(100) }),
  setOrRotateTheWebhookSecret: () => ({}),
  createOrRotateTheMintSecretOfAForm: () => ({}),
  inviteAPerson: () => ({ email: 'grace@example.com', role: 'member' }),
  sendAnInvitationAgain: () => ({}),
  makeALinkToANewPassword: () => ({}),
  makeALinkToANewPasswordForAnybody: () => ({ email: 'max@example.com' }),
  setTheEnrichmentProviderOfAWorkspace: () => ({
    url: 'https://api.provider-public.com/v1/companies',
    mapping: { 'company.industry': 'industry' },
  }),
  createAnApiKey: () => ({ name: 'Zapier', scopes: ['leads:read'] }),
  createADestination: () => newDestination,
  changeADestination: () => ({ name: 'Other CRM' }),
  rotateTheSecretOfADestination: () => ({}),
  makeAPersonAnOperatorOrNoLongerOne: () => ({ person_id: ids.person_id, operator: true }),
};
const asking = calls.filter(asksForPassword).map((call) => [operationId(call), call] as const);

function make(by: Pick<Browser, 'api'>, call: CallDeclaration) {
  const path = call.path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] as string);
  return by.api(call.method.toUpperCase(), path, bodies[operationId(call)]?.());
}

const createToken = () =>
  calls.find((call) => operationId(call) === 'createAnIngestToken') as CallDeclaration;
const check = (browser: Browser, password = goodPassword) =>
  browser.api('POST', '/me/password-check', { password });
/** Everything that a refused call could have changed. */
const stored = () =>
  seed.query(`select (select count(*) from tokens) as tokens, (select count(*) from invitations) as invitations,
    (select count(*) from password_resets) as links, (select count(*) from token_handovers) as handovers, (select count(*) from webhook_secrets) as secrets,
    (select count(mint_secret_ciphertext) from browser_settings) as mint_secrets,
    (select count(*) from enrichment_providers) as providers, (select count(*) from api_keys) as keys,
    (select count(*) from destinations) as destinations, (select sum(version) from destinations) as changes, (select count(*) from audit_log where not completed) as open,
    (select count(*) from people where operator) as operators`);

test('every call that shows a secret asks for the password', () => {
  expect(asking.map(([name]) => name).toSorted()).toEqual(Object.keys(bodies).toSorted());
  // Reading the enrichment provider has the same shape as setting it, without the secret.
  // Nobody can create a browser token in a session.
  const ofPeople = calls.filter(({ access }) => access.by !== 'operator_key');
  const shows = ofPeople.filter(
    ({ method, answer }) =>
      method !== 'get' && /"(token|key|secret|signing_secret|link)"/.test(membersOf(answer)),
  );
  expect(shows.filter((call) => !asksForPassword(call)).map(operationId)).toEqual([]);
  // To make someone an operator, or to send leads elsewhere, shows nothing.
  expect(shows.length).toBe(asking.length - 2);
});

interface Shaped {
  readonly shape?: object;
  /** Of a union. */
  readonly options?: readonly Shaped[];
}

function membersOf({ body }: CallDeclaration['answer']): string {
  const { shape = {}, options = [] } = (body ?? {}) as Shaped;
  return JSON.stringify([shape, ...options.map((one) => one.shape ?? {})].flatMap(Object.keys));
}

test.each(asking)(
  '%s is refused ten minutes after the password was entered, and changes nothing',
  async (_, call) => {
    clock.advance(10 * minuteMs);
    const before = await stored();
    const answer = await make(ada, call);
    expect([answer.status, answer.json.code]).toEqual([403, 'password_needed']);
    expect(await stored()).toEqual(before);
  },
);

test.each(asking)('%s is not asked for with the operator key, nor within ten minutes', async (_, call) => {
  expect((await make(service, call)).status).toBeLessThan(300);
  clock.advance(10 * minuteMs - 1);
  // Some can be done only once.
  expect((await make(ada, call)).json.code).not.toBe('password_needed');
});

test('confirming the password counts for ten more minutes, in this session only', async () => {
  const other = new Browser(service.url);
  await other.signIn(email);
  clock.advance(10 * minuteMs);
  expect((await check(ada)).status).toBe(204);
  expect((await make(ada, createToken())).status).toBe(201);
  expect((await make(other, createToken())).json.code).toBe('password_needed');
  clock.advance(10 * minuteMs);
  expect((await make(ada, createToken())).json.code).toBe('password_needed');
});

test('using and renewing a session does not count as entering the password', async () => {
  const { id } = (await ada.call('GET', '/auth/get-session')).json.session;
  clock.advance(10 * minuteMs);
  await seed.query(`update sessions set expires_at = expires_at - interval '2 days' where id = $1`, [id]);
  const renewed = await ada.api('GET', '/me');
  expect(renewed.headers.getSetCookie()).not.toEqual([]);
  expect((await make(ada, createToken())).json.code).toBe('password_needed');
});

test('a session of an earlier version is asked by its beginning', async () => {
  await seed.query('update sessions set password_checked_at = null, created_at = $1', [
    new Date(clock.now() - 10 * minuteMs),
  ]);
  expect((await make(ada, createToken())).json.code).toBe('password_needed');
  expect((await check(ada)).status).toBe(204);
  expect((await make(ada, createToken())).status).toBe(201);
});

test('a clock that was set back does not prolong it', async () => {
  clock.advance(-11 * minuteMs);
  expect((await make(ada, createToken())).json.code).toBe('password_needed');
  clock.advance(11 * minuteMs);
});

test('changing the password counts as entering it', async () => {
  clock.advance(10 * minuteMs);
  const body = { currentPassword: goodPassword, newPassword: 'nine blue umbrellas' };
  expect((await ada.call('POST', '/auth/change-password', body)).status).toBe(200);
  expect((await make(ada, createToken())).status).toBe(201);
  await ada.call('POST', '/auth/change-password', {
    currentPassword: body.newPassword,
    newPassword: goodPassword,
  });
});

test('invalid input is reported before the password is asked for, and missing permissions before both', async () => {
  clock.advance(10 * minuteMs);
  const path = `/workspaces/${ids.workspace_id}/tokens`;
  expect((await ada.api('POST', path, { name: '' })).json.code).toBe('invalid_input');
  const max = new Browser(service.url);
  await max.signIn('max@example.com');
  clock.advance(10 * minuteMs);
  expect((await max.api('POST', path, {})).json.code).toBe('forbidden');
});

test('only a person with a session can confirm a password', async () => {
  expect((await check(new Browser(service.url))).status).toBe(401);
  expect((await service.api('POST', '/me/password-check', { password: goodPassword })).status).toBe(403);
  const elsewhere = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
  const forged = await ada.call('POST', '/v1/me/password-check', { password: goodPassword }, elsewhere);
  expect(forged.json.code).toBe('cross_site');
});

test('guesses are limited together with sign-ins, recorded, and give no proof', async () => {
  clock.advance(10 * minuteMs);
  const address = '203.0.113.9';
  const guess = (password: string) =>
    ada.call(
      'POST',
      '/v1/me/password-check',
      { password },
      { ...ada.ownHeaders, 'X-Forwarded-For': address },
    );
  for (let i = 0; i < 10; i++) {
    const { status, json } = await guess(`guess number ${i}`);
    expect([status, json.errors]).toEqual([422, [{ field: 'password', message: 'wrong password' }]]);
  }
  for (const password of ['guess number 10', goodPassword]) {
    const { status, json } = await guess(password);
    expect([status, json.code]).toEqual([429, 'too_many_requests']);
  }
  const signIn = await ada.call(
    'POST',
    '/auth/sign-in/email',
    { email, password: goodPassword },
    { ...ada.ownHeaders, 'X-Forwarded-For': address },
  );
  expect(signIn.status).toBe(429);
  expect((await make(ada, createToken())).json.code).toBe('password_needed');
  const texts = async (): Promise<string[]> =>
    (await service.api('GET', `/workspaces/${ids.workspace_id}/audit`)).json.items.map(
      ({ text }: { text: string }) => text,
    );
  const found = await eventually(texts, (all) => all.some((text) => /too often/.test(text)));
  expect(found).toContainEqual(
    expect.stringMatching(/^ada entered a wrong password when asked to confirm it/),
  );
});

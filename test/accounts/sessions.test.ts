import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Accounts } from '../../src/manage/accounts/accounts.ts';
import { createManagement } from '../../src/manage/management.ts';
import { createWorkspace } from '../manage/leads/seed.ts';
import { Browser, goodPassword, join } from '../support/browser/browser.ts';
import { openTestPool } from '../support/database/database.ts';
import { managementDeps } from '../support/management.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let workspaceId: string;
let pool: pg.Pool;
let people = 0;

beforeAll(async () => {
  service = await startTestService();
  workspaceId = await createWorkspace(service);
  pool = openTestPool(service.databaseUrl);
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});

async function newPerson(): Promise<{ email: string; browser: Browser }> {
  const email = `person${people++}@example.com`;
  return { email, browser: await join(service, workspaceId, email, 'member') };
}

async function statusOfMe(browser: Browser): Promise<number> {
  return (await browser.api('GET', '/me')).status;
}

test('a person signs in with any spelling of the email, and out again', async () => {
  const { email } = await newPerson();
  const browser = new Browser(service.url);
  const answer = await browser.signIn(` ${email.toUpperCase()} `);
  expect(answer.status).toBe(200);
  expect(answer.json.user.email).toBe(email);
  expect(await statusOfMe(browser)).toBe(200);
  const stolen = new Map(browser.cookies);
  expect((await browser.call('POST', '/auth/sign-out')).status).toBe(200);
  expect(browser.cookies.size).toBe(0);
  const thief = new Browser(service.url);
  for (const [name, value] of stolen) thief.cookies.set(name, value);
  expect(await statusOfMe(thief)).toBe(401);
});

test('an unknown person and a wrong password get the same response', async () => {
  const { email } = await newPerson();
  const wrong = await new Browser(service.url).signIn(email, 'not the password');
  const unknown = await new Browser(service.url).signIn('nobody@example.com', 'not the password');
  expect([wrong.status, wrong.text]).toEqual([unknown.status, unknown.text]);
  expect(wrong.json).toMatchObject({ status: 401, code: 'wrong_credentials' });
  const names = (answer: typeof wrong) => [...answer.headers.keys()].sort();
  expect(names(wrong)).toEqual(names(unknown));
});

test('the cookie cannot be read by scripts, goes to no other site, and is secure when the service is', async () => {
  const { email } = await newPerson();
  const plain = (await new Browser(service.url).signIn(email)).headers.getSetCookie()[0];
  expect(plain).toMatch(/^leadgate_session=.*; Path=\/; HttpOnly; SameSite=Lax$/);
  const secure = await managementAt('https://leads.example.com').request('/api/auth/sign-in/email', {
    method: 'POST',
    headers: { origin: 'https://leads.example.com' },
    body: JSON.stringify({ email, password: goodPassword }),
  });
  const attributes = /^__Host-leadgate_session=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/;
  expect(secure.headers.getSetCookie()[0]).toMatch(attributes);
});

function managementAt(url: string) {
  const publicUrl = () => url;
  const log = pino({ level: 'silent' });
  const { clock } = service;
  const accounts = new Accounts({ pool, clock, log, publicUrl, encryptionKey: 'x'.repeat(32) });
  return createManagement(managementDeps(pool, log, { publicUrl, accounts }));
}

test('a new session begins at each sign-in, whatever cookie the browser had', async () => {
  const { email, browser } = await newPerson();
  const before = browser.cookies.get('leadgate_session');
  await browser.signIn(email);
  expect(browser.cookies.get('leadgate_session')).not.toBe(before);
});

test('a forged cookie, or a token read from the database, is no session', async () => {
  const { browser } = await newPerson();
  const cookie = decodeURIComponent(browser.cookies.get('leadgate_session') as string);
  const [token = ''] = cookie.split('.');
  const { rows } = await pool.query('select token from sessions where token = $1', [token]);
  expect(rows).toHaveLength(1);
  for (const forged of [token, `${token}.`, `${token}.${'A'.repeat(43)}=`, '']) {
    const thief = new Browser(service.url);
    thief.cookies.set('leadgate_session', encodeURIComponent(forged));
    expect(await statusOfMe(thief)).toBe(401);
  }
});

test('the token of a session is not in what scripts can read of signing in', async () => {
  const { email } = await newPerson();
  const browser = new Browser(service.url);
  const answer = await browser.signIn(email);
  const token = decodeURIComponent(browser.cookies.get('leadgate_session') as string).split('.')[0] as string;
  expect(answer.text).not.toContain(token);
});

test('sessions are listed, and revoking one ends it immediately on every instance', async () => {
  const { email, browser } = await newPerson();
  const other = new Browser(service.url);
  await other.signIn(email);
  const second = await startTestService({ databaseUrl: service.databaseUrl });
  const elsewhere = new Browser(second.url);
  for (const [name, value] of other.cookies) elsewhere.cookies.set(name, value);
  expect(await statusOfMe(elsewhere)).toBe(200);

  const { json: sessions } = await browser.call('GET', '/auth/list-sessions');
  expect(sessions).toHaveLength(2);
  expect(sessions[0]).toMatchObject({ ipAddress: '127.0.0.1', userAgent: expect.any(String) });
  const token = decodeURIComponent(other.cookies.get('leadgate_session') as string).split('.')[0];
  expect((await browser.call('POST', '/auth/revoke-session', { token })).status).toBe(200);
  expect(await statusOfMe(elsewhere)).toBe(401);
  expect(await statusOfMe(browser)).toBe(200);
  await second.stop();
});

test("nobody ends another person's session", async () => {
  const { browser } = await newPerson();
  const { browser: victim } = await newPerson();
  const token = decodeURIComponent(victim.cookies.get('leadgate_session') as string).split('.')[0];
  await browser.call('POST', '/auth/revoke-session', { token });
  expect(await statusOfMe(victim)).toBe(200);
});

test('a changed password ends all other sessions, and the old one opens nothing', async () => {
  const { email, browser } = await newPerson();
  const other = new Browser(service.url);
  await other.signIn(email);
  const newPassword = 'eight dry umbrellas';
  const change = { currentPassword: goodPassword, newPassword, revokeOtherSessions: false };
  expect((await browser.call('POST', '/auth/change-password', change)).status).toBe(200);
  expect(await statusOfMe(browser)).toBe(200);
  expect(await statusOfMe(other)).toBe(401);
  expect((await new Browser(service.url).signIn(email)).status).toBe(401);
  expect((await new Browser(service.url).signIn(email, newPassword)).status).toBe(200);
});

test.each([
  [
    { currentPassword: 'not the password', newPassword: 'eight dry umbrellas' },
    'currentPassword',
    'wrong password',
  ],
  [
    { currentPassword: goodPassword, newPassword: 'short' },
    'newPassword',
    'must have at least 10 characters',
  ],
  [{ currentPassword: goodPassword, newPassword: 'basketball' }, 'newPassword', 'is too common'],
])('the password change %j is refused', async (change, field, message) => {
  const { email, browser } = await newPerson();
  const { status, json } = await browser.call('POST', '/auth/change-password', change);
  expect(status).toBe(422);
  expect(json.errors).toEqual([{ field, message }]);
  expect((await new Browser(service.url).signIn(email)).status).toBe(200);
});

test.each([
  ['POST', '/auth/sign-up/email', { name: 'Eve', email: 'eve@example.com', password: goodPassword }],
  ['POST', '/auth/update-user', { name: 'Eve', operator: true }],
  ['POST', '/auth/change-email', { newEmail: 'eve@example.com' }],
  ['POST', '/auth/delete-user', {}],
  ['POST', '/auth/request-password-reset', { email: 'eve@example.com' }],
  ['GET', '/auth/error', undefined],
  ['GET', '/auth/ok', undefined],
])('%s %s is not there', async (method, path, body) => {
  const { browser } = await newPerson();
  const { status, json } = await browser.call(method, path, body);
  expect([status, json.code]).toEqual([404, 'not_found']);
});

test('sessions survive a restart of the service', async () => {
  const { email } = await newPerson();
  const { databaseUrl } = service;
  const before = await startTestService({ databaseUrl });
  const browser = new Browser(before.url);
  await browser.signIn(email);
  await before.stop();
  const after = await startTestService({ databaseUrl });
  const later = new Browser(after.url);
  for (const [name, value] of browser.cookies) later.cookies.set(name, value);
  expect(await statusOfMe(later)).toBe(200);
  await after.stop();
});

test('an expired session is not a session', async () => {
  const { browser, email } = await newPerson();
  await pool.query(
    "update sessions set expires_at = now() - interval '1 second' where person_id = (select id from people where email = $1)",
    [email],
  );
  expect(await statusOfMe(browser)).toBe(401);
});

test('a session ends after 30 days, however recently it was used, and no account call accepts it', async () => {
  const { browser, email } = await newPerson();
  const setAge = (age: string) =>
    pool.query(
      `update sessions set created_at = now() - $2::interval, expires_at = now() + interval '14 days'
       where person_id = (select id from people where email = $1)`,
      [email, age],
    );
  await setAge('29 days 23 hours');
  expect(await statusOfMe(browser)).toBe(200);
  const calls = [
    ['GET', '/auth/list-sessions', undefined],
    ['GET', '/v1/me', undefined],
    ['POST', '/auth/revoke-other-sessions', {}],
    ['POST', '/auth/change-password', { currentPassword: goodPassword, newPassword: 'nine blue umbrellas' }],
  ] as const;
  for (const [method, path, body] of calls) {
    await browser.signIn(email);
    await setAge('30 days');
    expect([path, (await browser.call(method, path, body)).status]).toEqual([path, 401]);
  }
  await browser.signIn(email);
  await setAge('30 days');
  expect((await browser.call('GET', '/auth/get-session')).json).toBeNull();
  const { rows } = await pool.query(
    'select from sessions where person_id = (select id from people where email = $1)',
    [email],
  );
  expect(rows).toEqual([]);
  expect((await browser.signIn(email)).status).toBe(200);
});

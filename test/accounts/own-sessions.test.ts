import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace } from '../manage/leads/seed.ts';
import { Browser, goodPassword, join } from '../support/browser/browser.ts';
import { openTestPool } from '../support/database/database.ts';
import { eventually } from '../support/diagnostics.ts';
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

interface Listed {
  readonly id: string;
  readonly current: boolean;
}

const agents = {
  laptop:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  phone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
};

async function signInWith(email: string, agent: string): Promise<Browser> {
  const browser = new Browser(service.url);
  const headers = { ...browser.ownHeaders, 'User-Agent': agent };
  await browser.call('POST', '/auth/sign-in/email', { email, password: goodPassword }, headers);
  return browser;
}

test('people see their sessions by browser and address, the current one first, without the tokens', async () => {
  const { email } = await newPerson();
  const phone = await signInWith(email, agents.phone);
  const laptop = await signInWith(email, agents.laptop);
  await pool.query(
    `update sessions set updated_at = now() - interval '3 days', ip_address = '203.0.113.9' where user_agent = $1`,
    [agents.laptop],
  );
  const { json, text } = await phone.api('GET', '/me/sessions');
  expect(json.items.slice(0, 1)).toMatchObject([
    { current: true, name: 'Safari on iPhone', address: '127.0.0.1', same_network: true },
  ]);
  expect(json.items.at(-1)).toMatchObject({
    current: false,
    name: 'Chrome on macOS',
    browser: 'Chrome',
    system: 'macOS',
    address: '203.0.113.9',
    same_network: false,
    created_at: expect.any(String),
    last_seen_at: expect.any(String),
  });
  const { rows } = await pool.query('select token from sessions');
  for (const { token } of rows) expect(text).not.toContain(token);
  // A session that is used again was seen now.
  expect(await statusOfMe(laptop)).toBe(200);
  const seen = async () => {
    const { rows } = await pool.query(
      "select from sessions where user_agent = $1 and updated_at > now() - interval '1 minute'",
      [agents.laptop],
    );
    return rows.length;
  };
  expect(await eventually(seen, (count) => count > 0)).toBe(1);
});

test('a session that is signed out ends immediately, and nobody signs out a session of another person', async () => {
  const { email, browser } = await newPerson();
  const { browser: stranger } = await newPerson();
  const other = new Browser(service.url);
  await other.signIn(email);
  const { json } = await other.api('GET', '/me/sessions');
  const { id } = json.items.find(({ current }: Listed) => current);
  expect((await stranger.api('DELETE', `/me/sessions/${id}`)).status).toBe(404);
  expect(await statusOfMe(other)).toBe(200);
  expect((await browser.api('DELETE', `/me/sessions/${id}`)).status).toBe(204);
  expect(await statusOfMe(other)).toBe(401);
  expect((await browser.api('DELETE', `/me/sessions/${id}`)).status).toBe(404);
  expect(await statusOfMe(browser)).toBe(200);
});

test('signing out others keeps this session, counts them, and is in the audit log', async () => {
  const { email, browser } = await newPerson();
  const { browser: stranger } = await newPerson();
  const others = [new Browser(service.url), new Browser(service.url)];
  for (const other of others) await other.signIn(email);
  const { json } = await browser.api('DELETE', '/me/sessions');
  expect(json).toEqual({ ended: 2 });
  for (const other of others) expect(await statusOfMe(other)).toBe(401);
  expect(await statusOfMe(browser)).toBe(200);
  expect(await statusOfMe(stranger)).toBe(200);
  expect((await browser.api('DELETE', '/me/sessions')).json).toEqual({ ended: 0 });
  const noted = async () =>
    (await pool.query("select actor_name, times from audit_log where action = 'otherSessionsEnded'")).rows;
  expect(await eventually(noted, (rows) => rows.length > 0)).toEqual([{ actor_name: email, times: 1 }]);
});

test('only people have sessions: the operator key and a stranger get none', async () => {
  const stranger = new Browser(service.url);
  for (const method of ['GET', 'DELETE']) {
    expect((await service.api(method, '/me/sessions')).status).toBe(403);
    expect((await stranger.api(method, '/me/sessions')).status).toBe(401);
  }
});

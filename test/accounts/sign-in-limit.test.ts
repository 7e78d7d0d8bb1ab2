import { afterAll, beforeAll, expect, test } from 'vitest';
import { minuteMs } from '../../src/time/clock.ts';
import { createWorkspace, Seed } from '../manage/leads/seed.ts';
import { Browser, join } from '../support/browser/browser.ts';
import { ManualClock } from '../support/clocks.ts';
import { startTestService, type TestService } from '../support/service.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;
let second: TestService;
let seed: Seed;
let people = 0;
let workspaceId: string;

beforeAll(async () => {
  const env = { TRUST_PROXY: '1' };
  service = await startTestService({ clock, env });
  second = await startTestService({ clock, env, databaseUrl: service.databaseUrl });
  seed = new Seed(service);
  workspaceId = await createWorkspace(service);
});
afterAll(async () => {
  await seed.stop();
  await second.stop();
  await service.stop();
});

async function newEmail(): Promise<string> {
  const email = `person${people++}@example.com`;
  await join(service, workspaceId, email, 'member');
  return email;
}

function signIn(on: TestService, email: string, password: string, address: string) {
  const browser = new Browser(on.url);
  const headers = { ...browser.ownHeaders, 'X-Forwarded-For': address };
  return browser.call('POST', '/auth/sign-in/email', { email, password }, headers);
}

const right = 'seven wet umbrellas';

test('after ten wrong passwords for an account, an address has to wait on every instance, and others do not', async () => {
  const email = await newEmail();
  for (let i = 0; i < 10; i++) {
    expect(
      (await signIn(i % 2 === 0 ? service : second, email, 'wrong password', '203.0.113.1')).status,
    ).toBe(401);
  }
  for (const instance of [service, second]) {
    const refused = await signIn(instance, email, right, '203.0.113.1');
    expect([refused.status, refused.json.code]).toEqual([429, 'too_many_requests']);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(300);
  }
  expect((await signIn(service, email, right, '203.0.113.2')).status).toBe(200);
  clock.advance(5 * minuteMs);
  expect((await signIn(service, email, right, '203.0.113.1')).status).toBe(200);
});

test('an unknown account is limited like a known one', async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 11; i++) {
    statuses.push((await signIn(service, 'nobody@example.com', 'wrong password', '203.0.113.3')).status);
  }
  expect(statuses).toEqual([...Array(10).fill(401), 429]);
});

test('an address that tries many accounts has to wait, even if it changes within its IPv6 network', async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 31; i++) {
    const address = `2001:db8:7:7::${i.toString(16)}`;
    statuses.push((await signIn(service, `guess${i}@example.com`, 'wrong password', address)).status);
  }
  expect(statuses).toEqual([...Array(30).fill(401), 429]);
});

test('many addresses against one account are limited, and the owner can still sign in from a known address', async () => {
  const email = await newEmail();
  expect((await signIn(service, email, right, '198.51.100.1')).status).toBe(200);
  // As if fifty others had guessed; their hashing would take a minute.
  await seed.query('update sign_in_attempts set attempts = 50 where window_ends_at = $1', [
    new Date(clock.now() + 15 * minuteMs),
  ]);
  expect((await signIn(service, email, right, '198.51.100.2')).status).toBe(429);
  expect((await signIn(service, email, right, '198.51.100.1')).status).toBe(200);
});

test('successful sign-ins are never limited', async () => {
  const email = await newEmail();
  for (let i = 0; i < 12; i++) {
    expect((await signIn(service, email, right, '198.51.100.9')).status).toBe(200);
  }
});

test('the table of attempts reveals neither accounts nor addresses', async () => {
  const rows = await seed.query("select encode(key, 'escape') as text from sign_in_attempts");
  expect(rows.length).toBeGreaterThan(0);
  for (const { text } of rows) expect(text).not.toMatch(/example|203\.0|198\.51/);
});

import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { linkToken } from '../../src/domain/destination/kind/link-token.ts';
import { destinationSecretOwner } from '../../src/domain/destination/secrets.ts';
import { SecretBox } from '../../src/domain/secrets/secret-box.ts';
import { aloneOnHost } from '../../src/start/host.ts';
import { minuteMs } from '../../src/time/clock.ts';
import { createWorkspace, Seed } from '../manage/leads/seed.ts';
import { ManualClock } from '../support/clocks.ts';
import { scratchFolder } from '../support/scratch.ts';
import { encryptionKey, startTestService, type TestService } from '../support/service.ts';
import { startSmtp } from '../support/smtp.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let smtp: Awaited<ReturnType<typeof startSmtp>>;
/** Two processes of one host: the second forwards to the first. */
let first: TestService;
let second: TestService;
let seed: Seed;
let workspaceId: string;
let destination: { readonly id: string };
let token: string;
let readers = 0;
const logged: string[] = [];

beforeAll(async () => {
  smtp = await startSmtp();
  const path = join(scratchFolder(), 'first.sock');
  const several = { ...aloneOnHost, workerCount: 2 };
  const env = { SMTP_URL: smtp.url, SMTP_FROM: 'leads@example.com' };
  const log = pino({ level: 'debug' }, { write: (line: string) => logged.push(line) });
  first = await startTestService({ clock, env, log, host: { ...several, ownSocketPath: path } });
  const { databaseUrl } = first;
  const host = { ...several, isFirst: false, firstSocketPath: () => path };
  second = await startTestService({ clock, env, databaseUrl, host });
  seed = new Seed(first);
});
beforeEach(async () => {
  clock.advance(minuteMs);
  workspaceId = await createWorkspace(first);
  const body = { name: 'New leads', kind: 'email', recipients: [`reader${readers++}@example.com`] };
  destination = (await first.api('POST', `/workspaces/${workspaceId}/destinations`, body)).json;
  const [row] = (await seed.query(
    `select r.id, d.secret_ciphertext from destination_recipients r join destinations d on d.id = r.destination_id
     where d.id = $1`,
    [destination.id],
  )) as unknown as [{ id: string; secret_ciphertext: Buffer }];
  const owner = destinationSecretOwner(destination.id);
  const secret = new SecretBox(encryptionKey).open(row.secret_ciphertext, owner);
  token = linkToken('unsubscribe', row.id, null, secret);
});
afterAll(async () => {
  await seed.stop();
  await second.stop();
  await first.stop();
  await smtp.stop();
});

const urlOf = (given = token, service = first) => `${service.url}/unsubscribe/${given}`;
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const oneClick = { method: 'POST', headers: form, body: 'List-Unsubscribe=One-Click' };

async function status(): Promise<string> {
  const { json } = await first.api('GET', `/workspaces/${workspaceId}/destinations/${destination.id}`);
  return json.recipients[0].status;
}

test('a POST of an email program unsubscribes, through each process', async () => {
  for (const service of [second, first]) {
    const answer = await fetch(urlOf(token, service), oneClick);
    expect([answer.status, await answer.text()]).toEqual([200, 'You will get no more of these emails.\n']);
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(await status()).toBe('unsubscribed');
  }
});

const boundary = 'x';
const part = `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--`;
test.each([
  ['a form with parts', { 'Content-Type': `multipart/form-data; boundary=${boundary}` }, part],
  ['no body', {}, ''],
  [
    'another site',
    { ...form, Origin: 'https://mail.example', 'Sec-Fetch-Site': 'cross-site' },
    oneClick.body,
  ],
  ['a wrong session', { ...form, Cookie: 'leadgate.session_token=x' }, oneClick.body],
  ['a wrong key', { ...form, Authorization: 'Bearer x' }, oneClick.body],
])('a POST with %s unsubscribes', async (_, headers, body) => {
  expect((await fetch(urlOf(), { method: 'POST', headers, body })).status).toBe(200);
  expect(await status()).toBe('unsubscribed');
});

test('a GET unsubscribes nobody: it leads to the page, which gets the token behind the hash', async () => {
  for (const method of ['GET', 'HEAD']) {
    const answer = await fetch(urlOf(), { method, redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([
      302,
      `/emails/unsubscribe#token=${token}`,
    ]);
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  }
  expect(await status()).toBe('waiting');
});

test('other methods are refused', async () => {
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    const answer = await fetch(urlOf(), { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST']);
  }
  expect(await status()).toBe('waiting');
});

test('the response does not say whether there is such a link', async () => {
  const known = await fetch(urlOf(), oneClick);
  const text = await known.text();
  const headersOf = (answer: Response) =>
    [...answer.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
  for (const unknown of ['x', 'A'.repeat(43), `${token}=`, '%00', '%zz', '%E0%A4%A', 'y'.repeat(5_000)]) {
    const answer = await fetch(urlOf(unknown), oneClick);
    expect([answer.status, await answer.text()]).toEqual([known.status, text]);
    expect(headersOf(answer)).toEqual(headersOf(known));
  }
});

test('a token cannot lead to another site or split the response', async () => {
  for (const wrong of ['%0d%0aSet-Cookie:%20a=b', '%2f%2fevil.example', '%23x', '%E2%80%A8']) {
    const answer = await fetch(urlOf(wrong), { redirect: 'manual' });
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toMatch(/^\/emails\/unsubscribe#token=[\w%.-]+$/);
    expect(answer.headers.get('set-cookie')).toBeNull();
  }
});

test('a body is bounded, and a network can unsubscribe three hundred times a minute', async () => {
  const large = await fetch(urlOf(), { ...oneClick, body: 'x'.repeat(1_000_001) });
  expect(large.status).toBe(413);
  const statuses = [];
  for (let i = 0; i < 301; i++) statuses.push((await fetch(urlOf('x'), oneClick)).status);
  expect([statuses.filter((each) => each === 200).length, statuses.at(-1)]).toEqual([300, 429]);
  clock.advance(minuteMs);
  expect((await fetch(urlOf(), oneClick)).status).toBe(200);
});

test('the log has no tokens', async () => {
  await fetch(urlOf(), oneClick);
  await fetch(urlOf(), { redirect: 'manual' });
  await expect.poll(() => logged.filter((line) => line.includes('/unsubscribe/…')).length).toBeGreaterThan(1);
  expect(logged.join('')).not.toContain(token);
});

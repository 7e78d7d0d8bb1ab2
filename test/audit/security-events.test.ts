import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { calls } from '../../src/contract/calls.ts';
import { SecurityEvents } from '../../src/manage/audit/events/security-events.ts';
import { hourMs } from '../../src/time/clock.ts';
import { createForm, createWorkspace } from '../manage/leads/seed.ts';
import { Browser, goodPassword, invite, join } from '../support/browser/browser.ts';
import { ManualClock } from '../support/clocks.ts';
import { openTestPool } from '../support/database/database.ts';
import { eventually } from '../support/diagnostics.ts';
import { createSender, post, submissionIdOf } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects to be there.
type Json = any;

const lines: Json[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
let service: TestService;
let pool: pg.Pool;
let workspaceId: string;
let owner: Browser;
let people = 0;

beforeAll(async () => {
  service = await startTestService({ log, env: { TRUST_PROXY: '1' } });
  pool = openTestPool(service.databaseUrl);
  workspaceId = await createWorkspace(service, 'Engines');
  owner = await join(service, workspaceId, 'owner@example.com', 'owner');
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});

async function newMember(): Promise<{ email: string; browser: Browser }> {
  const email = `member${people++}@example.com`;
  return { email, browser: await join(service, workspaceId, email, 'member') };
}

function signInFrom(address: string, email: string, password = goodPassword) {
  const browser = new Browser(service.url);
  const headers = { ...browser.ownHeaders, 'X-Forwarded-For': address };
  return browser.call('POST', '/auth/sign-in/email', { email, password }, headers);
}

async function entries(path = `/workspaces/${workspaceId}/audit`): Promise<Json[]> {
  const reader = path.startsWith('/operator') ? service : owner;
  return (await reader.api('GET', path)).json.items;
}

/** The entry, once it is there: events are written after the answer. */
async function entryOf(action: string, address: string, path?: string): Promise<Json> {
  const find = async () =>
    (await entries(path)).find((entry) => entry.action === action && entry.address === address);
  const found = await eventually(find, (entry) => entry !== undefined);
  expect(found).toBeDefined();
  return found;
}

function lineOf(event: string, address: string): Json {
  return lines.find((line) => line.event === event && line.address === address);
}

test('a sign-in is in the service log and the audit log of the workspace, with the person and the address', async () => {
  const { email } = await newMember();
  await signInFrom('198.51.100.1', email);
  const entry = await entryOf('signIn', '198.51.100.1');
  expect(entry).toMatchObject({ text: expect.stringMatching(/^member\d+ signed in$/), count: 1 });
  expect(entry.actor).toMatchObject({ kind: 'person', name: email });
  expect(lineOf('signIn', '198.51.100.1')).toMatchObject({ level: 30, person_id: entry.actor.id, count: 1 });
});

test('a failed sign-in names the person it was for, and contains nothing that was typed', async () => {
  const { email } = await newMember();
  await signInFrom('198.51.100.2', email, 'a password that is wrong');
  const entry = await entryOf('signInFailed', '198.51.100.2');
  expect(entry.text).toMatch(/^Someone failed to sign in as member\d+$/);
  expect(entry.actor).toEqual({ kind: 'nobody', id: null, name: 'nobody' });
  expect(lineOf('signInFailed', '198.51.100.2').person_id).toBe(entry.target.person_id);
});

test('an email that belongs to nobody is stored nowhere: it may be a password', async () => {
  await signInFrom('198.51.100.3', 'correct-horse@battery.example', 'typed-password-0815');
  const entry = await entryOf('signInFailed', '198.51.100.3', '/operator/audit');
  expect(entry).toMatchObject({
    text: 'Someone failed to sign in to an unknown account',
    target: {},
    changes: {},
  });
  const { rows } = await pool.query('select * from audit_log');
  for (const kept of [JSON.stringify(rows), JSON.stringify(lines)]) {
    expect(kept).not.toMatch(/correct-horse|typed-password|a password that is wrong|seven wet umbrellas/);
  }
  expect((await entries()).some(({ address }) => address === '198.51.100.3')).toBe(false);
});

test('a lockout is recorded as one entry, however many attempts follow', async () => {
  const { email } = await newMember();
  for (let i = 0; i < 14; i++) await signInFrom('198.51.100.4', email, 'wrong wrong wrong');
  const entry = await entryOf('signInLimited', '198.51.100.4');
  expect(entry.text).toMatch(/^Someone tried to sign in as member\d+ too often and was refused/);
  const ofAddress = (await entries()).filter(({ address }) => address === '198.51.100.4');
  expect(ofAddress.map(({ action }) => action).sort()).toEqual(['signInFailed', 'signInLimited']);
});

test('a changed password and a wrong current password are recorded', async () => {
  const { email } = await newMember();
  const browser = new Browser(service.url);
  await browser.signIn(email);
  const headers = { ...browser.ownHeaders, 'X-Forwarded-For': '198.51.100.5' };
  const change = (currentPassword: string) =>
    browser.call(
      'POST',
      '/auth/change-password',
      { currentPassword, newPassword: 'nine blue umbrellas' },
      headers,
    );
  expect((await change('not the current one')).status).toBe(422);
  expect((await change(goodPassword)).status).toBe(200);
  expect((await entryOf('passwordChanged', '198.51.100.5')).text).toMatch(
    /^member\d+ changed their password$/,
  );
  expect((await entryOf('signInFailed', '198.51.100.5')).text).toMatch(
    /^Someone failed to sign in as member\d+$/,
  );
});

test('a denied call of a member is recorded in the workspace; that of an outsider, only for operators', async () => {
  const { browser } = await newMember();
  const refused = (who: Browser, address: string, path: string) =>
    who.call('GET', `/v1${path}`, undefined, { 'X-Forwarded-For': address });
  expect((await refused(browser, '198.51.100.6', `/workspaces/${workspaceId}/members`)).status).toBe(403);
  const entry = await entryOf('accessRefused', '198.51.100.6');
  expect(entry.text).toMatch(/^member\d+ tried to list the people of a workspace and was refused$/);

  const other = await createWorkspace(service, 'Foreign');
  const stranger = await join(service, other, 'stranger@example.com', 'owner');
  expect((await refused(stranger, '198.51.100.7', `/workspaces/${workspaceId}/leads`)).status).toBe(404);
  expect((await refused(stranger, '198.51.100.7', '/operator/health')).status).toBe(403);
  const seen = await entryOf('accessRefused', '198.51.100.7', '/operator/audit');
  expect(seen.actor.name).toBe('stranger@example.com');
  expect((await entries()).some(({ address }) => address === '198.51.100.7')).toBe(false);
});

test('a wrong operator key is recorded, and after 100 a minute further ones get 429 on the API and on /metrics', async () => {
  const call = (path: string, key: string, address = '198.51.100.8') =>
    fetch(service.url + path, { headers: { Authorization: `Bearer ${key}`, 'X-Forwarded-For': address } });
  for (let i = 0; i < 50; i++) {
    expect((await call('/api/v1/workspaces', `guess-${i}`)).status).toBe(401);
    expect((await call('/metrics', `guess-${i}`)).status).toBe(401);
  }
  for (const path of ['/api/v1/workspaces', '/metrics']) {
    const limited = await call(path, 'guess-101');
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(limited.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await call(path, service.operatorKey)).status).toBe(200);
  }
  const entry = await entryOf('operatorKeyWrong', '198.51.100.8', '/operator/audit');
  expect(entry).toMatchObject({
    text: expect.stringMatching(/^Someone sent a wrong key/),
    target: {},
    changes: {},
  });
  expect(JSON.stringify(lines)).not.toMatch(/guess-\d/);
});

test('exports, downloaded bodies and shown secrets are recorded before they leave, without values', async () => {
  const sender = await createSender(service);
  const leadId = submissionIdOf(await post(service, sender, 'server'));
  const place = sender.workspaceId;
  const owner = await join(service, place, 'olga@example.com', 'owner');
  const before = lines.length;
  const secretive = 'q=ada%40example.com&field.email=ada%40example.com';
  expect((await owner.api('GET', `/workspaces/${place}/leads/export?format=csv&${secretive}`)).status).toBe(
    200,
  );
  const body = `/workspaces/${place}/leads/${leadId}/body`;
  for (const purpose of ['', '?purpose=download', '?purpose=view'])
    expect((await owner.api('GET', body + purpose)).status).toBe(200);
  const form = await createForm(service, place);
  const path = `/workspaces/${place}/forms/${form.id}/webhook-secret`;
  const { secret } = (await owner.api('PUT', path, {})).json;
  const newest = (await owner.api('GET', `/workspaces/${place}/audit`)).json.items.slice(0, 6);
  expect(newest.find(({ action }: Json) => action === 'exportLeads')).toMatchObject({
    text: 'olga exported leads as CSV',
    changes: { format: 'csv', q: '…', fieldValues: '…' },
  });
  const reads = newest.filter(({ action }: Json) => action === 'readTheExactBytesOfALead');
  const sentences = ['viewed', 'downloaded', 'downloaded'].map((did) => `olga ${did} the body of lead …`);
  expect(reads.map(({ text }: Json) => text.replace(/[0-9a-f]{8}$/, '…'))).toEqual(sentences);
  for (const { target } of reads) expect(target).toEqual({ submission_id: leadId });
  const said = lines.slice(before).filter(({ msg }) => msg === 'security event');
  expect(said.map(({ event }) => event)).toEqual([
    ...['leadsExported', 'bodyDownloaded', 'bodyDownloaded', 'bodyViewed', 'secretShown'],
  ]);
  for (const kept of [JSON.stringify(newest), JSON.stringify(said)]) {
    expect(kept).not.toContain(secret);
    expect(kept).not.toContain('ada@example.com');
  }
});

test('while the audit log cannot be written, nothing is exported and people can still sign in', async () => {
  const { email } = await newMember();
  await pool.query('alter table audit_log rename to audit_log_away');
  try {
    const exported = await owner.api('GET', `/workspaces/${workspaceId}/leads/export?format=csv`);
    expect(exported.status).toBe(500);
    expect((await signInFrom('198.51.100.10', email)).status).toBe(200);
    const warned = async () => lines.some(({ level, event }) => level === 40 && event === 'signIn');
    expect(await eventually(warned, Boolean)).toBe(true);
  } finally {
    await pool.query('alter table audit_log_away rename to audit_log');
  }
});

test('every call that shows a secret declares it', () => {
  const showing = calls.filter(({ answer }) => {
    const schema =
      answer.body === undefined ? '' : JSON.stringify(z.toJSONSchema(answer.body, { io: 'output' }));
    return schema.includes('Shown only in this response');
  });
  expect(showing.length).toBeGreaterThanOrEqual(6);
  expect(showing.filter(({ gives }) => gives !== 'secret').map(({ summary }) => summary)).toEqual([]);
});

test('the audit log reads as sentences, with the names of people, forms and tokens', async () => {
  const form = await createForm(service, workspaceId, { name: 'Newsletter' });
  const { browser } = await newMember();
  const { id } = (await browser.api('GET', '/me')).json.user;
  const token = (
    await owner.api('POST', `/workspaces/${workspaceId}/tokens`, { name: 'Backend', form_id: form.id })
  ).json;
  await owner.api('DELETE', `/workspaces/${workspaceId}/tokens/${token.id}`);
  await owner.api('PATCH', `/workspaces/${workspaceId}/members/${id}`, { role: 'owner' });
  await owner.api('DELETE', `/workspaces/${workspaceId}/members/${id}`);
  await owner.api('DELETE', `/workspaces/${workspaceId}/forms/${form.id}`);
  const texts = (await entries()).slice(0, 6).map(({ text }) => text.replace(/member\d+/, 'max'));
  expect(texts.sort()).toEqual([
    'max joined as member',
    'owner changed the role of max to owner',
    'owner created ingest token Backend',
    'owner deleted form Newsletter',
    'owner removed max',
    'owner revoked ingest token Backend',
  ]);
});

test('a flood from a thousand networks, with a thousand accounts each, is a bounded number of rows and lines', async () => {
  const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
  const said: string[] = [];
  const quiet = pino({ level: 'info' }, { write: (line: string) => said.push(line) });
  const events = new SecurityEvents({ pool, clock, log: quiet });
  const { email } = await newMember();
  const count = async () => Number((await pool.query('select count(*) from audit_log')).rows[0].count);
  const before = await count();
  for (let i = 0; i < 100_000; i++) {
    const address = `10.${i % 250}.${i % 4}.1`;
    events.note({ kind: 'signInFailed', address, email: i % 2 === 0 ? email : `nobody${i}@example.com` });
    if (i % 3 === 0) events.note({ kind: 'operatorKeyWrong', address });
  }
  await events.flush();
  expect((await count()) - before).toBeLessThanOrEqual(300);
  expect(said.length).toBeLessThanOrEqual(2_100);
  const { rows } = await pool.query(
    `select sum(times)::integer as times from audit_log where at = $1 and action = 'signInFailed'`,
    [new Date(clock.now())],
  );
  expect(rows[0].times).toBe(100_000);
  // The same again within the hour adds to the rows that are there, also from another instance.
  const after = await count();
  const second = new SecurityEvents({ pool, clock, log: quiet });
  second.note({ kind: 'signInFailed', address: '10.0.0.1', email });
  await second.flush();
  expect(await count()).toBe(after);
  clock.advance(hourMs);
  second.note({ kind: 'signInFailed', address: '10.0.0.1', email });
  await second.stop();
  expect(await count()).toBe(after + 1);
  await events.stop();
});

test('an accepted invitation is recorded with its address', async () => {
  const token = await invite(service, workspaceId, 'late@example.com', 'member');
  const browser = new Browser(service.url);
  const headers = { ...browser.ownHeaders, 'X-Forwarded-For': '198.51.100.11' };
  await browser.call(
    'POST',
    '/v1/invitations/accept',
    { token, name: 'Late', password: goodPassword },
    headers,
  );
  expect((await entryOf('acceptAnInvitation', '198.51.100.11')).text).toBe('Late joined as member');
});

import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { calls } from '../../src/contract/calls.ts';
import { createWorkspace } from '../manage/leads/seed.ts';
import { Browser, goodPassword, join, makeOperator } from '../support/browser/browser.ts';
import { eventually } from '../support/diagnostics.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startSmtp } from '../support/smtp.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects to be there.
type Json = any;

const lines: Json[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
let service: TestService;
let mailing: TestService;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
let workspaceId: string;
let owner: Browser;

beforeAll(async () => {
  smtp = await startSmtp();
  service = await startTestService({ log, env: { TRUST_PROXY: '2' } });
  const env = { SMTP_URL: smtp.url, SMTP_FROM: 'leads@example.com' };
  mailing = await startTestService({ log, env, databaseUrl: service.databaseUrl });
  workspaceId = await createWorkspace(service, 'Engines');
  owner = await join(service, workspaceId, 'owner@example.com', 'owner');
});
afterAll(async () => {
  await mailing.stop();
  await service.stop();
  await smtp.stop();
});

const said = (event: string) => lines.filter((line) => line.msg === 'security event' && line.event === event);

async function entriesOf(action: string, path: string): Promise<Json[]> {
  const { json } = await service.api('GET', `${path}?limit=200`);
  return json.items.filter((entry: Json) => entry.action === action);
}

/** Once they are there: events are written after the answer. */
async function someEntriesOf(action: string, path: string): Promise<Json[]> {
  return eventually(
    () => entriesOf(action, path),
    ({ length }) => length > 0,
  );
}

test('the operator log names people who gained or lost operator permissions', async () => {
  const max = await join(service, workspaceId, 'max@example.com', 'member');
  await makeOperator(service, max);
  await makeOperator(service, max, false);
  const entries = await entriesOf('makeAPersonAnOperatorOrNoLongerOne', '/operator/audit');
  expect(entries.map(({ text }) => text)).toEqual([
    'The operator revoked the operator permissions of max',
    'The operator made max an operator',
  ]);
});

test('a password set with an operator’s link is a security event for the workspace and for operators', async () => {
  const email = 'otto@example.com';
  const otto = await join(service, workspaceId, email, 'member');
  await makeOperator(service, otto);
  const { link } = (await service.api('POST', '/operator/password-links', { email })).json;
  const visitor = new Browser(service.url);
  const body = { token: link.split('#token=')[1], password: 'eight dry umbrellas' };
  const headers = { ...visitor.ownHeaders, 'X-Forwarded-For': '198.51.100.20, 10.0.0.1' };
  expect((await visitor.call('POST', '/v1/password-resets/complete', body, headers)).status).toBe(204);
  for (const path of [`/workspaces/${workspaceId}/audit`, '/operator/audit']) {
    expect(await someEntriesOf('passwordChanged', path)).toMatchObject([
      { text: 'otto changed their password', address: '198.51.100.20', actor: { name: email } },
    ]);
    expect(await entriesOf('setANewPasswordByALink', path)).toMatchObject([
      { text: 'otto set a new password with a link created with the operator key' },
    ]);
  }
  expect(said('passwordChanged')).toMatchObject([{ address: '198.51.100.20', count: 1 }]);
});

test('a failed use of a link is not a changed password', async () => {
  const before = said('passwordChanged').length;
  const body = { token: 'x'.repeat(43), password: 'eight dry umbrellas' };
  expect((await new Browser(service.url).api('POST', '/password-resets/complete', body)).status).toBe(404);
  // What is noted after it is written after it.
  await new Browser(service.url).signIn('owner@example.com');
  await someEntriesOf('signIn', `/workspaces/${workspaceId}/audit`);
  expect(said('passwordChanged')).toHaveLength(before);
});

test('an invitation that showed its link is logged as showing a secret; one that was emailed is not', async () => {
  const path = `/workspaces/${workspaceId}/invitations`;
  const invited = await owner.api('POST', path, { email: 'guest@example.com', role: 'member' });
  const again = await owner.api('POST', `${path}/${invited.json.id}/send`);
  expect(again.json.link).toEqual(expect.any(String));
  const shown = said('secretShown').filter(({ workspace_id }) => workspace_id === workspaceId);
  expect(shown.map(({ operation }) => operation).slice(-2)).toEqual([
    'inviteAPerson',
    'sendAnInvitationAgain',
  ]);
  const before = said('secretShown').length;
  const mailed = await mailing.api('POST', path, { email: 'other@example.com', role: 'member' });
  const mailedAgain = await mailing.api('POST', `${path}/${mailed.json.id}/send`);
  expect([mailed.json.link, mailedAgain.json.link]).toEqual([null, null]);
  expect(said('secretShown')).toHaveLength(before);
});

test('every call whose response contains a link, a token or a secret declares it', () => {
  const showing = calls.filter(({ answer }) => {
    const { shape = {} } = (answer.body ?? {}) as { shape?: object };
    return ['link', 'token', 'secret'].some((name) => name in shape);
  });
  expect(showing.length).toBeGreaterThanOrEqual(7);
  // A browser token lets someone send one lead within minutes, and each visit of a page may need one.
  const silent = showing.filter(({ gives }) => gives === undefined).map(({ path }) => path);
  expect(silent).toEqual(['/browser/tokens']);
});

test('every call that gives away leads or a body is limited to a few at a time', () => {
  const giving = calls.filter(({ gives }) => gives === 'leads' || gives === 'body');
  expect(giving.length).toBeGreaterThanOrEqual(2);
  expect(giving.filter(({ expensive }) => expensive === undefined).map(({ summary }) => summary)).toEqual([]);
});

test('an address that a client forges in a proxy header is in no log', async () => {
  const visitor = new Browser(service.url);
  const headers = { ...visitor.ownHeaders, 'X-Forwarded-For': 'forged by me, 10.0.0.1' };
  const credentials = { email: 'owner@example.com', password: goodPassword };
  await visitor.call('POST', '/auth/sign-in/email', credentials, headers);
  await visitor.call('PATCH', `/v1/workspaces/${workspaceId}`, { name: 'Mills' }, headers);
  const path = `/workspaces/${workspaceId}/audit`;
  const [renamed] = await entriesOf('renameSuspendOrResumeAWorkspace', path);
  expect(renamed.address).toBeNull();
  await eventually(
    async () => said('signIn').some(({ address }) => address === undefined),
    (isThere) => isThere,
  );
  const wrong = { Authorization: 'Bearer a-wrong-operator-key-0123456789abcdef', ...headers };
  await fetch(`${service.url}/metrics`, { headers: wrong });
  await someEntriesOf('operatorKeyWrong', '/operator/audit');
  const { text } = await service.api('GET', '/operator/audit?limit=200');
  expect(text + JSON.stringify(lines)).not.toContain('forged');
});

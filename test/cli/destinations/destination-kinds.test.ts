import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newDestination } from '../../../src/contract/destinations/destination-settings.ts';
import { leadgate, operatorOf } from '../../support/command-line/command-line.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { operatorKey } from '../../support/service.ts';
import { startStandInApi, workspaceId } from './stand-in-api.ts';

const id = '0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e11';
const chatUrl = 'https://hooks.slack.com/services/T0/B0/not-to-be-seen';
const token = 'pat-eu1-not-to-be-seen';
const asked_at = '2026-11-17T08:00:00.000Z';
const email = {
  ...{ id, name: 'Sales', kind: 'email', secret: null },
  recipients: [
    { address: 'ada@example.com', status: 'member', asked_at: null, last_error: null },
    { address: 'max@example.com', status: 'waiting', asked_at, last_error: null },
    { address: 'eve@example.com', status: 'unsubscribed', asked_at, last_error: null },
  ],
};
const others = { status: 'active', disabled_reason: null, last_day: { delivered: 1, waiting: 0, dead: 0 } };
const stored = [
  { ...email, ...others },
  { ...others, id, name: 'Team', kind: 'chat', service: 'slack', host: 'hooks.slack.com' },
  { ...others, id, name: 'CRM', kind: 'hubspot' },
];
const delivery = {
  ...{ id, destination_id: id, destination_name: 'Sales', event: 'lead.accepted', event_at: asked_at },
  ...{
    event_id: '1',
    submission_id: id,
    state: 'delivered',
    next_attempt_at: null,
    replay_of: null,
    tries: [],
  },
  request: { url: null, headers: { subject: 'New lead: Ada\nBcc: eve@example.com' }, body: 'Ada Lovelace' },
};
const folder = scratchFolder('secrets');
const fileOf = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const mapping = fileOf('mapping.json', '[{"from":"email"}]');
const urlFile = fileOf('url.txt', `${chatUrl}\n`);
const tokenFile = fileOf('token.txt', `${token}\n`);

let api: Awaited<ReturnType<typeof startStandInApi>>;
let operator: ReturnType<typeof operatorOf>;
let made: object = {};
const run = (...words: string[]) => operator(words);
const create = (...words: string[]) => run('destination', 'create', 'Sales', ...words);

beforeAll(async () => {
  const place = `/workspaces/${workspaceId}`;
  api = await startStandInApi(({ method, path }) => {
    if (path === `${place}/deliveries/${id}`) return { body: delivery };
    if (path !== `${place}/destinations`) return null;
    return method === 'POST' ? { status: 201, body: made } : { body: { items: stored, next_cursor: null } };
  });
  operator = operatorOf(api);
});
afterAll(() => api.stop());
beforeEach(() => {
  api.asked.length = 0;
  made = { id, name: 'Sales', secret: null };
});

/** What was asked for, which the contract accepts. */
function asked() {
  const { body } = api.asked.find(({ method }) => method === 'POST') ?? {};
  expect(newDestination.safeParse(body)).toMatchObject({ success: true });
  return body;
}

test('an email destination is created as asked, and the one who has to confirm is named', async () => {
  made = email;
  const digest = ['--every', 'day', '--hour', '7', '--time-zone', 'Europe/Berlin', '--link-only'];
  const result = await create(
    '--kind',
    'email',
    '--recipient',
    'ada@example.com',
    'max@example.com',
    ...digest,
  );
  expect(result).toMatchObject({ code: 0, stdout: `${id}\n` });
  expect(result.stderr).toContain('A confirmation link was sent to max@example.com.');
  expect(result.stderr).not.toContain('secret');
  expect(asked()).toEqual({
    ...{ name: 'Sales', kind: 'email', recipients: ['ada@example.com', 'max@example.com'] },
    ...{ every: 'day', hour: 7, time_zone: 'Europe/Berlin', link_only: true },
  });
});

test('one whose confirmation link could not be sent is named too', async () => {
  const recipients = [
    { address: 'max@example.com', status: 'waiting', asked_at: null, last_error: null },
    { address: 'eve@example.com', status: 'waiting', asked_at, last_error: 'The email was not sent.' },
  ];
  made = { ...email, recipients };
  const { stderr } = await create('--kind', 'email', '--recipient', 'max@example.com');
  expect(stderr).toContain('No confirmation link could be sent to max@example.com, eve@example.com.');
  expect(stderr).not.toContain('A confirmation link was sent');
  expect(asked()).toEqual({ name: 'Sales', kind: 'email', recipients: ['max@example.com'] });
});

test('the URL of a chat comes from a file, and is not printed', async () => {
  made = { ...made, kind: 'chat' };
  const chat = ['--kind', 'chat', '--service', 'slack'];
  const result = await create(...chat, '--secret-file', urlFile, '--send-when', 'accepted');
  expect(result).toMatchObject({ code: 0, stdout: `${id}\n` });
  expect(result.stderr).not.toContain('not-to-be-seen');
  expect(asked()).toEqual({
    ...{ name: 'Sales', kind: 'chat', service: 'slack', url: chatUrl, send_when: 'accepted' },
  });
});

test('the token of HubSpot comes from standard input, and the mapping from a file', async () => {
  made = { ...made, kind: 'hubspot' };
  const words = ['--kind', 'hubspot', '--secret-file', '-', '--mapping-file', mapping];
  const env = { LEADGATE_URL: api.url, OPERATOR_KEY: operatorKey };
  const result = await leadgate(['destination', 'create', 'CRM', ...words], { env, input: `${token}\n` });
  expect(result).toMatchObject({ code: 0, stdout: `${id}\n` });
  expect(asked()).toEqual({ name: 'CRM', kind: 'hubspot', token, mapping: [{ from: 'email' }] });
});

const url = ['--url', 'https://example.com'];
const chat = ['--kind', 'chat', '--service', 'slack', '--secret-file', urlFile];
const toAda = ['--kind', 'email', '--recipient', 'ada@example.com'];
test.each<[string, string[], string]>([
  ['a webhook without a URL', [], 'A webhook needs --url.'],
  ['email without recipients', ['--kind', 'email'], 'Email needs --recipient.'],
  ['a chat without its service', ['--kind', 'chat', '--secret-file', urlFile], 'A chat needs --service.'],
  ['a chat without its URL', ['--kind', 'chat', '--service', 'slack'], 'A chat needs --secret-file.'],
  ['HubSpot without a mapping', ['--kind', 'hubspot', '--secret-file', tokenFile], 'needs --mapping-file.'],
  ['a chat with a URL that others can see', [...chat, ...url], 'The URL of a chat is a secret'],
  ['a webhook with recipients', [...url, '--recipient', 'a@b.c'], '--recipient is only for --kind email.'],
  [
    'a webhook with a file for its secret',
    [...url, '--secret-file', urlFile],
    'for --kind chat and hubspot.',
  ],
  ['email with a format', [...toAda, '--format', 'flat'], '--format is only for --kind webhook.'],
  ['email with a mapping', [...toAda, '--mapping-file', mapping], 'for --kind webhook and hubspot.'],
  ['an hour without a day', [...toAda, '--every', 'hour', '--hour', '8'], 'are only for --every day.'],
  ['an hour that no day has', [...toAda, '--every', 'day', '--hour', '24'], 'from 0 to 23.'],
  ['two files from standard input', [...url, '--filter-file', '-', '--headers-file', '-'], 'Only one file'],
  ['a kind that does not exist', ['--kind', 'fax'], 'Allowed choices are webhook, email, chat, hubspot.'],
  ['a file without a secret', [...chat.slice(0, 5), fileOf('empty.txt', ' \n')], 'is empty.'],
])('%s is an error of usage, and nothing is created', async (_what, words, sentence) => {
  const { code, stdout, stderr } = await create(...words);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain('not-to-be-seen');
  expect(api.asked.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('the list says where the leads of each kind go, and who does not get them', async () => {
  const { stdout } = await run('destination', 'list');
  const [, toPeople, toChat, toHubspot] = stdout.split('\n');
  expect(toPeople).toMatch(
    / email +active .* ada@example\.com, max@example\.com \(waiting\), eve@example\.com \(unsubscribed\)$/,
  );
  expect(toChat).toMatch(/ chat +active .* slack at hooks\.slack\.com$/);
  expect(toHubspot).toMatch(/ hubspot +active .* contacts$/);
});

test('a delivery without a URL is shown as a message, and a header cannot add a line', async () => {
  const { code, stdout } = await run('delivery', 'show', id);
  expect(code).toBe(0);
  expect(stdout).toMatch(/\nMessage\n {2}subject: New lead: Ada.*Bcc: eve@example\.com\n {2}Ada Lovelace\n$/);
  expect(stdout).not.toContain('POST');
});

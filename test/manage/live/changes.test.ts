import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Browser, goodPassword, join } from '../../support/browser/browser.ts';
import { eventually, metricOf } from '../../support/diagnostics.ts';
import { createSender, expectRejected, post, type Sender } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createWorkspace } from '../leads/seed.ts';
import { ChangeReader } from './change-reader.ts';

let service: TestService;
let sender: Sender;
let owner: Browser;
let member: Browser;
const readers: ChangeReader[] = [];

beforeAll(async () => {
  // A stream that is idle for longer than a stalled reader may be must stay open.
  service = await startTestService({ readerLimits: { stallMsMax: 500 } });
  sender = await createSender(service);
  owner = await join(service, sender.workspaceId, 'owner@example.com', 'owner');
  member = await join(service, sender.workspaceId, 'member@example.com', 'member');
});
afterAll(async () => {
  for (const reader of readers) reader.close();
  await service.stop();
});

async function watch(workspaceIds: string | readonly string[], person?: Browser): Promise<ChangeReader> {
  const reader = await ChangeReader.open(service, workspaceIds, person);
  readers.push(reader);
  return reader;
}

const openStreams = () => metricOf(service, 'leadgate_change_streams');
const problemOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { code: string }).code,
];
const asOwner = (query: string, method = 'GET') =>
  fetch(`${service.url}/api/v1/changes${query}`, {
    method,
    headers: { Cookie: [...owner.cookies].map((pair) => pair.join('=')).join('; ') },
  });

test('a new lead is told to a member as leads and tokens, and to an owner as diagnostics too; a rejection to owners only', async () => {
  const ofOwner = await watch(sender.workspaceId, owner);
  const ofMember = await watch(sender.workspaceId, member);
  const ofKey = await watch(sender.workspaceId);
  expect((await post(service, sender, 'server')).status).toBe(202);
  await ofMember.until((reader) => reader.names(sender.workspaceId).length === 2);
  await ofOwner.until((reader) => reader.names(sender.workspaceId).length === 3);
  await ofKey.until((reader) => reader.names(sender.workspaceId).length === 3);
  expect(ofOwner.names(sender.workspaceId)).toEqual(['diagnostics', 'leads', 'tokens']);
  expect(ofKey.names(sender.workspaceId)).toEqual(['diagnostics', 'leads', 'tokens']);

  const before = { owner: ofOwner.events.length, member: ofMember.events.length };
  expectRejected(await post(service, sender, 'server', 'not json'));
  // It may be held a little earlier or later than it is counted.
  await ofOwner.until(({ events }) =>
    events.slice(before.owner).some(({ data }) => (data.changed as string[]).includes('diagnostics')),
  );
  // Told after the rejection, so the member's stream would have told it by now.
  await post(service, sender, 'webhook');
  await ofMember.until(({ events }) => events.length > before.member);
  expect(ofMember.names(sender.workspaceId)).toEqual(['leads', 'tokens']);
  expect(ofMember.events.map(({ event }) => event)[0]).toBe('in_step');
  expect([ofOwner.end, ofMember.end, ofKey.end]).toEqual([null, null, null]);
});

test('the stream is not stored, compressed or buffered on its way', async () => {
  const { status, headers } = await watch(sender.workspaceId, member);
  expect(status).toBe(200);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  expect(headers.has('content-encoding')).toBe(false);
});

test('a workspace of others looks like one that does not exist, also beside an own one', async () => {
  const foreign = await createWorkspace(service);
  for (const id of [foreign, randomUUID()]) {
    for (const ids of [id, `${sender.workspaceId},${id}`]) {
      expect(await problemOf(await asOwner(`?workspace_ids=${ids}`))).toEqual([404, 'not_found']);
    }
  }
});

test('too many workspaces, a malformed ID, none and a repeated parameter are refused', async () => {
  const many = Array.from({ length: 21 }, () => randomUUID());
  for (const query of [
    '',
    '?workspace_ids=',
    '?workspace_ids=acme',
    `?workspace_ids=${many}`,
    `?workspace_ids=${sender.workspaceId}&workspace_ids=${sender.workspaceId}`,
  ]) {
    expect(await problemOf(await asOwner(query))).toEqual([422, 'invalid_input']);
  }
});

const endings: Record<
  string,
  (person: Browser, me: { readonly id: string; readonly email: string }) => Promise<unknown>
> = {
  removed: (_, { id }) => owner.api('DELETE', `/workspaces/${sender.workspaceId}/members/${id}`),
  'signed out': (person) => person.call('POST', '/auth/sign-out', {}),
  'with a new password': async (_, { email }) => {
    const elsewhere = new Browser(service.url);
    await elsewhere.signIn(email);
    const passwords = { currentPassword: goodPassword, newPassword: 'eight dry umbrellas' };
    expect((await elsewhere.call('POST', '/auth/change-password', passwords)).status).toBe(200);
  },
};

test('the stream of a person who is removed, signs out or changes their password elsewhere ends', async () => {
  const ended = Object.entries(endings).map(async ([name, end]) => {
    const email = `${name.replaceAll(' ', '.')}@example.com`;
    const person = await join(service, sender.workspaceId, email, 'member');
    const reader = await watch(sender.workspaceId, person);
    const { json } = await person.api('GET', '/me');
    await end(person, json.user);
    await reader.until((stream) => stream.end !== null);
    return [reader.end, reader.events.at(-1)?.event];
  });
  expect(await Promise.all(ended)).toEqual(ended.map(() => ['closed', 'me']));
});

test('a reader that leaves, or asks only for the headers, leaves no stream behind', async () => {
  for (const reader of readers.splice(0)) reader.close();
  expect(await eventually(openStreams, (open) => open === 0)).toBe(0);
  expect((await asOwner(`?workspace_ids=${sender.workspaceId}`, 'HEAD')).status).toBe(200);
  await watch(sender.workspaceId);
  expect(await eventually(openStreams, (open) => open === 1)).toBe(1);
});

test('a service that stops closes its streams itself', async () => {
  const other = await startTestService({ databaseUrl: service.databaseUrl });
  const reader = await ChangeReader.open(other, sender.workspaceId);
  await other.stop();
  await reader.until(({ end }) => end !== null);
  // The listener would have cut the connection in the middle.
  expect(reader.end).toBe('closed');
});

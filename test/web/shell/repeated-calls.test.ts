import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Api } from '../../../src/cli/api.ts';
import { api } from '../../../web/api/client.ts';
import { formsQuery, invitationsQuery, membersQuery, tokensQuery } from '../../../web/api/queries.ts';

/** The responses of the service in order; the last one is repeated. */
let answers: { readonly status: number; readonly body: object; readonly retryAfter?: string }[];
let asked = 0;
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((_, response) => {
    const { status, body, retryAfter } = answers[
      Math.min(asked++, answers.length - 1)
    ] as (typeof answers)[0];
    response.writeHead(status, retryAfter === undefined ? {} : { 'Retry-After': retryAfter });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { fetch } = globalThis;
  // The URLs of a page's calls are relative.
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => fetch(new URL(address, url), init));
});
afterAll(() => {
  vi.unstubAllGlobals();
  server.close();
});
beforeEach(() => {
  asked = 0;
});

const postponed = {
  status: 429,
  retryAfter: '0',
  body: { code: 'too_many_in_progress', title: 'Busy.', detail: '' },
};
const served = { status: 200, body: { items: [] } };
const limited = {
  status: 429,
  retryAfter: '60',
  body: { code: 'too_many_calls', title: 'Often.', detail: '' },
};

const callers: [string, () => Promise<unknown>][] = [
  ['the settings area', () => api('GET', '/workspaces')],
  ['the command line', () => new Api({ url, key: 'key' }).call('GET', '/workspaces')],
];

test.each(callers)('%s repeats a postponed call until it is served', async (_, call) => {
  answers = [postponed, postponed, served];
  expect(await call()).toEqual({ items: [] });
  expect(asked).toBe(3);
});

test.each(callers)('%s gives up after six tries', async (_, call) => {
  answers = [postponed];
  await expect(call()).rejects.toThrow();
  expect(asked).toBe(6);
});

test.each(callers)('%s does not repeat a call that is rate limited', async (_, call) => {
  answers = [limited];
  await expect(call()).rejects.toThrow();
  expect(asked).toBe(1);
});

test('a page that was left does not repeat its calls', async () => {
  answers = [{ ...postponed, retryAfter: '3600' }];
  const leaving = new AbortController();
  const call = api('GET', '/workspaces', { signal: leaving.signal });
  await vi.waitUntil(() => asked === 1);
  leaving.abort();
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  expect(asked).toBe(1);
});

test.each([
  ['forms', formsQuery('w')],
  ['tokens', tokensQuery('w')],
  ['people', membersQuery('w')],
  ['invitations', invitationsQuery('w')],
])('%s, which the settings area shows whole, are read to the last page', async (_, { queryFn }) => {
  answers = [
    { status: 200, body: { items: ['first'], next_cursor: 'more' } },
    { status: 200, body: { items: ['second'], next_cursor: null } },
  ];
  const read = queryFn as unknown as () => Promise<{ readonly items: readonly unknown[] }>;
  expect((await read()).items).toEqual(['first', 'second']);
});

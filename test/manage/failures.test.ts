import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { problemBody, problems } from '../../src/contract/problem.ts';
import { createManagement } from '../../src/manage/management.ts';
import { exchange, statusesIn } from '../support/http/wire.ts';
import { managementDeps } from '../support/management.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

function send(method: string, path: string, body?: BodyInit) {
  const headers = { Authorization: `Bearer ${service.operatorKey}` };
  return fetch(service.url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  });
}

type BodyInit = string | ReadableStream | Uint8Array<ArrayBuffer>;

async function codeOf(answer: Response): Promise<string> {
  return ((await answer.json()) as { code: string }).code;
}

test.each([
  ['an unfinished object', '{"name":'],
  ['a form', 'name=Acme'],
  ['text that is not UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
])('%s is refused as not being JSON', async (_, body) => {
  const answer = await send('POST', '/api/v1/workspaces', body);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toEqual({
    type: 'urn:leadgate:problem:invalid_json',
    title: 'The body is not JSON.',
    status: 400,
    code: 'invalid_json',
    detail: 'The body must be one JSON object in UTF-8.',
  });
});

test.each([
  ['a header without a colon', 'GET /api/v1/workspaces HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n'],
  ['a method that the web forbids', 'TRACE /api/v1/workspaces HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a host that is none', 'GET /api/v1/workspaces HTTP/1.1\r\nHost: a b\r\n\r\n'],
])('%s is refused with a problem document, too', async (_, request) => {
  const received = await exchange(service.url, request);
  expect(statusesIn(received)).toEqual([400]);
  expect(received).toMatch(/content-type: application\/problem\+json/i);
  expect(received).toMatch(/x-request-id: [0-9a-f-]{36}/i);
  const body = JSON.parse(received.slice(received.indexOf('{'), received.lastIndexOf('}') + 1));
  expect(problemBody.parse(body)).toEqual(body);
  expect(body).toMatchObject({ code: 'bad_request', ...problems.bad_request });
});

test('a body of more than a megabyte is refused, whether or not it says so', async () => {
  const large = JSON.stringify({ name: 'x'.repeat(1_000_000) });
  const announced = await send('POST', '/api/v1/workspaces', large);
  expect([announced.status, await codeOf(announced)]).toEqual([413, 'body_too_large']);
  const chunks = ReadableStream.from([
    Buffer.from(large.slice(0, 600_000)),
    Buffer.from(large.slice(600_000)),
  ]);
  const streamed = await send('POST', '/api/v1/workspaces', chunks);
  expect([streamed.status, await codeOf(streamed)]).toEqual([413, 'body_too_large']);
});

test.each([
  ['empty lists', `[${new Array(11_000).fill('[]').join(',')}]`],
  ['members', `{${Array.from({ length: 11_000 }, (_, n) => `"k${n}":1`).join(',')}}`],
  ['what is no JSON at all', ','.repeat(11_000)],
])('a body with thousands of parts is refused before it is parsed: %s', async (_, body) => {
  const answer = await send('POST', '/api/v1/workspaces', body);
  expect([answer.status, await codeOf(answer)]).toEqual([413, 'body_too_large']);
});

test('signs inside strings are not parts, and of very many errors only the first are returned', async () => {
  const name = `"\\,:[{`.repeat(3_000);
  const long = await send('POST', '/api/v1/workspaces', JSON.stringify({ name }));
  expect([long.status, await codeOf(long)]).toEqual([422, 'invalid_input']);
  const unknown = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`k${n}`, 1]));
  const answer = await send('POST', '/api/v1/workspaces', JSON.stringify(unknown));
  expect(((await answer.json()) as { errors: unknown[] }).errors).toHaveLength(50);
});

test.each(['/api/v1/nothing', '/api/v2/workspaces', '/api', '/api/v1/workspaces/'])(
  '%s is not there',
  async (path) => {
    const answer = await send('GET', path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await codeOf(answer)).toBe('not_found');
  },
);

test.each([
  ['DELETE', '/api/v1/workspaces', 'POST, GET'],
  ['OPTIONS', '/api/v1/workspaces', 'POST, GET'],
  ['DELETE', '/api/v1/workspaces/8f14e45f-ceea-467f-a8f4-111111111111/leads/count', 'GET'],
])('%s %s is refused with the methods there are', async (method, path, allow) => {
  const answer = await send(method, path);
  expect(answer.status).toBe(405);
  expect(answer.headers.get('allow')).toBe(allow);
  expect(await codeOf(answer)).toBe('method_not_allowed');
});

test('no API response may be cached', async () => {
  for (const path of ['/api/v1/workspaces', '/api/v1/nothing', '/api/openapi.json']) {
    const answer = await send('GET', path);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  }
});

function managementOn(connectionString: string, logged: object[] = [], directoryChanged = async () => {}) {
  const log = pino({ base: null }, { write: (line: string) => logged.push(JSON.parse(line)) });
  const pool = new pg.Pool({ connectionString, connectionTimeoutMillis: 2000 });
  const app = createManagement(managementDeps(pool, log, { directoryChanged }));
  return { app, pool, headers: { Authorization: 'Bearer key' } };
}

test('while the database is down, calls get 503', async () => {
  const { app, headers } = managementOn('postgres://nobody@127.0.0.1:1/nothing');
  const answers = [
    await app.request('/api/v1/workspaces', { headers }),
    await app.request('/api/v1/workspaces', { headers, method: 'POST', body: '{"name":"Acme"}' }),
    await app.request('/api/v1/workspaces/8f14e45f-ceea-467f-a8f4-111111111111/leads/export', { headers }),
  ];
  for (const answer of answers) {
    expect(answer.status).toBe(503);
    expect(await codeOf(answer)).toBe('unavailable');
  }
  expect((await app.request('/api/v1/workspaces')).status).toBe(401);
});

test('an unexpected error is logged, and reveals nothing about its cause to the caller', async () => {
  const logged: { err?: { message: string } }[] = [];
  // The database that the server starts with has none of our tables.
  const { app, pool, headers } = managementOn(inject('serverUrl'), logged);
  const answer = await app.request('/api/v1/workspaces', { headers });
  expect(answer.status).toBe(500);
  const text = await answer.text();
  expect(JSON.parse(text).code).toBe('internal');
  expect(text).not.toMatch(/relation|workspaces|42P01/);
  expect(logged[0]?.err?.message).toContain('relation "workspaces" does not exist');
  await pool.end();
});

test('a committed change gets a success response, even if the directory cannot be refreshed immediately', async () => {
  const logged: object[] = [];
  const refuse = () => Promise.reject(new Error('not now'));
  const { app, pool, headers } = managementOn(service.databaseUrl, logged, refuse);
  const answer = await app.request('/api/v1/workspaces', {
    headers,
    method: 'POST',
    body: '{"name":"Acme"}',
  });
  expect(answer.status).toBe(201);
  expect(logged).toMatchObject([{ msg: 'directory not refreshed immediately' }]);
  await pool.end();
});

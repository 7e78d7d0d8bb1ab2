import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { AccessLevel } from '../../src/contract/call.ts';
import { calls } from '../../src/contract/calls.ts';
import { join } from '../support/browser/browser.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { createWorkspace } from './leads/seed.ts';

let service: TestService;
// biome-ignore lint/suspicious/noExplicitAny: the document is read as a client would, without our types.
let document: any;

beforeAll(async () => {
  service = await startTestService({ docsSite: inject('docsSite') });
  document = await (await fetch(`${service.url}/api/openapi.json`)).json();
  workspaceId = await createWorkspace(service);
  const own = await createWorkspace(service);
  const { cookies } = await join(service, own, 'stranger@example.com', 'member');
  stranger = { headers: { Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') } };
});
afterAll(() => service.stop());

let workspaceId: string;
/** Signed in, and in no workspace but one of their own. */
let stranger: { readonly headers: Record<string, string> };

const waysIn: Partial<Record<AccessLevel, string[]>> = {
  public: [],
  person: ['session'],
};

test.each(calls.map(({ method, path, access }) => [method, path, access] as const))(
  '%s %s is documented',
  (method, path, { by, scope }) => {
    const operation = document.paths[`/api/v1${path.replaceAll(/:(\w+)/g, '{$1}')}`][method];
    expect(operation.summary).not.toBe('');
    const schemes = operation.security.flatMap((way: object) => Object.keys(way));
    const keys = scope === undefined ? [] : ['apiKey'];
    const people = by === 'operator_key' ? [] : ['session'];
    expect(schemes).toEqual(waysIn[by] ?? ['operatorKey', ...people, ...keys]);
  },
);

interface Operation {
  readonly parameters: { name: string; in: string; description?: string; schema: object }[];
  readonly responses: Record<string, { description: string }>;
}

/** Every call of the document, under the name that a failure shows. */
function operations(): [string, Operation][] {
  return Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
}

const operationOf = (method: string, path: string): Operation =>
  document.paths[`/api/v1${path.replaceAll(/:(\w+)/g, '{$1}')}`][method];

test('every parameter of every call is described in a sentence: see openapi/parameters.ts, or describe it in its query', () => {
  const silent = operations().flatMap(([call, { parameters }]) =>
    parameters
      .filter(({ description }) => description === undefined || !/^\S.{9,}\.$/s.test(description))
      .map(
        ({ name, in: place, description }) =>
          `${call}: ${place} parameter "${name}" says "${description ?? ''}"`,
      ),
  );
  expect(silent).toEqual([]);
});

test('every management call documents unknown query parameters, a wrong key and an outage', () => {
  const expected = { 401: 'unauthorized', 422: 'invalid_input', 503: 'unavailable', 500: 'internal' };
  const missing = calls.flatMap(({ method, path }) =>
    Object.entries(expected)
      .filter(([status, code]) => !operationOf(method, path).responses[status]?.description.includes(code))
      .map(([status, code]) => `${method.toUpperCase()} ${path} does not document ${status} ${code}`),
  );
  expect(missing).toEqual([]);
});

test('the list and the export of leads document the filter by a field, so that a client can send it', () => {
  for (const path of ['/workspaces/:workspace_id/leads', '/workspaces/:workspace_id/leads/export']) {
    const filter = operationOf('get', path).parameters.find(({ name }) => name === 'field.<key>');
    // The members of the object go into the query one by one, under their own names.
    expect(filter).toMatchObject({ in: 'query', style: 'form', explode: true });
    expect(filter?.schema).toEqual({
      type: 'object',
      propertyNames: { pattern: '^field\\.' },
      additionalProperties: { type: 'string', minLength: 0, maxLength: 1000 },
    });
  }
});

/** Requests that go wrong in every way that needs no preparation. */
const mishaps: Record<string, (method: string, path: string) => [string, RequestInit]> = {
  'nobody calls': (method, path) => [path, { method }],
  'a key that is wrong': (method, path) => [path, { method, headers: { Authorization: 'Bearer nonsense' } }],
  'an unknown query key': (method, path) => [`${path}?nonsense=1`, { method, headers: keyed() }],
  'a query key twice': (method, path) => [`${path}?cursor=1&cursor=2`, { method, headers: keyed() }],
  'a cursor of nobody': (method, path) => [`${path}?cursor=nonsense`, { method, headers: keyed() }],
  'an empty body': (method, path) => [path, { method, headers: keyed() }],
  'a body that is not JSON': (method, path) => [path, { method, headers: keyed(), ...bodyOf(method, '{') }],
  'a body with nonsense': (method, path) => [
    path,
    { method, headers: keyed(), ...bodyOf(method, '{"nonsense":1}') },
  ],
  'a body that is too large': (method, path) => [
    path,
    { method, headers: keyed(), ...bodyOf(method, ' '.repeat(1_000_001)) },
  ],
  'a page of another site': (method, path) => [
    path,
    { method, headers: { Origin: 'https://elsewhere.example' } },
  ],
  'somebody who belongs nowhere': (method, path) => [
    path,
    { method, headers: { ...stranger.headers, Origin: service.url } },
  ],
};

const keyed = () => ({ Authorization: `Bearer ${service.operatorKey}` });
const bodyOf = (method: string, body: string) => (method === 'GET' ? {} : { body });

test.each(Object.keys(mishaps))('every response of %s is documented, with its code', async (name) => {
  const undocumented: string[] = [];
  for (const { method, path } of calls) {
    const address = path.replace(':workspace_id', workspaceId).replaceAll(/:\w+/g, randomUUID());
    const mishap = mishaps[name] as (typeof mishaps)[string];
    const [target, init] = mishap(method.toUpperCase(), `${service.url}/api/v1${address}`);
    const answer = await fetch(target, init);
    const { code = '' } = answer.status < 400 ? {} : ((await answer.json()) as { code?: string });
    const documented = operationOf(method, path).responses[answer.status];
    if (documented === undefined || !documented.description.includes(code))
      undocumented.push(`${method.toUpperCase()} ${path} answers ${answer.status} ${code}`);
  }
  expect(undocumented).toEqual([]);
});

test.each(
  calls.filter(({ expensive }) => expensive !== undefined).map(({ method, path }) => [method, path] as const),
)('%s %s documents that it can be delayed, and for how long', (method, path) => {
  const operation = document.paths[`/api/v1${path.replaceAll(/:(\w+)/g, '{$1}')}`][method];
  expect(operation.responses['429'].description).toContain('too_many_in_progress');
  expect(operation.responses['429'].headers['Retry-After'].schema).toEqual({ type: 'integer' });
});

test('every path of the document is a call of the contract, or one that senders use', () => {
  const ingest = [
    '/api/v1/ingest',
    '/api/v1/ingest/{slug}',
    '/api/ingest/{slug}',
    '/api/v1/browser/challenges',
    '/api/v1/browser/submissions',
    '/api/v1/browser/forms/{public_key}',
  ];
  const paths = calls.map(({ path }) => `/api/v1${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  expect(Object.keys(document.paths).sort()).toEqual([...new Set([...ingest, ...paths])].sort());
});

test('a token is documented for backends with a key and for pages without one', () => {
  const { security, requestBody, responses } = document.paths['/api/v1/browser/tokens'].post;
  expect(security).toEqual([{ operatorKey: [] }, { apiKey: ['browser:mint'] }, {}]);
  const { oneOf } = requestBody.content['application/json'].schema;
  expect(oneOf).toEqual([
    { $ref: '#/components/schemas/BrowserMint' },
    expect.objectContaining({ required: ['challenge', 'solution'] }),
  ]);
  expect(Object.keys(responses['403'].content)).toEqual(['application/problem+json', 'application/json']);
});

test('operation ids are unique', () => {
  const ids = Object.values<Record<string, { operationId: string }>>(document.paths)
    .flatMap((path) => Object.values(path))
    .map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^[a-zA-Z]+$/.test(id))).toBe(true);
});

test('every reference points to a schema', () => {
  const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g);
  const named = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
  expect(named).toEqual(expect.arrayContaining([...new Set([...references].map(([, target]) => target))]));
});

test('a request body is described as sent, a response as returned', () => {
  const { NewForm, Form, NewToken, FormField, FormFieldInput } = document.components.schemas;
  expect(NewForm.required).toEqual(['name']);
  expect(NewForm.additionalProperties).toBe(false);
  expect(NewForm.properties.fields).toMatchObject({ description: 'Default: `[]`.', examples: [[]] });
  // Responses may gain members, requests must not have unknown ones.
  expect(FormFieldInput).toEqual({ ...FormField, additionalProperties: false });
  expect(Form.required).toContain('webhook_secret');
  expect(NewToken.properties.expires_at).toMatchObject({
    anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }],
  });
});

test('a request body is demanded exactly where a request without one is invalid', () => {
  const { put } = document.paths['/api/v1/workspaces/{workspace_id}/forms/{form_id}/webhook-secret'];
  expect(put.requestBody.required).toBe(false);
  const { post } = document.paths['/api/v1/workspaces/{workspace_id}/forms'];
  expect(post.requestBody.required).toBe(true);
  expect(document.paths['/api/v1/browser/tokens'].post.requestBody.required).toBe(true);
});

test('the reference page loads nothing from anywhere else', async () => {
  const page = await fetch(`${service.url}/api/reference`);
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
  const html = await page.text();
  expect(html).not.toMatch(/https?:\/\//);
  const scripts = [...html.matchAll(/src="([^"]+)"/g)].map(
    ([, source]) => new URL(source as string, page.url),
  );
  expect(scripts).toHaveLength(2);
  for (const script of scripts) {
    const answer = await fetch(script);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    // The name has a hash of the content.
    expect(script.pathname).toMatch(/-[\da-f]{12}\.js$/);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const isLarge = (await answer.arrayBuffer()).byteLength > 1_000;
    expect(answer.headers.get('content-encoding')).toBe(isLarge ? 'gzip' : null);
  }
});

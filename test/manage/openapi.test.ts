import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Access } from '../../src/manage/access.ts';
import { routes } from '../../src/manage/routes.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
// biome-ignore lint/suspicious/noExplicitAny: the document is read as a client would, without our types.
let document: any;

beforeAll(async () => {
  service = await startTestService();
  document = await (await fetch(`${service.url}/api/openapi.json`)).json();
});
afterAll(() => service.stop());

const waysIn: Partial<Record<Access, string[]>> = {
  public: [],
  person: ['session'],
  operator_key: ['operatorKey'],
};

test.each(routes.map(({ method, path, access }) => [method, path, access] as const))(
  '%s %s is documented',
  (method, path, access) => {
    const operation = document.paths[`/api/v1${path.replaceAll(/:(\w+)/g, '{$1}')}`][method];
    expect(operation.summary).not.toBe('');
    const schemes = operation.security.flatMap((way: object) => Object.keys(way));
    expect(schemes).toEqual(waysIn[access] ?? ['operatorKey', 'session']);
    expect(Object.keys(operation.responses).includes('401')).toBe(access !== 'public');
  },
);

test.each(
  routes.filter(({ heavy }) => heavy !== undefined).map(({ method, path }) => [method, path] as const),
)('%s %s says that it can be put off, and for how long', (method, path) => {
  const operation = document.paths[`/api/v1${path.replaceAll(/:(\w+)/g, '{$1}')}`][method];
  expect(operation.responses['429'].description).toContain('too_many_in_progress');
  expect(operation.responses['429'].headers['Retry-After'].schema).toEqual({ type: 'integer' });
});

test('every path of the document is a route, or one of the three ingest paths', () => {
  const ingest = ['/api/v1/ingest', '/api/v1/ingest/{slug}', '/api/ingest/{slug}'];
  const paths = routes.map(({ path }) => `/api/v1${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  expect(Object.keys(document.paths).sort()).toEqual([...new Set([...ingest, ...paths])].sort());
});

test('operations have ids of their own', () => {
  const ids = Object.values<Record<string, { operationId: string }>>(document.paths)
    .flatMap((path) => Object.values(path))
    .map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^[a-zA-Z]+$/.test(id))).toBe(true);
});

test('every reference leads to a schema', () => {
  const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g);
  const named = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
  expect(named).toEqual(expect.arrayContaining([...new Set([...references].map(([, target]) => target))]));
});

test('a request body is described as it is sent, an answer as it comes', () => {
  const { NewForm, Form, NewToken } = document.components.schemas;
  expect(NewForm.required).toEqual(['name']);
  expect(NewForm.additionalProperties).toBe(false);
  expect(Form.required).toContain('webhook_secret');
  expect(NewToken.properties.expires_at).toMatchObject({
    anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }],
  });
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
  }
});

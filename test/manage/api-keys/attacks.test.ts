import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scopes } from '../../../src/domain/api-key/scope.ts';
import { join } from '../../support/browser/browser.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createForm, createWorkspace, Seed } from '../leads/seed.ts';
import { callWithKey, createApiKey } from './key-holder.ts';

let service: TestService;
let seed: Seed;
let workspaceId: string;
let key: string;
/** Everything that the service logs. */
let logged = '';

beforeAll(async () => {
  const write = (line: string) => {
    logged += line;
  };
  const log = pino({ level: 'trace' }, { write });
  service = await startTestService({ log });
  seed = new Seed(service);
  workspaceId = await createWorkspace(service);
  ({ key } = await createApiKey(service, workspaceId, scopes));
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const leads = () => `${service.url}/api/v1/workspaces/${workspaceId}/leads`;
const statusOf = async (url: string, headers: Record<string, string> = {}) =>
  (await fetch(url, { headers })).status;

test('a key is accepted in the Authorization header only', async () => {
  expect(await statusOf(leads(), { Authorization: `Bearer ${key}` })).toBe(200);
  for (const name of ['key', 'api_key', 'access_token', 'token'])
    expect(await statusOf(`${leads()}?${name}=${key}`)).toBe(401);
  const headers = [
    { 'X-Api-Key': key },
    { Cookie: `session=${key}; better-auth.session_token=${key}` },
    { Authorization: key },
    { Authorization: `Basic ${btoa(`${key}:`)}` },
    { Authorization: `Basic ${btoa(`:${key}`)}` },
    { Authorization: `Bearer ${key}, Bearer ${service.operatorKey}` },
    { Authorization: `Bearer ${key.toLowerCase()}` },
  ];
  for (const wrong of headers) expect(await statusOf(leads(), wrong)).toBe(401);
});

test('a key opens neither sessions nor metrics', async () => {
  const Authorization = `Bearer ${key}`;
  expect(await statusOf(`${service.url}/metrics`, { Authorization })).toBe(401);
  const session = await fetch(`${service.url}/api/auth/get-session`, { headers: { Authorization } });
  expect((await session.json()) ?? null).toBeNull();
  for (const path of ['change-password', 'revoke-other-sessions', 'sign-out']) {
    const origin = { Origin: service.url, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ currentPassword: 'x', newPassword: 'y' });
    const url = `${service.url}/api/auth/${path}`;
    const answer = await fetch(url, { method: 'POST', headers: { Authorization, ...origin }, body });
    expect([200, 400, 401, 422]).toContain(answer.status);
    expect(answer.headers.getSetCookie().join()).not.toMatch(/session_token=[^;]/);
  }
});

test('a session does not add to what a key may do', async () => {
  const owner = await join(service, workspaceId, 'owner@example.com', 'owner');
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const members = `${service.url}/api/v1/workspaces/${workspaceId}/members`;
  expect(await statusOf(members, { Cookie: cookie })).toBe(200);
  expect(await statusOf(members, { Cookie: cookie, Authorization: `Bearer ${key}` })).toBe(403);
});

test('a key reaches nothing of another workspace through an object of its own', async () => {
  const other = await createWorkspace(service);
  const form = await createForm(service, other);
  const lead = await seed.lead(other, { form_id: form.id });
  const at = `/workspaces/${workspaceId}`;
  const token = { name: 'Mine', form_id: form.id };
  expect((await callWithKey(service, key, 'POST', `${at}/tokens`, token)).status).toBe(422);
  for (const path of [`/forms/${form.id}`, `/leads/${lead}`, `/leads/${lead}/body`, `/leads/${lead}/history`])
    expect((await callWithKey(service, key, 'GET', at + path)).status).toBe(404);
  expect((await callWithKey(service, key, 'DELETE', `${at}/leads/${lead}`)).status).toBe(404);
  const { status } = await callWithKey(service, key, 'GET', `/workspaces/${workspaceId.toUpperCase()}/leads`);
  expect(status).toBe(200);
});

test('a key cannot watch changes, extend itself or create another', async () => {
  const tried = [
    ['GET', `/changes?workspace_ids=${workspaceId}`],
    ['POST', `/workspaces/${workspaceId}/api-keys`, { name: 'More', scopes }],
    ['GET', `/workspaces/${workspaceId}/api-keys`],
    ['POST', '/workspaces', { name: 'Mine' }],
    ['PATCH', `/workspaces/${workspaceId}`, { name: 'Mine' }],
    ['POST', '/setup', {}],
    ['POST', '/invitations/accept', { token: 'x' }],
  ] as const;
  for (const [method, path, body] of tried)
    expect((await callWithKey(service, key, method, path, body)).status).toBe(403);
});

test('a key that may not read leads sees no kept body in the signature debugger', async () => {
  const { id } = await createForm(service, workspaceId);
  const at = `/workspaces/${workspaceId}/forms/${id}/signature-debug`;
  const debugging = await createApiKey(service, workspaceId, ['diagnostics:read']);
  const rejection = { rejection_id: crypto.randomUUID() };
  const { status, json } = await callWithKey(service, debugging.key, 'POST', at, rejection);
  expect([status, json.code]).toEqual([403, 'scope_missing']);
  expect((await callWithKey(service, debugging.key, 'POST', at, { body: '{}' })).status).toBe(200);
});

test('the history of a lead shows a key no audit log entries', async () => {
  const { id: form_id } = await createForm(service, workspaceId);
  const lead = await seed.lead(workspaceId, { form_id });
  const at = `/workspaces/${workspaceId}/leads/${lead}`;
  await service.api('GET', `${at}/body`);
  const kindsFor = (items: { kind: string }[]) => items.map(({ kind }) => kind);
  const whole = (await service.api('GET', `${at}/history`)).json.items;
  const seen = (await callWithKey(service, key, 'GET', `${at}/history`)).json.items;
  expect(kindsFor(whole)).toContain('called');
  expect(kindsFor(seen)).not.toContain('called');
});

test('a key is never logged', async () => {
  await callWithKey(service, key, 'GET', `/workspaces/${workspaceId}/leads`);
  await callWithKey(service, `${key}x`, 'GET', `/workspaces/${workspaceId}/leads`);
  expect(logged).toContain('management request');
  expect(logged).not.toContain(key);
});

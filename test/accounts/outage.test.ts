import { afterAll, beforeAll, expect, test } from 'vitest';
import { createForm, createWorkspace } from '../manage/leads/seed.ts';
import { type Browser, join } from '../support/browser/browser.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { type Outage, openDoor } from '../support/database/outage.ts';
import { startTestService, type TestService } from '../support/service.ts';

let database: TestDatabase;
let door: Outage;
let service: TestService;
let browser: Browser;
let operator: Browser;
let token: string;
const email = 'ada@example.com';

beforeAll(async () => {
  database = await createTestDatabase();
  door = await openDoor(database.url);
  service = await startTestService({
    databaseUrl: door.databaseUrl,
    env: { COMMIT_DEADLINE_MS: '750' },
  });
  const workspaceId = await createWorkspace(service);
  const form = await createForm(service, workspaceId);
  const made = await service.api('POST', `/workspaces/${workspaceId}/tokens`, {
    name: 'T',
    form_id: form.id,
  });
  token = made.json.token;
  browser = await join(service, workspaceId, email, 'owner');
  operator = await join(service, workspaceId, 'operator@example.com', 'member');
  const { json: me } = await operator.api('GET', '/me');
  await service.api('POST', '/operator/people', { person_id: me.user.id, operator: true });
  expect((await operator.api('GET', '/operator/health')).status).toBe(200);
  await door.begin();
});
afterAll(async () => {
  await service.stop();
  await door.close();
  await database.drop();
});

test.each([
  ['GET', '/v1/me', undefined],
  ['GET', '/v1/setup', undefined],
  ['POST', '/v1/workspaces', { name: 'Now' }],
  ['GET', '/auth/get-session', undefined],
  ['GET', '/auth/list-sessions', undefined],
  ['POST', '/auth/sign-in/email', { email, password: 'seven wet umbrellas' }],
  ['POST', '/auth/revoke-session', { token: 'x' }],
  [
    'POST',
    '/auth/change-password',
    { currentPassword: 'seven wet umbrellas', newPassword: 'eight dry umbrellas' },
  ],
])('while PostgreSQL is down, %s %s says so instead of signing anyone out', async (method, path, body) => {
  const { status, json } = await browser.call(method, path, body);
  expect([status, json.code]).toEqual([503, 'unavailable']);
  expect(browser.cookies.size).toBe(1);
});

test('while PostgreSQL is down, leads are accepted, and the operator key can read the health of the service', async () => {
  const lead = await fetch(`${service.url}/api/v1/ingest`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: '{"email":"ada@example.com"}',
  });
  expect(lead.status).toBe(202);
  const { status, json } = await service.api('GET', '/operator/health');
  expect(status).toBe(200);
  expect(json).toMatchObject({
    database: { available: false },
    spool: { leads: 1, quarantined: null, refused: null },
    enrichment: { waiting: null },
  });
});

test('while PostgreSQL is down, an operator who was signed in before still sees the health, and nothing else', async () => {
  const { status, json } = await operator.api('GET', '/operator/health');
  expect(status).toBe(200);
  expect(json).toMatchObject({
    database: { available: false },
    clock: { difference_ms: null },
    enrichment: { waiting: null, oldest_seconds: null },
    instance: { role: 'all', version: expect.any(String) },
  });
  expect(json.statements[0]).toMatchObject({
    id: 'database',
    state: 'problem',
    text: expect.stringContaining('The database is unavailable.'),
    advice: expect.any(String),
  });
  expect((await operator.api('GET', '/operator/health/series')).json.points).toEqual([]);
  for (const path of ['/me', '/workspaces', '/operator/people', '/operator/audit', '/operator/quarantine'])
    expect([path, (await operator.api('GET', path)).status]).toEqual([path, 503]);
  expect((await browser.api('GET', '/operator/health')).status).toBe(503);
});

test('once PostgreSQL is back, the session still works', async () => {
  await door.end();
  const { status } = await browser.call('GET', '/v1/me');
  expect(status).toBe(200);
});

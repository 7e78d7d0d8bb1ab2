import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { calls as declared } from '../../src/contract/calls.ts';
import { join } from '../support/browser/browser.ts';
import { ManualClock } from '../support/clocks.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { createApiKey } from './api-keys/key-holder.ts';
import { createForm, createWorkspace, Seed } from './leads/seed.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;
let seed: Seed;
/** What workspace A owns, by the name of the path parameter that addresses it. */
let ofA: Record<string, string>;
let workspaceB: string;

beforeAll(async () => {
  service = await startTestService({ clock });
  seed = new Seed(service);
  const workspace_id = await createWorkspace(service);
  await join(service, workspace_id, 'owner@example.com', 'owner');
  const form_id = (await createForm(service, workspace_id)).id;
  const token = await service.api('POST', `/workspaces/${workspace_id}/tokens`, { name: 'Backend', form_id });
  const submission_id = await seed.lead(workspace_id, { form_id });
  const apiKey = await createApiKey(service, workspace_id, ['leads:read']);
  const invitation = { email: 'ada@example.com', role: 'member' };
  const invited = await service.api('POST', `/workspaces/${workspace_id}/invitations`, invitation);
  const members = await service.api('GET', `/workspaces/${workspace_id}/members`);
  const people = { person_id: members.json.items[0].id, invitation_id: invited.json.id };
  const held_id = await seed.held(workspace_id, form_id);
  const held = {
    held_id,
    rejection_id: held_id,
    decision_id: await seed.heldDecision(workspace_id),
    alarm_id: await seed.alarm(workspace_id),
  };
  const view = { name: 'Hot', filters: {} };
  ofA = {
    ...held,
    action_id: await seed.leadAction(workspace_id),
    view_id: (await service.api('POST', `/workspaces/${workspace_id}/lead-views`, view)).json.id,
    workspace_id,
    form_id,
    token_id: token.json.id,
    submission_id,
    api_key_id: apiKey.id,
    ...people,
  };
  workspaceB = await createWorkspace(service);
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const calls = declared.map(({ method, path }) => [method.toUpperCase(), path] as const);
// Without a key, this path belongs to web pages, which get its constant refusal.
const alsoForPages = '/browser/tokens';
const closed = declared.filter(({ access, path }) => access.by !== 'public' && path !== alsoForPages);
const callsThatAreClosed = closed.map(({ method, path }) => [method.toUpperCase(), path] as const);
const callsIntoWorkspace = calls.filter(([, path]) => path.includes(':workspace_id'));
const callsOnObjects = calls.filter(([, path]) => /:workspace_id.*:/.test(path));

/** A body that each call takes, so that only the path can be what is wrong. */
function bodyOf(method: string, path: string): object | undefined {
  if (path.endsWith('/browser') && method === 'PUT') return { enabled: false, origins: [] };
  if (path.endsWith('/:person_id')) return { role: 'member' };
  if (path.endsWith('/schema') && method === 'PUT') return { schema: '{"type":"object","properties":{}}' };
  if (path.endsWith('/handover-links')) return { ciphertext: 'A'.repeat(100) };
  if (method === 'PATCH') return { name: 'Mine now' };
  if (/\/scoring(?:\/dry-run)?$/.test(path) && method !== 'GET') return { settings: {} };
  if (path.endsWith('/signature-debug')) return { body: '{}' };
  if (path.endsWith('/recipients/confirmation')) return { address: 'ada@example.com' };
  return path.endsWith('/mark') ? { mark: 'spam' } : undefined;
}

function filled(path: string, ids: Record<string, string>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] as string);
}

async function callWith(authorization: string | undefined, method: string, path: string): Promise<Response> {
  const headers = authorization === undefined ? {} : { Authorization: authorization };
  return fetch(`${service.url}/api/v1${filled(path, ofA)}`, { method, headers });
}

test.each(callsThatAreClosed)('%s %s is refused without a key', async (method, path) => {
  const answer = await callWith(undefined, method, path);
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(await answer.json()).toMatchObject({ code: 'unauthorized', status: 401 });
});

test('creating a browser token is refused without a key', async () => {
  const answer = await callWith(undefined, 'POST', alsoForPages);
  expect([answer.status, await answer.json()]).toEqual([403, { status: 'refused' }]);
});

test.each(calls)('%s %s is refused with a wrong key', async (method, path) => {
  const wrongKeys = [
    `Bearer ${service.operatorKey}x`,
    `Basic ${service.operatorKey}`,
    service.operatorKey,
    'Bearer ',
  ];
  // A network can try a hundred wrong keys a minute.
  clock.advance(60_000);
  for (const key of wrongKeys) expect((await callWith(key, method, path)).status).toBe(401);
});

test.each(callsIntoWorkspace)(
  '%s %s knows no workspace of an unknown or malformed id',
  async (method, path) => {
    for (const workspace_id of [randomUUID(), 'acme', '%00', `${ofA.workspace_id}0`]) {
      const { status, json } = await service.api(method, filled(path, { ...ofA, workspace_id }));
      expect([status, json.code]).toEqual([404, 'not_found']);
    }
  },
);

test.each(callsOnObjects)("%s %s does not reach another workspace's object", async (method, path) => {
  const address = filled(path, { ...ofA, workspace_id: workspaceB });
  const { status, json } = await service.api(method, address, bodyOf(method, path));
  expect([status, json.code]).toEqual([404, 'not_found']);
});

test.each(callsOnObjects)('%s %s finds nothing under an unknown or malformed id', async (method, path) => {
  for (const id of [randomUUID(), 'nonsense']) {
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => [name, id]);
    const ids = { ...Object.fromEntries(names), workspace_id: ofA.workspace_id };
    const { status, json } = await service.api(method, filled(path, ids), bodyOf(method, path));
    expect([status, json.code]).toEqual([404, 'not_found']);
  }
});

test('what another workspace tried changed nothing', async () => {
  const form = await service.api('GET', `/workspaces/${ofA.workspace_id}/forms/${ofA.form_id}`);
  expect(form.json).toMatchObject({ name: 'Contact', webhook_secret: { configured: false } });
  const tokens = await service.api('GET', `/workspaces/${ofA.workspace_id}/tokens`);
  expect(tokens.json.items).toMatchObject([{ status: 'active' }]);
  const lead = await service.api('GET', `/workspaces/${ofA.workspace_id}/leads/${ofA.submission_id}`);
  expect(lead.json).toMatchObject({ verdict: 'clean', mark: null });
  const members = await service.api('GET', `/workspaces/${ofA.workspace_id}/members`);
  expect(members.json.items).toMatchObject([{ id: ofA.person_id, role: 'owner' }]);
  const scoring = await service.api('GET', `/workspaces/${ofA.workspace_id}/forms/${ofA.form_id}/scoring`);
  expect(scoring.json.version).toBe(0);
});

test.each(['forms', 'tokens', 'leads', 'diagnostics', 'members', 'invitations'])(
  "the %s of one workspace do not show another's",
  async (list) => {
    const { json } = await service.api('GET', `/workspaces/${workspaceB}/${list}`);
    expect(json.items).toEqual([]);
  },
);

test("an export of one workspace does not contain another's leads", async () => {
  const { text } = await service.api('GET', `/workspaces/${workspaceB}/leads/export?format=ndjson`);
  expect(text).toBe('');
});

test('a key in a scheme of another case is accepted', async () => {
  expect((await callWith(`bearer ${service.operatorKey}`, 'GET', '/workspaces')).status).toBe(200);
});

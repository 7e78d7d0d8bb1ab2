import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AccessLevel, CallDeclaration } from '../../src/contract/call.ts';
import { calls } from '../../src/contract/calls.ts';
import { createApiKey } from '../manage/api-keys/key-holder.ts';
import { addDelivery, createDestination } from '../manage/destinations/some-deliveries.ts';
import { createForm, createWorkspace, Seed } from '../manage/leads/seed.ts';
import { type Browser, invite, join } from '../support/browser/browser.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let seed: Seed;
/** What workspace A holds, by the name of the path parameter that addresses it. */
let ofA: Record<string, string>;
let owner: Browser;
let member: Browser;
/** Owns another workspace. */
let outsider: Browser;
/** Belongs to no workspace, and is an operator. */
let operator: Browser;

beforeAll(async () => {
  service = await startTestService();
  seed = new Seed(service);
  const workspace_id = await createWorkspace(service, 'Secret plans');
  const form_id = (await createForm(service, workspace_id)).id;
  const token = await service.api('POST', `/workspaces/${workspace_id}/tokens`, { name: 'Backend', form_id });
  const ciphertext = 'A'.repeat(100);
  const links = `/workspaces/${workspace_id}/tokens/${token.json.id}/handover-links`;
  const link = await service.api('POST', links, { ciphertext });
  const submission_id = await seed.lead(workspace_id, { form_id });
  const apiKey = await createApiKey(service, workspace_id, ['leads:read']);
  owner = await join(service, workspace_id, 'owner@example.com', 'owner');
  member = await join(service, workspace_id, 'member@example.com', 'member');
  await invite(service, workspace_id, 'invited@example.com', 'member');
  const invitations = await service.api('GET', `/workspaces/${workspace_id}/invitations`);
  const person_id = (await member.api('GET', '/me')).json.user.id;
  const people = { person_id, invitation_id: invitations.json.items[0].id };
  const destination_id = (await createDestination(service, workspace_id)).id;
  const delivery_id = await addDelivery(seed, workspace_id, destination_id, { submission_id, state: 'dead' });
  const replay = await service.api('POST', `/workspaces/${workspace_id}/deliveries/replays`, { filter: {} });
  const deliveries = { destination_id, delivery_id, replay_id: replay.json.id };
  const held_id = await seed.held(workspace_id, form_id);
  const held = { held_id, rejection_id: held_id, decision_id: await seed.heldDecision(workspace_id) };
  const view = { name: 'Secret plans', filters: {} };
  ofA = {
    workspace_id,
    form_id,
    token_id: token.json.id,
    link_id: link.json.id,
    submission_id,
    api_key_id: apiKey.id,
    ...people,
    ...deliveries,
    ...held,
    action_id: await seed.leadAction(workspace_id),
    alarm_id: await seed.alarm(workspace_id),
    view_id: (await service.api('POST', `/workspaces/${workspace_id}/lead-views`, view)).json.id,
  };
  outsider = await join(service, await createWorkspace(service, 'B'), 'outsider@example.com', 'owner');
  const passing = await createWorkspace(service, 'C');
  operator = await join(service, passing, 'operator@example.com', 'member');
  const { user } = (await operator.api('GET', '/me')).json;
  await service.api('DELETE', `/workspaces/${passing}/members/${user.id}`);
  await service.api('POST', '/operator/people', { person_id: user.id, operator: true });
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const named = (some: readonly CallDeclaration[]) =>
  some.map(({ method, path }) => [method.toUpperCase(), path] as const);
const intoWorkspace = calls.filter(({ path }) => path.includes(':workspace_id'));
const notOpenToOperators = intoWorkspace.filter(({ access }) => access.operatorsToo !== true);
const forOwners = intoWorkspace.filter(({ access }) => access.by === 'owner');
const forMembers = intoWorkspace.filter(({ access }) => access.by === 'member');
const changing = calls.filter(({ method, access }) => method !== 'get' && access.by !== 'operator_key');
const ofAccess = (by: AccessLevel) => calls.filter(({ access }) => access.by === by);

function address(path: string, ids: Record<string, string>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] as string);
}

/** An address in workspace A of something that is not there, so that a call that is let in changes nothing. */
function emptyAddress(path: string): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) =>
    name === 'workspace_id' ? (ofA.workspace_id as string) : randomUUID(),
  );
}

/** Let in, and then served, or told what is wrong with the call. */
const isOpen = ({ status, json }: { status: number; json: { detail?: string } }) =>
  status < 500 && status !== 401 && status !== 403 && json?.detail !== 'There is no such workspace.';

test('every object that a path can name is tried', () => {
  const names = intoWorkspace.flatMap(({ path }) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name));
  expect(Object.keys(ofA)).toEqual(expect.arrayContaining([...new Set(names)]));
});

test.each(named(intoWorkspace))(
  '%s %s is not there for the owner of another workspace',
  async (method, path) => {
    const { status, json, text } = await outsider.api(method, address(path, ofA));
    expect([status, json.code, json.detail]).toEqual([404, 'not_found', 'There is no such workspace.']);
    expect(text).not.toContain('Secret plans');
  },
);

test.each(named(forOwners))('%s %s is refused to a member', async (method, path) => {
  const { status, json } = await member.api(method, address(path, ofA));
  expect([status, json.code]).toEqual([403, 'forbidden']);
});

test.each(named(forMembers))('%s %s is open to a member', async (method, path) => {
  expect(isOpen(await member.api(method, emptyAddress(path)))).toBe(true);
});

test.each(named(intoWorkspace))('%s %s is open to an owner', async (method, path) => {
  expect(isOpen(await owner.api(method, emptyAddress(path)))).toBe(true);
});

test.each(named(notOpenToOperators))(
  '%s %s does not let an operator look into a workspace',
  async (method, path) => {
    const { status, json } = await operator.api(method, address(path, ofA));
    expect([status, json.code]).toEqual([404, 'not_found']);
  },
);

test.each(named(ofAccess('operator')))('%s %s is for operators only', async (method, path) => {
  for (const person of [owner, member, outsider]) {
    const { status, json } = await person.api(method, path);
    expect([status, json.code]).toEqual([403, 'forbidden']);
  }
  expect(isOpen(await operator.api(method, path))).toBe(true);
});

test.each(named(ofAccess('operator_key')))(
  '%s %s is closed to all people, operators too',
  async (method, path) => {
    for (const person of [owner, member, outsider, operator]) {
      expect((await person.api(method, path)).status).toBe(403);
    }
  },
);

describe('requests that another site makes a browser send', () => {
  const foreign: readonly Record<string, string>[] = [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'none' },
    { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' },
    {},
  ];

  test.each(named(changing))('%s %s is refused', async (method, path) => {
    for (const headers of foreign) {
      const { status, json } = await owner.call(method, `/v1${address(path, ofA)}`, undefined, headers);
      expect([status, json.code]).toEqual([403, 'cross_site']);
    }
  });

  const authCalls = [
    'sign-in/email',
    'sign-out',
    'change-password',
    'revoke-session',
    'revoke-other-sessions',
  ];
  test.each(authCalls)('POST /api/auth/%s is refused', async (path) => {
    for (const headers of foreign) {
      const { status, json } = await owner.call('POST', `/auth/${path}`, {}, headers);
      expect([status, json.code]).toEqual([403, 'cross_site']);
    }
    expect((await owner.api('GET', '/me')).status).toBe(200);
  });

  test('a page under another name of the service counts as our own', async () => {
    const { port } = new URL(service.url);
    const headers = { Origin: `http://localhost:${port}`, Host: `localhost:${port}` };
    const answer = await fetch(`http://localhost:${port}/api/auth/sign-out`, {
      method: 'POST',
      headers,
      body: '{}',
    });
    expect(answer.status).toBe(200);
  });

  test('reads need no page of ours, and a session does not make up for a wrong key', async () => {
    expect((await owner.call('GET', '/v1/me', undefined, {})).status).toBe(200);
    const headers = { ...owner.ownHeaders, Authorization: 'Bearer wrong' };
    expect((await owner.call('GET', '/v1/workspaces', undefined, headers)).status).toBe(401);
  });
});

test('nothing that was tried changed workspace A', async () => {
  const members = await service.api('GET', `/workspaces/${ofA.workspace_id}/members`);
  expect(members.json.items.map(({ role }: { role: string }) => role).sort()).toEqual(['member', 'owner']);
  const form = await service.api('GET', `/workspaces/${ofA.workspace_id}/forms/${ofA.form_id}`);
  expect(form.json).toMatchObject({ name: 'Contact', webhook_secret: { configured: false } });
  const invitations = await service.api('GET', `/workspaces/${ofA.workspace_id}/invitations`);
  expect(invitations.json.items).toMatchObject([{ id: ofA.invitation_id }]);
  const tokens = await service.api('GET', `/workspaces/${ofA.workspace_id}/tokens`);
  expect(tokens.json.items).toMatchObject([{ id: ofA.token_id, status: 'active' }]);
  const lead = await service.api('GET', `/workspaces/${ofA.workspace_id}/leads/${ofA.submission_id}`);
  expect(lead.json).toMatchObject({ mark: null });
});

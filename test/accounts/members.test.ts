import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace } from '../manage/leads/seed.ts';
import { type Browser, join } from '../support/browser/browser.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let second: TestService;
let people = 0;

beforeAll(async () => {
  service = await startTestService();
  second = await startTestService({ databaseUrl: service.databaseUrl });
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});

async function newMember(workspaceId: string, role: string): Promise<{ browser: Browser; id: string }> {
  const browser = await join(service, workspaceId, `person${people++}@example.com`, role);
  return { browser, id: (await browser.api('GET', '/me')).json.user.id };
}

async function rolesIn(workspaceId: string): Promise<Record<string, string>> {
  const { json } = await service.api('GET', `/workspaces/${workspaceId}/members`);
  return Object.fromEntries(json.items.map(({ id, role }: { id: string; role: string }) => [id, role]));
}

test('an owner sees the people of the workspace with their roles, and changes them', async () => {
  const workspaceId = await createWorkspace(service);
  const owner = await newMember(workspaceId, 'owner');
  const other = await newMember(workspaceId, 'member');
  const list = await owner.browser.api('GET', `/workspaces/${workspaceId}/members`);
  expect(list.json.items).toMatchObject([
    { id: other.id, role: 'member', email: expect.stringContaining('@'), name: expect.any(String) },
    { id: owner.id, role: 'owner' },
  ]);
  const path = `/workspaces/${workspaceId}/members/${other.id}`;
  expect((await owner.browser.api('PATCH', path, { role: 'owner' })).json.role).toBe('owner');
  expect((await other.browser.api('GET', `/workspaces/${workspaceId}/members`)).status).toBe(200);
});

test('a removed person loses access with the next call, and keeps the account', async () => {
  const workspaceId = await createWorkspace(service);
  const { browser, id } = await newMember(workspaceId, 'member');
  expect((await browser.api('GET', `/workspaces/${workspaceId}`)).status).toBe(200);
  expect((await service.api('DELETE', `/workspaces/${workspaceId}/members/${id}`)).status).toBe(204);
  expect((await browser.api('GET', `/workspaces/${workspaceId}`)).status).toBe(404);
  expect((await browser.api('GET', '/me')).json.workspaces).toEqual([]);
});

test('the last owner cannot be removed or made a member, even with the operator key', async () => {
  const workspaceId = await createWorkspace(service);
  const owner = await newMember(workspaceId, 'owner');
  await newMember(workspaceId, 'member');
  const path = `/workspaces/${workspaceId}/members/${owner.id}`;
  for (const api of [owner.browser.api.bind(owner.browser), service.api]) {
    const demoted = await api('PATCH', path, { role: 'member' });
    expect([demoted.status, demoted.json.code]).toEqual([409, 'last_owner']);
    const removed = await api('DELETE', path);
    expect([removed.status, removed.json.code]).toEqual([409, 'last_owner']);
  }
  expect((await owner.browser.api('PATCH', path, { role: 'owner' })).status).toBe(200);
  expect((await rolesIn(workspaceId))[owner.id]).toBe('owner');
});

test('when all owners leave at the same time on several instances, one stays', async () => {
  const workspaceId = await createWorkspace(service);
  const owners = await Promise.all(Array.from({ length: 4 }, () => newMember(workspaceId, 'owner')));
  for (let round = 0; round < 5; round++) {
    const leaving = owners.map(({ id }, i) => {
      const { api } = i % 2 === 0 ? service : second;
      const path = `/workspaces/${workspaceId}/members/${id}`;
      return api('PATCH', path, { role: 'member' });
    });
    const statuses = (await Promise.all(leaving)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 200, 200, 409]);
    expect(Object.values(await rolesIn(workspaceId)).filter((role) => role === 'owner')).toHaveLength(1);
    for (const { id } of owners) {
      await service.api('PATCH', `/workspaces/${workspaceId}/members/${id}`, { role: 'owner' });
    }
  }
});

test('a person who creates a workspace owns it, and lists only what is theirs', async () => {
  const { browser } = await newMember(await createWorkspace(service, 'First'), 'member');
  const created = await browser.api('POST', '/workspaces', { name: 'Own' });
  expect(created.status).toBe(201);
  expect((await browser.api('GET', '/me')).json.workspaces).toMatchObject([
    { name: 'First', role: 'member' },
    { name: 'Own', role: 'owner' },
  ]);
  const listed = await browser.api('GET', '/workspaces?limit=200');
  expect(listed.json.items.map(({ name }: { name: string }) => name).sort()).toEqual(['First', 'Own']);
  expect((await browser.api('PATCH', `/workspaces/${created.json.id}`, { name: 'Mine' })).status).toBe(200);
});

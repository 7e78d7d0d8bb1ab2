import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, join } from '../../support/browser/browser.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { callWithKey, createApiKey } from '../api-keys/key-holder.ts';
import { createForm, createWorkspace, Seed } from './seed.ts';

let service: TestService;
let seed: Seed;
let workspaceId: string;
let olga: Browser;
let ada: Browser;
let bob: Browser;

beforeAll(async () => {
  service = await startTestService();
  seed = new Seed(service);
  workspaceId = await createWorkspace(service, 'Engines');
  olga = await join(service, workspaceId, 'olga@example.com', 'owner');
  ada = await join(service, workspaceId, 'ada@example.com', 'member');
  bob = await join(service, workspaceId, 'bob@example.com', 'member');
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const path = (id = '') => `/workspaces/${workspaceId}/lead-views${id === '' ? '' : `/${id}`}`;
const save = async (person: Browser, name: string, filters: object = {}) =>
  (await person.api('POST', path(), { name, filters })).json;
const listed = async (person: Browser): Promise<{ id: string; name: string }[]> =>
  (await person.api('GET', path())).json.items;
const everyFilter = {
  q: 'engine',
  verdict: 'clean',
  mark: 'none',
  surface: 'server',
  range: '7d',
  where: { all: [{ field: 'score', op: 'gte', value: 50 }] },
  sort: 'field.company',
  order: 'asc',
};

test('a view has filters, order and columns, and everyone in the workspace sees it', async () => {
  const form = await createForm(service, workspaceId);
  const layout = {
    columns: [
      { id: 'field.company', width: 200 },
      { id: 'form', shown: false },
    ],
  };
  const filters = { ...everyFilter, form_id: form.id };
  const { status, json: view } = await ada.api('POST', path(), { name: ' Hot leads ', filters, layout });
  expect(status).toBe(201);
  expect(view).toMatchObject({ name: 'Hot leads', filters, layout, version: 1, may_change: true });
  expect(view.created_by).toMatchObject({ name: 'ada@example.com'.split('@')[0], is_member: true });
  const ofBob = (await listed(bob)).find(({ id }) => id === view.id);
  expect(ofBob).toEqual({ ...view, may_change: false });
  expect((await ada.api('DELETE', path(view.id))).status).toBe(204);
});

test('the creator and owners change a view; other members cannot change or delete it', async () => {
  const { id } = await save(ada, 'Of Ada');
  for (const [method, body] of [
    ['PATCH', { name: 'Mine' }],
    ['DELETE', undefined],
  ] as const) {
    const { status, json } = await bob.api(method, path(id), body);
    expect([status, json.code]).toEqual([403, 'forbidden']);
  }
  expect((await ada.api('PATCH', path(id), { name: 'Renamed' })).json).toMatchObject({
    name: 'Renamed',
    version: 2,
  });
  const filters = { verdict: 'spam' };
  const changed = await olga.api('PATCH', path(id), { filters });
  expect(changed.json).toMatchObject({ name: 'Renamed', filters, version: 3 });
  expect((await olga.api('DELETE', path(id))).status).toBe(204);
  expect((await olga.api('DELETE', path(id))).status).toBe(404);
});

test('names are unique in a workspace, whatever their case', async () => {
  const { id } = await save(ada, 'Große Kunden');
  const again = await bob.api('POST', path(), { name: 'große KUNDEN', filters: {} });
  expect([again.status, again.json.errors[0].field]).toEqual([422, 'name']);
  const other = await save(bob, 'Other');
  const renamed = await bob.api('PATCH', path(other.id), { name: 'GROßE kunden' });
  expect([renamed.status, renamed.json.errors[0].field]).toEqual([422, 'name']);
  expect((await ada.api('PATCH', path(id), { name: 'GROßE Kunden' })).status).toBe(200);
  for (const view of [id, other.id]) await olga.api('DELETE', path(view));
});

test('a change with an old version is refused, so that nobody overwrites what they have not seen', async () => {
  const { id } = await save(ada, 'Raced');
  const change = (verdict: string) =>
    ada.api('PATCH', path(id), { filters: { verdict }, expected_version: 1 });
  const statuses = (await Promise.all([change('spam'), change('clean')])).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 409]);
  await ada.api('DELETE', path(id));
});

test('a workspace has at most 100 views, also when they are saved at the same time', async () => {
  const full = await createWorkspace(service, 'Full');
  const eve = await join(service, full, 'eve@example.com', 'owner');
  await seed.query(
    `insert into lead_views (id, workspace_id, name, filters, version, created_at, changed_at)
     select gen_random_uuid(), $1, n::text, '{}', 1, now(), now() from generate_series(1, 98) n`,
    [full],
  );
  const saved = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) =>
      eve.api('POST', `/workspaces/${full}/lead-views`, { name, filters: {} }),
    ),
  );
  expect(saved.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409]);
});

test('a view stays when its form is deleted or its creator leaves, and owners can still change it', async () => {
  const form = await createForm(service, workspaceId, { name: 'Short-lived' });
  const guest = await join(service, workspaceId, 'guest@example.com', 'member');
  const view = await save(guest, 'Of a guest', { form_id: form.id });
  const { user } = (await guest.api('GET', '/me')).json;
  await olga.api('DELETE', `/workspaces/${workspaceId}/forms/${form.id}`);
  await olga.api('DELETE', `/workspaces/${workspaceId}/members/${user.id}`);
  expect((await guest.api('PATCH', path(view.id), { name: 'Still mine' })).status).toBe(404);
  const left = (await listed(bob)).find(({ id }) => id === view.id);
  expect(left).toMatchObject({ filters: { form_id: form.id }, created_by: { is_member: false } });
  await seed.query('delete from people where id = $1', [user.id]);
  expect((await listed(bob)).find(({ id }) => id === view.id)).toMatchObject({ created_by: null });
  expect((await olga.api('PATCH', path(view.id), { name: 'Kept' })).status).toBe(200);
  await olga.api('DELETE', path(view.id));
});

test('a view of another workspace cannot be changed or deleted through the own one', async () => {
  const elsewhere = await createWorkspace(service, 'Elsewhere');
  const foreign = await service.api('POST', `/workspaces/${elsewhere}/lead-views`, {
    name: 'Theirs',
    filters: {},
  });
  for (const method of ['PATCH', 'DELETE']) {
    const { status } = await olga.api(
      method,
      path(foreign.json.id),
      method === 'PATCH' ? { name: 'Ours' } : undefined,
    );
    expect(status).toBe(404);
  }
  const after = await service.api('GET', `/workspaces/${elsewhere}/lead-views`);
  expect(after.json.items).toEqual([foreign.json]);
});

test('an API key changes the views that it saved and no others', async () => {
  const { key } = await createApiKey(service, workspaceId, ['leads:read', 'views:write']);
  const program = (method: string, id = '', body?: object) =>
    callWithKey(service, key, method, path(id), body);
  const saved = await program('POST', '', { name: 'Of a key', filters: {} });
  expect(saved.json).toMatchObject({ created_by: null, may_change: true });
  const ofAda = await save(ada, 'Not of a key');
  expect((await program('PATCH', ofAda.id, { name: 'Taken' })).status).toBe(403);
  expect((await ada.api('DELETE', path(saved.json.id))).status).toBe(403);
  expect((await program('DELETE', saved.json.id)).status).toBe(204);
  await ada.api('DELETE', path(ofAda.id));
});

test.each([
  [{ filters: {} }, 'name'],
  [{ name: 'a\nb', filters: {} }, 'name'],
  [{ name: 'x'.repeat(81), filters: {} }, 'name'],
  [{ name: 'x', filters: { verdict: 'good' } }, 'filters.verdict'],
  [{ name: 'x', filters: { range: '7d', from: '2026-11-15T08:00:00Z' } }, 'filters.range'],
  [{ name: 'x', filters: { sort: 'fields' } }, 'filters.sort'],
  [{ name: 'x', filters: { sort: 'field.' } }, 'filters.sort'],
  [
    { name: 'x', filters: { where: { all: [{ field: 'score', op: 'gte', value: 'high' }] } } },
    'filters.where.all[0]',
  ],
  [{ name: 'x', filters: { where: { any: [] } } }, 'filters.where'],
  [{ name: 'x', filters: { page: 2 } }, 'filters.page'],
  [{ name: 'x', filters: {}, layout: { columns: [{ id: '' }] } }, 'layout.columns[0].id'],
])('the view %j is refused', async (wrong, field) => {
  const { status, json } = await ada.api('POST', path(), wrong);
  expect(status).toBe(422);
  expect(json.errors[0].field).toBe(field);
});

test('a view that would slow down the list of views for everyone is refused', async () => {
  const columns = Array.from({ length: 400 }, (_, i) => ({ id: `field.${'k'.repeat(90)}${i}` }));
  const { status, json } = await ada.api('POST', path(), { name: 'x', filters: {}, layout: { columns } });
  expect([status, json.errors[0].field]).toEqual([422, 'input']);
});

test('a view that this release cannot read shows all leads instead of failing', async () => {
  const { id } = await save(ada, 'Of another release');
  await seed.query(`update lead_views set filters = '{"colour": "red"}' where id = $1`, [id]);
  expect((await listed(ada)).find((view) => view.id === id)).toMatchObject({ filters: {}, layout: null });
  await ada.api('DELETE', path(id));
});

test('the audit log says who saved, renamed and deleted which view, and keeps no filter', async () => {
  const { id } = await save(ada, 'Audited', { q: 'private@example.com' });
  await ada.api('PATCH', path(id), { name: 'Audited again' });
  await olga.api('DELETE', path(id));
  const { json, text } = await olga.api('GET', `/workspaces/${workspaceId}/audit?action=leads`);
  expect(json.items.slice(0, 3).map((entry: { text: string }) => entry.text.replace(/^\S+ /, ''))).toEqual([
    'deleted view Audited again',
    'renamed view Audited to Audited again',
    'saved view Audited',
  ]);
  expect(text).not.toContain('private@example.com');
});

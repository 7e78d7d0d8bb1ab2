import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, join } from '../../support/browser/browser.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createForm, createWorkspace, Seed } from './seed.ts';

let service: TestService;
let seed: Seed;
let workspaceId: string;
let ada: Browser;
let bob: Browser;

beforeAll(async () => {
  service = await startTestService();
  seed = new Seed(service);
  workspaceId = await createWorkspace(service);
  ada = await join(service, workspaceId, 'ada@example.com', 'member');
  bob = await join(service, workspaceId, 'bob@example.com', 'owner');
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const path = (query = '') => `/workspaces/${workspaceId}/lead-table${query}`;
const viewOf = async (person: Browser, query = '') => (await person.api('GET', path(query))).json.view;
const view = {
  columns: [{ id: 'field.__proto__', shown: false }, { id: 'verdict', width: 90 }, { id: 'field.email' }],
};

test('a layout is kept for the person who made it, and nobody else', async () => {
  expect(await viewOf(ada)).toBeNull();
  expect((await ada.api('PUT', path(), { view })).json).toEqual({ view });
  expect(await viewOf(ada)).toEqual(view);
  expect(await viewOf(bob)).toBeNull();
});

test('the table of a form has a separate layout from the table of all leads', async () => {
  const form = await createForm(service, workspaceId);
  const other = { columns: [{ id: 'field.phone', width: 200 }] };
  await ada.api('PUT', path(`?form_id=${form.id}`), { view: other });
  await ada.api('PUT', path(), { view });
  expect(await viewOf(ada, `?form_id=${form.id}`)).toEqual(other);
  expect(await viewOf(ada)).toEqual(view);
});

test('a layout can be reset', async () => {
  await ada.api('PUT', path(), { view });
  expect((await ada.api('PUT', path(), { view: null })).status).toBe(200);
  expect(await viewOf(ada)).toBeNull();
});

test('the form of another workspace has no table here', async () => {
  const foreign = await createForm(service, await createWorkspace(service), { name: 'Foreign' });
  const answer = await ada.api('PUT', path(`?form_id=${foreign.id}`), { view });
  expect([answer.status, answer.json.code]).toEqual([404, 'not_found']);
});

test('the operator key is not a person: it has no layout and cannot save one', async () => {
  expect((await service.api('GET', path())).json).toEqual({ view: null });
  expect((await service.api('PUT', path(), { view })).status).toBe(403);
});

test.each([
  [{ columns: [{ id: 'verdict', width: 10 }] }, 'view.columns[0].width'],
  [{ columns: [{ id: '' }] }, 'view.columns[0].id'],
  [{ columns: Array.from({ length: 501 }, (_, i) => ({ id: `field.${i}` })) }, 'view.columns'],
  [{ columns: [], more: 1 }, 'view.more'],
])('the view %j is refused', async (wrong, field) => {
  const { status, json } = await ada.api('PUT', path(), { view: wrong });
  expect(status).toBe(422);
  expect(json.errors[0].field).toBe(field);
});

test('arranging a table does not change the workspace, so the audit log leaves it out', async () => {
  await bob.api('PUT', path(), { view });
  const { json } = await bob.api('GET', `/workspaces/${workspaceId}/audit`);
  expect(json.items.map(({ action }: { action: string }) => action)).not.toContain('arrangeTheLeadTable');
});

test('a layout from an earlier release that this one cannot read counts as none', async () => {
  await ada.api('PUT', path(), { view });
  await seed.query(`update lead_table_views set view = '{"order": ["email"]}' where workspace_id = $1`, [
    workspaceId,
  ]);
  expect(await viewOf(ada)).toBeNull();
});

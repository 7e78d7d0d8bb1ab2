import { afterAll, beforeAll, expect, test } from 'vitest';
import { fieldsOfSchema } from '../../src/contract/forms/field-schema.ts';
import { openTestPool } from '../support/database/database.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { createForm, createWorkspace } from './leads/seed.ts';

const controls = ['202A', '202B', '202C', '202D', '202E', '2066', '2067', '2068', '2069'];
const rule =
  'contains an invisible character that changes the reading direction; type the text instead of pasting it';
const hidden = 'Invoices \u202egpj.exe';

let service: TestService;
let workspaceId: string;
let formId: string;

beforeAll(async () => {
  service = await startTestService();
  workspaceId = await createWorkspace(service);
  formId = (await createForm(service, workspaceId)).id;
});
afterAll(() => service.stop());

const within = (path: string) => `/workspaces/${workspaceId}${path}`;

test.each(controls)('a form, a workspace and a label cannot have U+%s in their name', async (code) => {
  const name = `a${String.fromCodePoint(Number.parseInt(code, 16))}b`;
  for (const [method, path, body, field] of [
    ['POST', '/workspaces', { name }, 'name'],
    ['PATCH', within(''), { name }, 'name'],
    ['POST', within('/forms'), { name }, 'name'],
    ['PATCH', within(`/forms/${formId}`), { name }, 'name'],
    ['PATCH', within(`/forms/${formId}`), { fields: [{ key: 'k', label: name }] }, 'fields[0].label'],
  ] as const) {
    const { status, json } = await service.api(method, path, body);
    expect([status, json.errors], `${method} ${path}`).toEqual([422, [{ field, message: rule }]]);
  }
});

test.each([
  ['an ingest token', '/tokens', () => ({ name: hidden, form_id: formId })],
  ['an API key', '/api-keys', () => ({ name: hidden, scopes: ['leads:read'] })],
  ['a saved view', '/lead-views', () => ({ name: hidden, filters: {} })],
  [
    'a destination',
    '/destinations',
    () => ({ name: hidden, kind: 'webhook', url: 'https://example.com/leads', events: ['lead.accepted'] }),
  ],
])('%s cannot have a name that changes the reading direction', async (_, path, body) => {
  const { status, json } = await service.api('POST', within(path), body());
  expect([status, json.errors]).toEqual([422, [{ field: 'name', message: rule }]]);
});

test('a person who accepts an invitation cannot have such a name, and no owner can suspend with such a reason', async () => {
  const person = { token: 'x', name: hidden, password: 'seven wet umbrellas' };
  const accepted = await service.api('POST', '/invitations/accept', person);
  expect(accepted.json.errors).toEqual([{ field: 'name', message: rule }]);
  const suspended = await service.api('PATCH', within(''), { status: 'suspended', reason: hidden });
  expect(suspended.json.errors).toEqual([{ field: 'reason', message: rule }]);
});

test('marks without a shape that writing from right to left needs stay allowed', async () => {
  const name = 'שלום\u200f (1)\u200e \u061cعلي';
  const { status, json } = await service.api('POST', within('/forms'), { name });
  expect([status, json.name]).toEqual([201, name]);
});

test('a title of a JSON Schema that cannot be a label is named as not kept', () => {
  const { fields, losses } = fieldsOfSchema(
    JSON.stringify({ properties: { note: { type: 'string', title: hidden } } }),
  );
  expect([fields, losses]).toEqual([[{ key: 'note', type: 'text' }], [{ key: 'note', keyword: 'title' }]]);
});

test('names that were stored before stay, can be searched for, and do not refuse other changes', async () => {
  const { id: oldId } = await createForm(service, workspaceId);
  const pool = openTestPool(service.databaseUrl);
  await pool.query('update forms set name = $2 where id = $1', [oldId, hidden]);
  await pool.query('update workspaces set name = $2 where id = $1', [workspaceId, hidden]);
  await pool.end();

  expect((await service.api('GET', within(`/forms/${oldId}`))).json.name).toBe(hidden);
  const changed = await service.api('PATCH', within(`/forms/${oldId}`), { active: false, slug: 'newer' });
  expect(changed).toMatchObject({ status: 200, json: { name: hidden, active: false, slug: 'newer' } });
  const suspended = await service.api('PATCH', within(''), { status: 'suspended' });
  expect(suspended).toMatchObject({ status: 200, json: { name: hidden, status: 'suspended' } });
  await service.api('PATCH', within(''), { status: 'active' });
  const found = await service.api('GET', `/workspaces?q=${encodeURIComponent(hidden)}`);
  expect(found.json.items).toMatchObject([{ id: workspaceId }]);
});

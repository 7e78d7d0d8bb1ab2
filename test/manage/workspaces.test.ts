import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualClock } from '../support/clocks.ts';
import { startTestService, type TestService } from '../support/service.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ clock });
});
afterAll(() => service.stop());

test('a workspace is active once created, and can be read back', async () => {
  const created = await service.api('POST', '/workspaces', { name: '  Acme  ' });
  expect(created.status).toBe(201);
  expect(created.json).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: 'Acme',
    status: 'active',
    created_at: '2026-11-15T08:00:00.000Z',
    suspension: null,
    held_days: 14,
  });
  const read = await service.api('GET', `/workspaces/${created.json.id}`);
  expect(read.status).toBe(200);
  expect(read.json).toEqual(created.json);
});

test('the id in a path may be written in upper case', async () => {
  const { json } = await service.api('POST', '/workspaces', { name: 'Upper' });
  expect((await service.api('GET', `/workspaces/${json.id.toUpperCase()}`)).json).toEqual(json);
});

test('a workspace can be renamed, suspended and resumed', async () => {
  const { json } = await service.api('POST', '/workspaces', { name: 'Before' });
  const suspended = await service.api('PATCH', `/workspaces/${json.id}`, {
    name: 'After',
    status: 'suspended',
    reason: 'Unpaid',
  });
  const suspension = { since: new Date(clock.now()).toISOString(), by: 'operator', reason: 'Unpaid' };
  expect(suspended.json).toEqual({ ...json, name: 'After', status: 'suspended', suspension });
  const resumed = await service.api('PATCH', `/workspaces/${json.id}`, { status: 'active' });
  expect(resumed.json).toEqual({ ...json, name: 'After' });
});

test.each([
  [{}, 'name', 'is required'],
  [{ name: 5 }, 'name', 'must be text'],
  [{ name: '   ' }, 'name', 'must not be empty'],
  [{ name: 'x'.repeat(201) }, 'name', 'must have at most 200 characters'],
  [{ name: 'two\nlines' }, 'name', 'use one line of text without control characters'],
  [{ name: 'NUL \0' }, 'name', 'use one line of text without control characters'],
  [{ name: 'Acme', colour: 'red' }, 'colour', 'unknown field; known fields: name'],
  [['Acme'], 'input', 'must be a JSON object'],
])('a workspace made from %j is refused, and the response names the error', async (body, field, message) => {
  const { status, json } = await service.api('POST', '/workspaces', body);
  expect(status).toBe(422);
  expect(json.code).toBe('invalid_input');
  expect(json.errors).toEqual([{ field, message }]);
});

test.each([
  [{}, 'input', 'nothing to change; send name, status, held_days'],
  [{ status: 'asleep' }, 'status', 'use one of active, suspended'],
  [{ name: null }, 'name', 'must be text'],
])('the change %j of a workspace is refused', async (body, field, message) => {
  const { json: workspace } = await service.api('POST', '/workspaces', { name: 'Acme' });
  const { status, json } = await service.api('PATCH', `/workspaces/${workspace.id}`, body);
  expect(status).toBe(422);
  expect(json.errors).toEqual([{ field, message }]);
  expect((await service.api('GET', `/workspaces/${workspace.id}`)).json).toEqual(workspace);
});

test('all errors in a body are returned together', async () => {
  const { json } = await service.api('POST', '/workspaces', { name: '', colour: 1, size: 2 });
  expect(json.errors.map(({ field }: { field: string }) => field).sort()).toEqual(['colour', 'name', 'size']);
});

test('pages of the list hold each workspace once, the newest first', async () => {
  const made: string[] = [];
  for (let i = 0; i < 5; i++) {
    // Two share a millisecond, so that the id has to decide.
    if (i !== 3) clock.advance(1000);
    made.unshift((await service.api('POST', '/workspaces', { name: `Page ${i}` })).json.id);
  }
  const seen: string[] = [];
  let cursor = '';
  for (let pages = 0; pages < 3; pages++) {
    const { json } = await service.api('GET', `/workspaces?limit=2${cursor}`);
    expect(json.items).toHaveLength(2);
    seen.push(...json.items.map(({ id }: { id: string }) => id));
    cursor = `&cursor=${json.next_cursor}`;
  }
  expect(seen.slice(0, 5).sort()).toEqual(made.toSorted());
  expect(seen[0]).toBe(made[0]);
});

test('the last page has no next cursor', async () => {
  const { json } = await service.api('GET', '/workspaces?limit=200');
  expect(json.next_cursor).toBeNull();
});

test.each(['nonsense', '', 'MjAyNg', 'eyJhdCI6MX0='])('the cursor "%s" is refused', async (cursor) => {
  const { status, json } = await service.api('GET', `/workspaces?cursor=${cursor}`);
  expect([status, json.code]).toEqual([422, 'invalid_cursor']);
});

test.each([
  ['limit=0', 'limit', 'must be at least 1'],
  ['limit=201', 'limit', 'must be at most 200'],
  ['limit=ten', 'limit', 'must be a number'],
  ['limit=1.5', 'limit', 'must be a whole number'],
  ['limit=5&limit=6', 'limit', 'was given more than once'],
  ['size=5', 'size', 'unknown field; known fields: limit, cursor, q, status'],
])('the list with the query %s is refused', async (query, field, message) => {
  const { status, json } = await service.api('GET', `/workspaces?${query}`);
  expect(status).toBe(422);
  expect(json.errors).toEqual([{ field, message }]);
});

test('operators find workspaces by part of a name or by ID, by status, page by page, and wildcards are text', async () => {
  const made = [];
  for (const name of ['Straße 100% Bio', 'STRASSE_1', 'straßenbau <b>', 'Other']) {
    clock.advance(1);
    made.push((await service.api('POST', '/workspaces', { name })).json);
  }
  const names = async (query: string) => {
    const { status, json } = await service.api('GET', `/workspaces?${query}`);
    expect(status).toBe(200);
    return json.items.map(({ name }: { name: string }) => name);
  };
  expect(await names('q=stra%C3%9Fe')).toEqual(['straßenbau <b>', 'Straße 100% Bio']);
  expect(await names(`q=${encodeURIComponent('%')}`)).toEqual(['Straße 100% Bio']);
  expect(await names('q=_')).toEqual(['STRASSE_1']);
  expect(await names(`q=${made[3].id}`)).toEqual(['Other']);
  expect(await names(`q=${made[3].id.slice(0, 12)}`)).toEqual([]);
  await service.api('PATCH', `/workspaces/${made[0].id}`, { status: 'suspended' });
  expect(await names('q=stra%C3%9Fe&status=suspended')).toEqual(['Straße 100% Bio']);
  expect(await names('q=stra%C3%9Fe&status=active')).toEqual(['straßenbau <b>']);
  const { json: first } = await service.api('GET', '/workspaces?q=stra%C3%9Fe&limit=1');
  expect(await names(`q=stra%C3%9Fe&limit=1&cursor=${encodeURIComponent(first.next_cursor)}`)).toEqual([
    'Straße 100% Bio',
  ]);
  expect((await service.api('GET', '/workspaces?status=gone')).status).toBe(422);
});

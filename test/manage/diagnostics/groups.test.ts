import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../support/clocks.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createWorkspace, Seed } from '../leads/seed.ts';

const now = '2026-11-15T08:30:20.000Z';
let service: TestService;
let seed: Seed;
let workspaceId: string;

beforeAll(async () => {
  service = await startTestService({ clock: new ManualClock(Date.parse(now)) });
  seed = new Seed(service);
});
beforeEach(async () => {
  workspaceId = await createWorkspace(service);
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

function get(query = '') {
  return service.api('GET', `/workspaces/${workspaceId}/diagnostics/groups${query}`);
}

test('rejections are grouped by reason with their severity, first and last time, and a number per step', async () => {
  await seed.count(workspaceId, '2026-11-15T08:30:00Z', 'accepted', 7);
  await seed.count(workspaceId, '2026-11-15T08:29:00Z', 'form_inactive', 2);
  await seed.count(workspaceId, '2026-11-15T07:10:00Z', 'form_inactive', 3, { surface: 'webhook' });
  await seed.count(workspaceId, '2026-11-15T07:00:00Z', 'signature_mismatch', 1);
  await seed.count(await createWorkspace(service), '2026-11-15T07:00:00Z', 'form_inactive', 50);
  const { json } = await get();
  expect(json).toMatchObject({ from: '2026-11-14T08:00:00.000Z', step_seconds: 3600, more: 0 });
  expect(json.items).toMatchObject([
    {
      ...{ reason: 'form_inactive', severity: 'info', anchor: 'form_inactive', count: 5 },
      ...{ first_at: '2026-11-15T07:10:00.000Z', last_at: '2026-11-15T08:29:00.000Z' },
      ...{ surface: null, form_id: null, token_id: null },
    },
    { reason: 'signature_mismatch', severity: 'error', count: 1 },
  ]);
  expect(json.items[0].counts).toHaveLength(25);
  expect(json.items[0].counts.slice(-2)).toEqual([3, 2]);
});

test('grouped by sender, each surface, form and token has its own groups, of which the 50 largest are shown', async () => {
  const minute = '2026-11-15T08:00:00Z';
  const [form_id, token_id] = [randomUUID(), randomUUID()];
  await seed.count(workspaceId, minute, 'token_revoked', 9, { form_id, token_id });
  await seed.count(workspaceId, minute, 'token_revoked', 8, { form_id, surface: 'webhook' });
  for (let n = 0; n < 50; n++)
    await seed.count(workspaceId, minute, 'token_revoked', 1, { form_id: randomUUID() });
  const { json } = await get('?group_by=sender');
  expect([json.items.length, json.more]).toEqual([50, 2]);
  expect(json.items.slice(0, 3)).toMatchObject([
    { surface: 'server', form_id, token_id, count: 9 },
    { surface: 'webhook', form_id, token_id: null, count: 8 },
    { count: 1 },
  ]);
  expect((await get()).json.items).toMatchObject([{ reason: 'token_revoked', count: 67 }]);
});

test('several reasons, a severity and a category select groups and entries alike', async () => {
  const minute = '2026-11-15T08:00:00Z';
  for (const reason of ['form_inactive', 'signature_mismatch', 'body_not_json', 'rate_limited_day']) {
    await seed.count(workspaceId, minute, reason, 1);
    await seed.rejection(workspaceId, minute, reason);
  }
  const selected = async (query: string) => {
    const groups = (await get(`?${query}`)).json.items;
    const { items } = (await service.api('GET', `/workspaces/${workspaceId}/diagnostics?${query}`)).json;
    const reasonsOf = (rows: { reason: string }[]) => rows.map(({ reason }) => reason).toSorted();
    expect(reasonsOf(items)).toEqual(reasonsOf(groups));
    return reasonsOf(items);
  };
  expect(await selected('reason=form_inactive,body_not_json')).toEqual(['body_not_json', 'form_inactive']);
  expect(await selected('severity=error')).toEqual(['body_not_json', 'signature_mismatch']);
  expect(await selected('severity=info&category=other')).toEqual(['form_inactive']);
  expect(await selected('severity=error&reason=form_inactive')).toEqual([]);
});

test('the groups of one request are those of its entries, however long ago it was', async () => {
  const request_id = randomUUID();
  await seed.count(workspaceId, '2026-03-01T08:00:00Z', 'token_revoked', 900);
  await seed.rejection(workspaceId, '2026-03-01T08:00:30Z', 'token_revoked', { request_id });
  const { json } = await get(`?request_id=${request_id}`);
  expect(json.items).toMatchObject([{ reason: 'token_revoked', count: 1 }]);
});

test('an entry says in a sentence what happened, with the values of the request', async () => {
  const said = async (reason: string, detail: object) => {
    const request_id = randomUUID();
    await seed.rejection(workspaceId, now, reason, { request_id, detail: JSON.stringify(detail) });
    const path = `/workspaces/${workspaceId}/diagnostics?request_id=${request_id}`;
    return (await service.api('GET', path)).json.items[0].sentence;
  };
  expect(await said('timestamp_outside_window', { drift_seconds: 372, signature_valid: true })).toBe(
    'The timestamp was 6 min 12 s ahead of our clock; 5 min is allowed. The signature itself matches.',
  );
  expect(await said('timestamp_outside_window', { drift_seconds: -7_200 })).toBe(
    'The timestamp was 2 h behind our clock; 5 min is allowed.',
  );
  expect(await said('content_type_unsupported', { content_type: 'text/plain' })).toBe(
    'The content type was text/plain, not application/json in UTF-8.',
  );
  expect(await said('signature_malformed', { characters: 44 })).toBe(
    'The signature has 44 characters; 64 are expected.',
  );
  // What older versions wrote, and what nobody should have written.
  expect(await said('content_type_unsupported', {})).toBe(
    'The content type is not application/json in UTF-8.',
  );
  expect(await said('body_too_large', { bytes: { toString: 1 } })).toMatch(/^The body is larger/);
});

test.each([
  ['reason=form_inactive,bad_luck', 'reason[1]', /^use one of method_not_allowed, /],
  ['severity=fatal', 'severity', /^use one of error, warning, info$/],
  ['group_by=address', 'group_by', /^use one of reason, sender$/],
  ['reason=', 'reason[0]', /^use one of /],
])('groups with the query %s are refused', async (query, field, message) => {
  const { status, json } = await get(`?${query}`);
  expect(status).toBe(422);
  expect(json.errors).toEqual([{ field, message: expect.stringMatching(message) }]);
});

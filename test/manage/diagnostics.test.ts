import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../support/clocks.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { createWorkspace, Seed } from './leads/seed.ts';

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
  return service.api('GET', `/workspaces/${workspaceId}/diagnostics${query}`);
}

test('without filters the last 24 hours are shown, with rate limits separate from other reasons', async () => {
  await seed.count(workspaceId, '2026-11-15T08:30:00Z', 'accepted', 7);
  await seed.count(workspaceId, '2026-11-15T08:29:00Z', 'token_revoked', 2);
  await seed.count(workspaceId, '2026-11-15T07:10:00Z', 'token_revoked', 3);
  await seed.count(workspaceId, '2026-11-15T07:00:00Z', 'rate_limited_minute', 4);
  await seed.count(workspaceId, '2026-11-15T07:00:00Z', 'rate_limited_day', 1, { surface: 'webhook' });
  await seed.count(workspaceId, '2026-11-14T08:29:00Z', 'body_not_json', 100);
  const { status, json } = await get();
  expect(status).toBe(200);
  expect(json.totals).toEqual({ accepted: 7, rate_limited: 5, other: 5 });
  expect(json.by_reason).toMatchObject([
    { reason: 'token_revoked', category: 'other', count: 5, last_at: '2026-11-15T08:29:00.000Z' },
    { reason: 'rate_limited_minute', category: 'rate_limit', count: 4 },
    { reason: 'rate_limited_day', category: 'rate_limit', count: 1 },
  ]);
  expect(json.by_reason[0]).toMatchObject({
    text: 'The token was revoked or has expired.',
    fix: 'If the token was rotated, use its successor; otherwise create a new token.',
  });
  expect(json).toMatchObject({ items: [], next_cursor: null, notes: [] });
});

test('the series has every bucket of the range, including empty ones, and adds up to the totals', async () => {
  await seed.count(workspaceId, '2026-11-15T08:30:00Z', 'accepted', 7);
  await seed.count(workspaceId, '2026-11-15T07:10:00Z', 'token_revoked', 3);
  await seed.count(workspaceId, '2026-11-15T07:50:00Z', 'rate_limited_minute', 4);
  const { series } = (await get()).json;
  expect(series).toHaveLength(25);
  expect(series[0]).toEqual({ at: '2026-11-14T08:00:00.000Z', accepted: 0, rate_limited: 0, other: 0 });
  expect(series.at(-2)).toEqual({ at: '2026-11-15T07:00:00.000Z', accepted: 0, rate_limited: 4, other: 3 });
  expect(series.at(-1)).toEqual({ at: '2026-11-15T08:00:00.000Z', accepted: 7, rate_limited: 0, other: 0 });
});

test.each([
  ['2026-11-15T05:30:20Z', 181, '2026-11-15T05:30:00.000Z', '2026-11-15T05:31:00.000Z'],
  ['2026-11-15T05:29:30Z', 182, '2026-11-15T05:29:00.000Z', '2026-11-15T05:30:00.000Z'],
  ['2026-11-15T05:29:00Z', 4, '2026-11-15T05:00:00.000Z', '2026-11-15T06:00:00.000Z'],
  ['2026-11-08T08:30:20Z', 169, '2026-11-08T08:00:00.000Z', '2026-11-08T09:00:00.000Z'],
  ['2026-11-08T08:29:00Z', 8, '2026-11-08T00:00:00.000Z', '2026-11-09T00:00:00.000Z'],
])('the series from %s has %i buckets', async (from, length, first, second) => {
  const { series } = (await get(`?from=${from}`)).json;
  expect(series).toHaveLength(length);
  expect([series[0].at, series[1].at]).toEqual([first, second]);
});

test('filters apply to counts and entries alike', async () => {
  const form_id = randomUUID();
  const token_id = randomUUID();
  const minute = '2026-11-15T08:00:00Z';
  await seed.count(workspaceId, minute, 'accepted', 1, { form_id, token_id });
  await seed.count(workspaceId, minute, 'token_revoked', 2, { form_id, token_id });
  await seed.count(workspaceId, minute, 'signature_mismatch', 3, { surface: 'webhook' });
  await seed.count(workspaceId, minute, 'rate_limited_minute', 4);
  await seed.rejection(workspaceId, minute, 'token_revoked', { form_id, token_id });
  await seed.rejection(workspaceId, minute, 'signature_mismatch', { surface: 'webhook' });
  await seed.rejection(workspaceId, minute, 'rate_limited_minute');
  const seen = async (query: string) => {
    const { json } = await get(`?${query}`);
    const { accepted, rate_limited, other } = json.totals;
    return [accepted, rate_limited, other, json.items.map(({ reason }: { reason: string }) => reason)];
  };
  expect(await seen('surface=webhook')).toEqual([0, 0, 3, ['signature_mismatch']]);
  expect(await seen(`form_id=${form_id}`)).toEqual([1, 0, 2, ['token_revoked']]);
  expect(await seen(`token_id=${token_id}`)).toEqual([1, 0, 2, ['token_revoked']]);
  expect(await seen('reason=signature_mismatch')).toEqual([0, 0, 3, ['signature_mismatch']]);
  expect(await seen('category=rate_limit')).toEqual([0, 4, 0, ['rate_limited_minute']]);
  expect(await seen('category=rate_limit&reason=token_revoked')).toEqual([0, 0, 0, []]);
  expect(await seen('to=2026-11-15T08:00:00Z')).toEqual([0, 0, 0, []]);
});

test('a request is found by its id, however long ago it was, and the counts are those of the request', async () => {
  const request_id = randomUUID();
  await seed.count(workspaceId, '2026-03-01T08:00:00Z', 'token_revoked', 900);
  const id = await seed.rejection(workspaceId, '2026-03-01T08:00:30Z', 'token_revoked', {
    request_id,
    detail: '{"hint":"ingt_srv_…abcd"}',
  });
  const { json } = await get(`?request_id=${request_id}`);
  expect(json.items).toEqual([
    {
      id,
      at: '2026-03-01T08:00:30.000Z',
      surface: 'server',
      reason: 'token_revoked',
      category: 'other',
      severity: 'error',
      anchor: 'token_revoked',
      sentence: 'The token was revoked.',
      form_id: null,
      token_id: null,
      request_id,
      is_held: false,
      detail: { hint: 'ingt_srv_…abcd' },
    },
  ]);
  expect(json.totals).toEqual({ accepted: 0, rate_limited: 0, other: 1 });
  expect(json.by_reason).toMatchObject([{ reason: 'token_revoked', count: 1 }]);
  expect(json.series.filter(({ other }: { other: number }) => other > 0)).toMatchObject([
    { at: '2026-03-01T00:00:00.000Z' },
  ]);
});

test('pages hold each entry once, the newest first', async () => {
  const ids = [];
  for (const second of ['05', '04', '03', '03', '01']) {
    ids.push(await seed.rejection(workspaceId, `2026-11-15T08:00:${second}Z`, 'body_not_json'));
  }
  const first = (await get('?limit=3')).json;
  const second = (await get(`?limit=3&cursor=${first.next_cursor}`)).json;
  const seen = [...first.items, ...second.items].map(({ id }) => id);
  expect(seen.toSorted()).toEqual(ids.toSorted());
  expect([seen[0], seen[4], second.next_cursor]).toEqual([ids[0], ids[4], null]);
});

test('accepted submissions that are worth a look are noted, at most the latest 50', async () => {
  const submission_id = randomUUID();
  const latest = await seed.note(workspaceId, '2026-11-15T08:00:00Z', { submission_id });
  for (let i = 0; i < 50; i++) await seed.note(workspaceId, '2026-11-15T07:00:00Z');
  await seed.note(workspaceId, '2026-11-13T07:00:00Z');
  const { notes } = (await get()).json;
  expect(notes).toHaveLength(50);
  expect(notes[0]).toMatchObject({ id: latest, kind: 'idempotency_body_differs', submission_id });
  expect((await get('?surface=webhook')).json.notes).toEqual([]);
});

test('what happens right now is part of a range that ends now', async () => {
  await seed.rejection(workspaceId, now, 'body_not_json');
  expect((await get()).json.items).toHaveLength(1);
});

test.each([
  ['reason=bad_luck', 'reason[0]', /^use one of method_not_allowed, /],
  ['category=server', 'category', /^use one of rate_limit, other$/],
  ['surface=fax', 'surface', /^use one of server, webhook, browser$/],
  ['token_id=x', 'token_id', /^use a UUID$/],
  ['from=2026-11-16T00:00:00Z', 'from', /^from must be earlier than to$/],
  ['from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z', 'to', /^from must be earlier than to$/],
  ['from=2020-01-01T00:00:00Z', 'from', /^must be at most 366 days before to$/],
  ['since=1h', 'since', /^unknown field; known fields: from, to, /],
])('diagnostics with the query %s are refused', async (query, field, message) => {
  const { status, json } = await get(`?${query}`);
  expect(status).toBe(422);
  expect(json.errors).toEqual([{ field, message: expect.stringMatching(message) }]);
});

test('a bad cursor is refused', async () => {
  expect((await get('?cursor=x')).json.code).toBe('invalid_cursor');
});

test('rejections that name no workspace are counted for the operator', async () => {
  await seed.unattributed('2026-11-15T08:30:00Z', 'server', 'token_unknown', 3);
  await seed.unattributed('2026-11-15T07:30:00Z', 'server', 'token_unknown', 2);
  await seed.unattributed('2026-11-15T08:30:00Z', 'webhook', 'form_unknown', 9);
  await seed.unattributed('2026-11-13T08:30:00Z', 'webhook', 'form_unknown', 100);
  const { json } = await service.api('GET', '/operator/unattributed');
  expect(json.total).toBe(14);
  expect(json.items).toMatchObject([
    {
      surface: 'webhook',
      reason: 'form_unknown',
      category: 'other',
      count: 9,
      last_at: '2026-11-15T08:30:00.000Z',
    },
    {
      surface: 'server',
      reason: 'token_unknown',
      category: 'other',
      count: 5,
      last_at: '2026-11-15T08:30:00.000Z',
    },
  ]);
  const earlier = await service.api(
    'GET',
    '/operator/unattributed?from=2026-11-13T00:00:00Z&to=2026-11-14T00:00:00Z',
  );
  expect(earlier.json.total).toBe(100);
});

test.each(['from=never', 'surface=server', 'from=2020-01-01T00:00:00Z'])(
  'the counts for the operator asked for with %s are refused',
  async (query) => {
    const { status, json } = await service.api('GET', `/operator/unattributed?${query}`);
    expect([status, json.code]).toEqual([422, 'invalid_input']);
  },
);

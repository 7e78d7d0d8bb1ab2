import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { shardOf } from '../../../src/domain/workspace.ts';
import { ManualClock } from '../../support/clocks.ts';
import { openTestPool } from '../../support/database/database.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createWorkspace, Seed } from '../leads/seed.ts';

const now = '2026-11-15T08:30:20.000Z';
let service: TestService;
let seed: Seed;
let pool: ReturnType<typeof openTestPool>;
let workspaceId: string;

beforeAll(async () => {
  service = await startTestService({ clock: new ManualClock(Date.parse(now)) });
  seed = new Seed(service);
  pool = openTestPool(service.databaseUrl);
});
beforeEach(async () => {
  workspaceId = await createWorkspace(service);
});
afterAll(async () => {
  await pool.end();
  await seed.stop();
  await service.stop();
});

/** The limits of a surface, as the API tells them. */
async function limits(surface: string, query = '') {
  const { json } = await service.api('GET', `/workspaces/${workspaceId}/rate-limits${query}`);
  const [minute, day] = json.items.filter((item: { surface: string }) => item.surface === surface);
  return { minute, day };
}

async function used(surface: string, minute: [at: string, count: number], day: [at: string, count: number]) {
  await pool.query(
    `insert into rate_windows (shard, workspace_id, surface, minute_started_at, minute_count, day_started_at, day_count,
       wanted, granted)
     values ($1, $2, $3, $4, $5, $6, $7, 0, 0)`,
    [shardOf(workspaceId), workspaceId, surface, ...minute, ...day],
  );
}

test('a limit says what is used now, and when it will be reached at the rate of the last hour', async () => {
  await used('server', ['2026-11-15T08:30:00Z', 40], ['2026-11-15T00:00:00Z', 44_000]);
  await seed.count(workspaceId, '2026-11-15T08:00:00Z', 'accepted', 3_000);
  const { minute, day } = await limits('server');
  expect(minute).toMatchObject({
    window: 'minute',
    max: 1_000,
    used: 40,
    resets_at: '2026-11-15T08:31:00.000Z',
  });
  expect(day).toMatchObject({
    ...{ window: 'day', max: 50_000, used: 44_000, reached_at: null, retry_after: null },
    ...{ started_at: '2026-11-15T00:00:00.000Z', resets_at: '2026-11-16T00:00:00.000Z' },
    exhausts_at: '2026-11-15T10:30:20.000Z',
  });
  expect((await limits('webhook')).day).toMatchObject({
    used: 0,
    started_at: null,
    exhausts_at: null,
    peak: null,
  });
});

test('a rate that does not reach the limit before the window ends exhausts nothing', async () => {
  await used('server', ['2026-11-15T08:30:00Z', 1], ['2026-11-15T00:00:00Z', 44_000]);
  await seed.count(workspaceId, '2026-11-15T08:00:00Z', 'accepted', 300);
  expect((await limits('server')).day.exhausts_at).toBeNull();
});

test('a limit that is reached says since when, and a window that is over counts for nothing', async () => {
  await used('webhook', ['2026-11-15T08:20:00Z', 1_000], ['2026-11-15T06:00:00Z', 50_000]);
  await seed.count(workspaceId, '2026-11-15T05:50:00Z', 'rate_limited_day', 5, { surface: 'webhook' });
  await seed.count(workspaceId, '2026-11-15T08:10:00Z', 'rate_limited_day', 5, { surface: 'webhook' });
  const { minute, day } = await limits('webhook');
  expect(day).toMatchObject({ used: 50_000, reached_at: '2026-11-15T08:10:00.000Z', exhausts_at: null });
  expect(minute).toMatchObject({ used: 0, started_at: null, reached_at: null });
});

test('the peak of a limit and the spells in which it rejected submissions are those of the range', async () => {
  const at = (minute: string) => `2026-11-15T${minute}:00Z`;
  await seed.count(workspaceId, at('07:00'), 'accepted', 990);
  await seed.count(workspaceId, at('07:01'), 'accepted', 1_000);
  await seed.count(workspaceId, '2026-11-14T07:30:00Z', 'accepted', 500);
  for (const minute of ['07:01', '07:02', '07:03', '08:00'])
    await seed.count(workspaceId, at(minute), 'rate_limited_minute', 10);
  const { minute, day } = await limits('server');
  expect(minute).toMatchObject({ peak: { count: 1_000, at: '2026-11-15T07:01:00.000Z' }, rejected: 40 });
  expect(minute.spells).toEqual([
    { from: '2026-11-15T08:00:00.000Z', to: '2026-11-15T08:01:00.000Z', count: 10 },
    { from: '2026-11-15T07:01:00.000Z', to: '2026-11-15T07:04:00.000Z', count: 30 },
  ]);
  expect(day).toMatchObject({ peak: { count: 1_990 }, rejected: 0, spells: [] });
  const later = await limits('server', '?from=2026-11-15T07:30:00Z');
  expect(later.minute).toMatchObject({ peak: null, rejected: 10 });
});

test('rate limits of a range that makes no sense are refused', async () => {
  const { status } = await service.api(
    'GET',
    `/workspaces/${workspaceId}/rate-limits?from=2027-01-01T00:00:00Z`,
  );
  expect(status).toBe(422);
});

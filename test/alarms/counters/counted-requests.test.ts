import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyFlush } from '../../../src/db/diagnostics/outcomes.ts';
import { bucketOf, noDrifts } from '../../../src/domain/alarm/drift/drift-buckets.ts';
import { submissionsPerMinuteMax } from '../../../src/domain/rate-window.ts';
import { shardOf } from '../../../src/domain/workspace.ts';
import { minuteMs } from '../../../src/time/clock.ts';
import { Pages } from '../../browser/pages.ts';
import { ManualClock } from '../../support/clocks.ts';
import { openTestPool } from '../../support/database/database.ts';
import { eventually } from '../../support/diagnostics.ts';
import { createSender, expectRejected, post, type Sender, someLead } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { useUp } from '../../support/used-limits.ts';

const clock = new ManualClock(Date.UTC(2026, 5, 1, 12));
let service: TestService;
let pool: pg.Pool;

beforeAll(async () => {
  service = await startTestService({ clock });
  pool = openTestPool(service.databaseUrl);
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});

/** What was counted for a form, once as many requests as expected are written. */
async function countsOf({ workspaceId, formId }: Sender, requests: number) {
  const rows = await eventually(
    async () =>
      (
        await pool.query(
          `select outcome, sum(count)::int as count, sum(proven_count)::int as proven, sum(spam_count)::int as spam
           from outcome_counts where workspace_id = $1 and form_id = $2 group by outcome order by outcome`,
          [workspaceId, formId],
        )
      ).rows,
    (found) => found.reduce((sum, { count }) => sum + count, 0) === requests,
  );
  return Object.fromEntries(rows.map(({ outcome, ...counted }) => [outcome, counted]));
}

async function driftsOf({ workspaceId, formId }: Sender, requests: number): Promise<number[]> {
  const sum = (buckets: readonly number[]) => buckets.reduce((total, count) => total + count, 0);
  return eventually(
    async () => {
      const { rows } = await pool.query(
        'select buckets from clock_drifts where workspace_id = $1 and form_id = $2',
        [workspaceId, formId],
      );
      expect(rows.length).toBeLessThanOrEqual(1);
      return rows[0]?.buckets ?? noDrifts();
    },
    (buckets) => sum(buckets) === requests,
  );
}

const drifts = (...seconds: number[]) =>
  seconds.reduce((buckets, drift) => {
    buckets[bucketOf(drift)] = (buckets[bucketOf(drift)] ?? 0) + 1;
    return buckets;
  }, noDrifts());

/** Signed that long ago. */
const signedAgo = (sender: Sender, seconds: number, body = someLead, options = {}) =>
  post(service, sender, 'webhook', body, {
    timestamp: String(Math.floor(clock.now() / 1000) - seconds),
    ...options,
  });

test('a rejection counts as proven if its sender proved who they are, and not if anyone could have sent it', async () => {
  const sender = await createSender(service);
  expectRejected(await signedAgo(sender, 400));
  expectRejected(await post(service, sender, 'webhook', 'no JSON'));
  expectRejected(await post(service, sender, 'server', 'no JSON'));
  for (let times = 0; times < 3; times++)
    expectRejected(await post(service, sender, 'webhook', someLead, { secret: 'a wrong secret' }));
  expectRejected(await signedAgo(sender, 400, someLead, { secret: 'a wrong secret' }));
  expect(await countsOf(sender, 7)).toEqual({
    body_not_json: { count: 2, proven: 2, spam: 0 },
    signature_mismatch: { count: 3, proven: 0, spam: 0 },
    timestamp_outside_window: { count: 2, proven: 1, spam: 0 },
  });
});

test('a rejection of a web page is not proven: anyone who opens the page gets its token', async () => {
  const pages = new Pages(service);
  const sender = await pages.setUp(await createSender(service));
  expect((await pages.post(sender)).status).toBe(202);
  await pages.post(sender, 'no JSON');
  await pages.close();
  expect(await countsOf(sender, 2)).toEqual({
    accepted: { count: 1, proven: 0, spam: 0 },
    body_not_json: { count: 1, proven: 0, spam: 0 },
  });
});

test('a lead over the limit is a proven rejection', async () => {
  const sender = await createSender(service);
  await useUp(service, sender, 'webhook', { minute: submissionsPerMinuteMax });
  expectRejected(await signedAgo(sender, 20));
  // The first lead used the limit up.
  expect(await countsOf(sender, 2)).toEqual({
    accepted: { count: 1, proven: 0, spam: 0 },
    rate_limited_minute: { count: 1, proven: 1, spam: 0 },
  });
  expect(await driftsOf(sender, 2)).toEqual(drifts(0, 20));
});

test('accepted leads are counted, and those with the verdict spam also as spam; a duplicate as neither', async () => {
  const sender = await createSender(service);
  const spam = JSON.stringify({ email: 'someone@mailinator.com', name: 'http://spam.example' });
  for (const surface of ['server', 'webhook'] as const) {
    expect((await post(service, sender, surface)).status).toBe(202);
    expect((await post(service, sender, surface, spam, { key: `spam-${surface}` })).status).toBe(202);
    expect((await post(service, sender, surface, spam, { key: `spam-${surface}` })).status).toBe(202);
  }
  expect(await countsOf(sender, 4)).toEqual({ accepted: { count: 4, proven: 0, spam: 2 } });
});

describe('the drift of a correctly signed request is counted', () => {
  test('whether it is accepted, a duplicate or rejected', async () => {
    const sender = await createSender(service);
    expect((await signedAgo(sender, 0)).status).toBe(202);
    expect((await signedAgo(sender, -100, someLead, { key: 'k' })).status).toBe(202);
    expect((await signedAgo(sender, 200, someLead, { key: 'k' })).status).toBe(202);
    expectRejected(await signedAgo(sender, 3600));
    expectRejected(await signedAgo(sender, 20, 'no JSON'));
    expect(await driftsOf(sender, 5)).toEqual(drifts(0, -100, 200, 3600, 20));
  });

  test('and that of one with a wrong signature is not', async () => {
    const sender = await createSender(service);
    expectRejected(await signedAgo(sender, 250, someLead, { secret: 'a wrong secret' }));
    expectRejected(await signedAgo(sender, 3600, someLead, { secret: 'a wrong secret' }));
    expect((await signedAgo(sender, 1)).status).toBe(202);
    await countsOf(sender, 3);
    expect(await driftsOf(sender, 1)).toEqual(drifts(1));
  });
});

test('a flush that is sent twice counts once, and the next one is added', async () => {
  const sender = await createSender(service);
  const { workspaceId, formId } = sender;
  const shard = shardOf(workspaceId);
  const minute = new Date(clock.now() - minuteMs).toISOString();
  const count = {
    ...{ shard, workspaceId, minute, surface: 'webhook' as const, outcome: 'accepted', formId },
    ...{ tokenId: '00000000-0000-0000-0000-000000000000', count: 3, proven: 0, spam: 2, lastAt: minute },
  };
  const drift = { shard, workspaceId, formId, minute, buckets: drifts(0, 20, -400) };
  const none = {
    entries: [],
    notes: [],
    unattributed: [],
    unattributedRequests: [],
    tokensUsed: [],
    formUses: [],
    formerSecretUses: [],
  };
  // The form was changed within the minute, so it is there twice.
  const flush = { ...none, counts: [count], clockDrifts: [drift, drift], handlingTimes: [] };
  const instance = crypto.randomUUID();
  await applyFlush(pool, instance, 1, clock.now(), flush);
  await applyFlush(pool, instance, 1, clock.now(), flush);
  expect(await driftsOf(sender, 6)).toEqual(drifts(0, 20, -400, 0, 20, -400));
  await applyFlush(pool, instance, 2, clock.now(), flush);
  expect(await driftsOf(sender, 12)).toEqual(drifts(...[0, 1, 2, 3].flatMap(() => [0, 20, -400])));
  expect(await countsOf(sender, 6)).toEqual({ accepted: { count: 6, proven: 0, spam: 4 } });
});

test('a minute that an earlier version has begun is continued', async () => {
  const sender = await createSender(service);
  await pool.query(
    `insert into outcome_counts (shard, workspace_id, minute, surface, outcome, form_id, token_id, count, last_at)
     values ($1, $2, $4, 'server', 'body_not_json', $3, $5, 4, $4)`,
    [shardOf(sender.workspaceId), sender.workspaceId, sender.formId, new Date(clock.now()), sender.tokenId],
  );
  expectRejected(await post(service, sender, 'server', 'no JSON'));
  expect(await countsOf(sender, 5)).toEqual({ body_not_json: { count: 5, proven: 1, spam: 0 } });
});

test('owners read how far a clock is off, per hour and for the day', async () => {
  const sender = await createSender(service);
  const path = `/workspaces/${sender.workspaceId}/forms/${sender.formId}/clock-drift`;
  const empty = { form_id: sender.formId, requests: 0, median_seconds: null, p95_seconds: null, shape: null };
  expect((await service.api('GET', path)).json).toEqual({
    ...empty,
    window_seconds: 300,
    alarm_seconds: { medium: 180, high: 240 },
    hours: [],
  });
  for (let times = 0; times < 10; times++) await signedAgo(sender, 200, `{"n":${times}}`);
  await driftsOf(sender, 10);
  expect((await service.api('GET', path)).json).toEqual({
    form_id: sender.formId,
    requests: 10,
    median_seconds: 210,
    p95_seconds: 237,
    shape: 'clock',
    window_seconds: 300,
    alarm_seconds: { medium: 180, high: 240 },
    hours: [{ at: '2026-06-01T12:00:00.000Z', requests: 10, median_seconds: 210, p95_seconds: 237 }],
  });
  const elsewhere = `/workspaces/${sender.workspaceId}/forms/${crypto.randomUUID()}/clock-drift`;
  expect((await service.api('GET', elsewhere)).status).toBe(404);
});

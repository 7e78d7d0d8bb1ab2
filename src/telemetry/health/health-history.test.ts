import { expect, test } from 'vitest';
import { minuteMs, secondMs } from '../../time/clock.ts';
import { SimulatedClock } from '../../time/simulated-clock.ts';
import { figuresOf } from '../host/host-figures.ts';
import { Metrics } from '../metrics.ts';
import { HealthHistory, historyPointsMax } from './health-history.ts';
import { quantileOf } from './quantile.ts';

const startedAt = Date.parse('2026-11-16T08:00:00Z');

function world() {
  const clock = new SimulatedClock(startedAt);
  const metrics = new Metrics({ directoryAgeMs: () => 0, clockLeapMs: () => 0, lookupProviders: [] });
  const gauges = { queue: 0, spool: 0, waiting: 0 as number | null };
  metrics.watch({
    queueDepth: () => gauges.queue,
    heavyDepth: () => 0,
    spoolLeads: () => gauges.spool,
    spoolBytes: () => 0,
    isDatabaseAvailable: () => true,
    nodes: () => [],
  });
  const figures = async () => figuresOf({ metrics: await metrics.read(), isSpoolUsable: true }, null);
  const history = new HealthHistory({
    clock,
    figures,
    disks: () => [{ folder: 'data', bytesTotal: 100, bytesAvailable: 75 }],
    waitingJobs: async () => gauges.waiting,
  });
  /** Three looks are a step. */
  const pass = async (looks: number) => {
    for (let i = 0; i < looks; i++) {
      clock.leap(0);
      await clock.advance(10 * secondMs);
      await history.look();
    }
  };
  const recent = async () => history.recent(await figures());
  return { metrics, gauges, history, pass, recent };
}

test('a step has the rate of its leads, the times of its commits and the largest of its gauges', async () => {
  const { metrics, gauges, history, pass } = world();
  // What was counted before, such as by the workers of a host whose first worker is replaced, is in no step.
  metrics.onOutcome('server', 'accepted');
  metrics.onCommit(1, 400);
  await history.look();
  expect(history.points).toEqual([]);
  for (let i = 0; i < 60; i++) metrics.onOutcome('server', 'accepted');
  for (let i = 0; i < 99; i++) metrics.onCommit(1, 4);
  metrics.onCommit(1, 400);
  gauges.queue = 7;
  gauges.spool = 3;
  await pass(1);
  gauges.queue = 0;
  gauges.spool = 0;
  gauges.waiting = 2;
  await pass(2);
  expect(history.points).toEqual([
    {
      at: startedAt + 30 * secondMs,
      leadsPerSecond: 2,
      commitP50Ms: expect.closeTo(3.5, 1),
      commitP99Ms: 5,
      queueLeads: 7,
      spoolLeads: 3,
      waitingJobs: 2,
      diskUsedPercent: 25,
    },
  ]);
  gauges.waiting = null;
  await pass(3);
  expect(history.points[1]).toMatchObject({
    leadsPerSecond: 0,
    commitP50Ms: null,
    commitP99Ms: null,
    queueLeads: 0,
    waitingJobs: null,
  });
});

test('the recent rates forget what is older than five minutes, and the history what is older than an hour', async () => {
  const { metrics, history, pass, recent } = world();
  expect(await recent()).toEqual({ leadsPerSecond: null, commitP50Ms: null, commitP99Ms: null });
  await history.look();
  metrics.onOutcome('webhook', 'accepted');
  metrics.onCommit(1, 4);
  await pass(3);
  expect(await recent()).toMatchObject({ leadsPerSecond: 1 / 30, commitP99Ms: expect.any(Number) });
  await pass((3 * 6 * minuteMs) / (30 * secondMs));
  expect(await recent()).toEqual({ leadsPerSecond: 0, commitP50Ms: null, commitP99Ms: null });
  await pass(3 * historyPointsMax);
  expect(history.points).toHaveLength(historyPointsMax);
  expect(history.points.every(({ leadsPerSecond }) => leadsPerSecond === 0)).toBe(true);
});

test('a quantile lies within its bucket, and above the last bound it is that bound', () => {
  const bounds = [1, 2, 5, Number.POSITIVE_INFINITY];
  expect(quantileOf(bounds, [0, 0, 0, 0], 0.5)).toBeNull();
  expect(quantileOf(bounds, [10, 10, 10, 10], 0.5)).toBe(0.5);
  expect(quantileOf(bounds, [0, 10, 20, 20], 0.75)).toBe(3.5);
  expect(quantileOf(bounds, [0, 0, 0, 3], 0.99)).toBe(5);
});

import { expect, test } from 'vitest';
import type { HostLink } from '../../ingest/siblings/link.ts';
import { Metrics } from '../../telemetry/metrics.ts';
import { minuteMs, secondMs } from '../../time/clock.ts';
import { SimulatedClock } from '../../time/simulated-clock.ts';
import { HostMetrics } from './host-metrics.ts';
import { createLink } from './link.ts';
import { askHost, reportToHost } from './worker-metrics.ts';

/** Two ends of a channel within this process; messages are copied as between two. */
function linkPair(): { worker: HostLink; supervisor: HostLink; cut: () => void } {
  const ends = [new End(), new End()] as const;
  ends[0].other = ends[1];
  ends[1].other = ends[0];
  return {
    worker: createLink(ends[0]),
    supervisor: createLink(ends[1]),
    cut: () => {
      for (const end of ends) end.disconnect();
    },
  };
}

class End {
  connected = true;
  other: End | undefined;
  readonly #handlers = { message: [] as ((message: unknown) => void)[], disconnect: [] as (() => void)[] };

  on(event: 'message' | 'disconnect', handle: (message?: unknown) => void): void {
    this.#handlers[event].push(handle);
  }

  send(message: unknown): boolean {
    const copy = structuredClone(message);
    queueMicrotask(() => this.connected && this.other?.receive(copy));
    return true;
  }

  receive(message: unknown): void {
    for (const handle of this.#handlers.message) handle(message);
  }

  disconnect(): void {
    this.connected = false;
    for (const handle of this.#handlers.disconnect) handle();
  }
}

function world(workersConfigured = 2) {
  const clock = new SimulatedClock(Date.parse('2026-11-16T08:00:00Z'));
  const host = new HostMetrics({ clock, workersConfigured });
  host.start();
  let lastId = 0;
  const startWorker = () => {
    const id = ++lastId;
    const gauges = { queue: 0, database: true, spool: true };
    const metrics = new Metrics({
      directoryAgeMs: () => id * 1_000,
      clockLeapMs: () => 0,
      lookupProviders: [],
    });
    metrics.watch({
      queueDepth: () => gauges.queue,
      heavyDepth: () => 0,
      spoolLeads: () => 0,
      spoolBytes: () => 0,
      isDatabaseAvailable: () => gauges.database,
      nodes: () => [],
    });
    const pair = linkPair();
    host.join(id, pair.supervisor);
    const plane = { figures: { isSpoolUsable: () => gauges.spool } };
    const reporting = reportToHost(pair.worker, clock, { metrics, plane });
    const accept = (leads: number) => {
      for (let i = 0; i < leads; i++) metrics.onOutcome('server', 'accepted');
      metrics.onCommit(leads, 4 + id / 70);
    };
    const kill = () => {
      pair.cut();
      host.leave(id);
    };
    return { id, gauges, accept, kill, reporting, link: pair.worker, view: askHost(pair.worker, clock) };
  };
  return { clock, host, startWorker };
}

/** The value of a series in the text. */
async function valueIn(host: { text(): Promise<string> }, series: string): Promise<number> {
  const line = (await host.text()).split('\n').find((text) => text.startsWith(`${series} `));
  return line === undefined ? Number.NaN : Number(line.slice(series.length));
}

const accepted = 'leadgate_ingest_requests_total{surface="server",outcome="accepted"}';

test('counts of eight workers add up, gauges follow their meaning, and each worker can ask for them', async () => {
  const { host, startWorker } = world(8);
  const workers = Array.from({ length: 8 }, startWorker);
  for (const { id, accept, gauges } of workers) {
    accept(id);
    gauges.queue = 10;
  }
  const first = workers[0] as (typeof workers)[number];
  expect(await valueIn(first.view, accepted)).toBe(36);
  expect(await valueIn(host, 'leadgate_commit_duration_seconds_count')).toBe(8);
  expect(await valueIn(host, 'leadgate_commit_duration_seconds_bucket{le="0.005"}')).toBe(8);
  expect(await valueIn(host, 'leadgate_commit_queue_depth')).toBe(80);
  expect(await valueIn(host, 'leadgate_directory_age_seconds')).toBe(8);
  expect(await valueIn(host, 'leadgate_database_available')).toBe(1);
  expect(await valueIn(host, 'leadgate_workers')).toBe(8);
  first.gauges.database = false;
  first.gauges.spool = false;
  expect(await valueIn(host, 'leadgate_database_available')).toBe(0);
  expect(await first.view.figures()).toMatchObject({
    accepted: 36,
    queueLeads: 80,
    isDatabaseAvailable: false,
    isSpoolUsable: false,
    directoryAgeMs: 8_000,
    workers: { configured: 8, running: 8, restarts: 0, sinceRestartMs: null },
  });
});

test('no series of a count goes down while workers are killed, replaced and restarted one by one', async () => {
  const { clock, host, startWorker } = world(3);
  let workers = Array.from({ length: 3 }, startWorker);
  let known = new Map<string, number>();
  let total = 0;
  for (let round = 1; round <= 20; round++) {
    for (const { id, accept } of workers) {
      accept(id);
      total += id;
    }
    const counts = countsIn(await host.text());
    for (const [series, value] of known)
      expect([series, counts.get(series) ?? 0]).toEqual([series, expect.toSatisfy((now) => now >= value)]);
    known = counts;
    expect(counts.get(accepted)).toBe(total);
    const [leaving, ...others] = workers as [(typeof workers)[number], ...typeof workers];
    leaving.kill();
    workers = [...others, startWorker()];
    await clock.advance(round * secondMs);
  }
  expect(known.get('leadgate_commit_batch_rows_sum')).toBe(total);
});

function countsIn(text: string): Map<string, number> {
  const lines = [...text.matchAll(/^(\w+(?:_total|_bucket|_sum|_count)(?:\{.*\})?) (\S+)$/gm)];
  return new Map(lines.map(([, series = '', value]) => [series, Number(value)]));
}

test('a worker that is killed loses at most what it counted since it was last asked; one that stops loses nothing', async () => {
  const { clock, host, startWorker } = world();
  const [one, two] = [startWorker(), startWorker()];
  one.accept(5);
  two.accept(7);
  await clock.advance(4 * secondMs);
  one.accept(100);
  two.accept(1);
  one.kill();
  await two.reporting.stop();
  two.kill();
  // Its supervisor is gone.
  await two.reporting.stop();
  expect(await valueIn(host, accepted)).toBe(13);
  expect(await valueIn(host, 'leadgate_workers')).toBe(0);
  expect(await valueIn(host, 'leadgate_commit_queue_depth')).toBeNaN();
  await clock.advance(minuteMs);
  expect(await valueIn(host, accepted)).toBe(13);
});

test('a worker that dies while it is asked holds up nobody, and its last report counts', async () => {
  const { clock, host, startWorker } = world();
  const [one, two] = [startWorker(), startWorker()];
  one.accept(5);
  two.accept(7);
  await clock.advance(4 * secondMs);
  one.link.onAsk('metrics', () => new Promise(() => {}));
  const asked = valueIn(host, accepted);
  one.kill();
  expect(await asked).toBe(12);
});

test('a worker that hangs counts with its last report, is asked no more until it replies, and soon counts as missing', async () => {
  const { clock, host, startWorker } = world();
  const [one, two] = [startWorker(), startWorker()];
  one.accept(5);
  await clock.advance(4 * secondMs);
  let questions = 0;
  let wake = (_report: unknown) => {};
  one.link.onAsk('metrics', () => {
    questions++;
    return new Promise((resolve) => {
      wake = resolve;
    });
  });
  const late = valueIn(host, accepted);
  await clock.advance(2 * secondMs);
  expect(await late).toBe(5);
  await clock.advance(9 * secondMs);
  two.accept(7);
  expect(await valueIn(two.view, accepted)).toBe(12);
  expect(await valueIn(host, 'leadgate_workers')).toBe(1);
  expect(questions).toBe(1);
  one.link.onAsk('metrics', () => 'nonsense');
  wake('nonsense');
  await clock.advance(secondMs);
  expect(await valueIn(host, 'leadgate_workers')).toBe(2);
});

test('nonsense, and a worker that cannot reply yet, change nothing', async () => {
  const { host, startWorker } = world();
  const [one, two] = [startWorker(), startWorker()];
  one.accept(5);
  two.accept(7);
  one.gauges.queue = 3;
  expect(await valueIn(host, accepted)).toBe(12);
  for (const nonsense of [null, 'x', { metrics: [{ name: 'x' }], isSpoolUsable: true }]) {
    one.link.onAsk('metrics', () => nonsense);
    await one.link.ask('last metrics', nonsense);
    expect(await valueIn(host, accepted)).toBe(12);
    expect(await valueIn(host, 'leadgate_commit_queue_depth')).toBe(3);
  }
  one.link.onAsk('metrics', () => {
    throw new Error('not ready');
  });
  expect(await valueIn(host, accepted)).toBe(12);
});

test('a worker that died and was started again is counted, and its host says when', async () => {
  const { clock, host, startWorker } = world();
  const [one, two] = [startWorker(), startWorker()];
  expect(await valueIn(host, 'leadgate_worker_restarts_total')).toBe(0);
  one.kill();
  startWorker();
  host.restarted();
  await clock.advance(minuteMs);
  expect(await valueIn(host, 'leadgate_worker_restarts_total')).toBe(1);
  const { workers } = await two.view.figures();
  expect(workers).toEqual({ configured: 2, running: 2, restarts: 1, sinceRestartMs: minuteMs });
});

test('a worker whose supervisor does not respond gets an error, not an endless wait', async () => {
  const { clock, host, startWorker } = world();
  const one = startWorker();
  host.text = () => new Promise(() => {});
  const asked = expect(one.view.text()).rejects.toThrow('no reply within 6000 ms');
  await clock.advance(6 * secondMs);
  await asked;
});

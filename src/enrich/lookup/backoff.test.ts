import { expect, test } from 'vitest';
import { attemptsMax, retryDelayMs, retryKeptMs } from './backoff.ts';
import { CircuitBreaker, HostLimits } from './hosts.ts';

test('each attempt waits longer than the one before, with jitter', () => {
  for (let attempts = 1; attempts < attemptsMax - 1; attempts++) {
    const [soonest, latest] = [retryDelayMs(attempts, 0, () => 0), retryDelayMs(attempts, 0, () => 1)];
    expect(soonest).toBeLessThan(latest);
    expect(retryDelayMs(attempts + 1, 0, () => 0)).toBeGreaterThanOrEqual(latest);
  }
  // A cached failure must expire before the retry.
  expect(retryDelayMs(1, 0, () => 0)).toBeGreaterThanOrEqual(retryKeptMs);
});

test('a provider is never asked again before the time it named', () => {
  expect(retryDelayMs(1, 3_600_000, () => 0)).toBe(3_600_000);
});

test('a host that keeps failing is left alone, then tested by one request', () => {
  const breaker = new CircuitBreaker();
  for (let i = 0; i < 4; i++) breaker.failed('a', i, undefined);
  expect(breaker.waitMs('a', 10)).toBe(0);
  breaker.failed('a', 10, undefined);
  expect(breaker.waitMs('a', 20)).toBeGreaterThan(0);
  expect(breaker.waitMs('b', 20)).toBe(0);
  const later = 10 + 30_000;
  expect(breaker.waitMs('a', later)).toBe(0);
  expect(breaker.waitMs('a', later)).toBeGreaterThan(0);
  breaker.failed('a', later + 1, undefined);
  expect(breaker.waitMs('a', later + 2)).toBeGreaterThan(0);
  expect(breaker.waitMs('a', later + 40_000)).toBe(0);
  breaker.succeeded('a');
  expect(breaker.waitMs('a', later + 40_001)).toBe(0);
});

test('failures that are far apart do not add up', () => {
  const breaker = new CircuitBreaker();
  for (let i = 0; i < 10; i++) breaker.failed('a', i * 61_000, undefined);
  expect(breaker.waitMs('a', 9 * 61_000 + 1)).toBe(0);
});

test('a host that asks us to wait is left alone for that time', () => {
  const breaker = new CircuitBreaker();
  breaker.failed('a', 1_000, 120_000);
  expect(breaker.waitMs('a', 2_000)).toBe(119_000);
});

test('requests to a host never exceed the limit, the others follow in order', async () => {
  const limits = new HostLimits();
  const ends: (() => void)[] = [];
  const started: number[] = [];
  const work = (n: number) =>
    limits.run('host', 2, () => {
      started.push(n);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const all = [0, 1, 2, 3].map(work);
  await Promise.resolve();
  expect(started).toEqual([0, 1]);
  ends[0]?.();
  await all[0];
  await new Promise(setImmediate);
  expect(started).toEqual([0, 1, 2]);
  ends[1]?.();
  ends[2]?.();
  await Promise.all([all[1], all[2]]);
  await new Promise(setImmediate);
  expect(started).toEqual([0, 1, 2, 3]);
  ends[3]?.();
  await Promise.all(all);
});

test('a failed request frees its place for the next', async () => {
  const limits = new HostLimits();
  const failing = limits.run('host', 1, () => Promise.reject(new Error('no')));
  const next = limits.run('host', 1, async () => 'yes');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

import { expect, test } from 'vitest';
import { giveWay, Portion } from './give-way.ts';
import { SimulatedClock } from './simulated-clock.ts';

/** How long it waits while `isBusy` says so, by the milliseconds that have passed. */
async function waited(isBusyAt: (ms: number) => boolean, msMax = 30_000, stopping = new AbortController()) {
  const clock = new SimulatedClock(0);
  const waiting = giveWay({ clock, isBusy: () => isBusyAt(clock.now()), msMax, stopping: stopping.signal });
  await clock.advance(60_000);
  return waiting;
}

test('nobody waits while nothing is urgent', async () => {
  expect(await waited(() => false)).toBe(0);
});

test('urgent work goes first until it has been quiet for a while', async () => {
  expect(await waited((ms) => ms < 1_000)).toBe(1_150);
  // One quiet moment in between does not count.
  expect(await waited((ms) => ms < 1_000 && ms !== 500)).toBe(1_150);
});

test('other work gets its turn, however long the urgent work lasts, and no longer when the process stops', async () => {
  expect(await waited(() => true, 5_000)).toBe(5_000);
  const stopping = new AbortController();
  stopping.abort();
  expect(await waited(() => true, 5_000, stopping)).toBe(0);
});

test('a turn is small after waiting, and grows with each turn that need not wait', () => {
  const portion = new Portion(10, 25);
  expect([0, 0, 0, 0].map((waitedMs) => portion.after(waitedMs))).toEqual([10, 20, 25, 25]);
  expect([50, 100, 0].map((waitedMs) => portion.after(waitedMs))).toEqual([10, 10, 20]);
});

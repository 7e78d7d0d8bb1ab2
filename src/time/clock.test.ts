import { describe, expect, test } from 'vitest';
import { dayMs, hourMs } from './clock.ts';
import { Random } from './random.ts';
import { seededRandomness } from './randomness.ts';
import { RealClock } from './real-clock.ts';
import { done } from './repeat.ts';
import { othersDone, SimulatedClock } from './simulated-clock.ts';

const start = Date.UTC(2026, 0, 1);

describe('simulated time', () => {
  test('passes only when a test advances it', async () => {
    const clock = new SimulatedClock(start);
    const woken: number[] = [];
    for (const ms of [dayMs, hourMs, 3 * hourMs]) void clock.sleep(ms).then(() => woken.push(ms));
    await othersDone();
    expect(woken).toEqual([]);
    await clock.advance(3 * hourMs);
    expect(woken).toEqual([hourMs, 3 * hourMs]);
    expect(clock.now()).toBe(start + 3 * hourMs);
    await clock.advance(dayMs);
    expect(woken).toEqual([hourMs, 3 * hourMs, dayMs]);
  });

  test('wakes a sleep that starts while time advances', async () => {
    const clock = new SimulatedClock(start);
    const times: number[] = [];
    void clock
      .sleep(10)
      .then(() => clock.sleep(5))
      .then(() => times.push(clock.monotonic()));
    await clock.advance(100);
    expect(times).toEqual([15]);
    expect(clock.monotonic()).toBe(100);
  });

  test('rings alarms in order of time, and those of the same moment in order of creation', async () => {
    const clock = new SimulatedClock(start);
    const random = new Random(7);
    const rung: number[] = [];
    const times = Array.from({ length: 500 }, () => random.integer(0, 50));
    for (const [place, ms] of times.entries()) clock.deadline(ms, () => rung.push(place));
    await clock.advance(50);
    const byTime = [...times.keys()].toSorted((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b);
    expect(rung).toEqual(byTime);
  });

  test('does not ring an alarm that was cancelled', async () => {
    const clock = new SimulatedClock(start);
    let rung = 0;
    const cancel = clock.deadline(10, () => rung++);
    clock.deadline(20, () => rung++);
    cancel();
    await clock.advance(30);
    expect(rung).toBe(1);
  });
});

describe.each([
  ['real', () => new RealClock()],
  ['simulated', () => new SimulatedClock(start)],
] as const)('%s time', (_, create) => {
  const pass = async (clock: RealClock | SimulatedClock, ms: number) =>
    clock instanceof SimulatedClock ? clock.advance(ms) : clock.sleep(ms);

  test('ends a sleep immediately when its signal is aborted, before or during it', async () => {
    const clock = create();
    const aborted = new AbortController();
    const sleeping = clock.sleep(dayMs, aborted.signal);
    aborted.abort();
    await sleeping;
    await clock.sleep(dayMs, aborted.signal);
  });

  test('repeats work with pauses, one at a time, and a failure costs one round', async () => {
    const clock = create();
    let rounds = 0;
    let underWay = 0;
    let together = 0;
    const failures: unknown[] = [];
    const loop = clock.repeat(
      async () => {
        together = Math.max(together, ++underWay);
        await clock.turn();
        underWay--;
        if (++rounds < 3) throw new Error(`round ${rounds}`);
      },
      { pauseMs: 1, onFailure: (error) => failures.push((error as Error).message) },
    );
    while (rounds < 5) await pass(clock, 1);
    await loop.stop();
    const before = rounds;
    await pass(clock, 5);
    expect(rounds).toBe(before);
    expect(together).toBe(1);
    // The second failure in a row is not reported.
    expect(failures).toEqual(['round 1']);
  });

  test('stops a loop immediately during its pause, and after the work otherwise', async () => {
    const clock = create();
    let isWorking = false;
    let finish = () => {};
    const loop = clock.repeat(
      () => {
        isWorking = true;
        return new Promise<void>((resolve) => {
          finish = resolve;
        });
      },
      { pauseMs: dayMs },
    );
    while (!isWorking) await pass(clock, 1);
    let isStopped = false;
    const stopped = loop.stop().then(() => {
      isStopped = true;
    });
    await othersDone();
    expect(isStopped).toBe(false);
    finish();
    await stopped;
    const pausing = clock.repeat(() => {}, { pauseMs: dayMs });
    await othersDone();
    await pausing.stop();
  });

  test('ends a loop whose work is done', async () => {
    const clock = create();
    let rounds = 0;
    const loop = clock.repeat(() => (++rounds === 2 ? done : undefined), { pauseMs: 1, pauseFirst: true });
    while (rounds < 2) await pass(clock, 1);
    await pass(clock, 5);
    expect(rounds).toBe(2);
    await loop.stop();
  });
});

test('the same seed gives the same ids, which are version 7 and sort by time', () => {
  const clock = new SimulatedClock(start);
  const ids = (random: Random) => {
    const randomness = seededRandomness(random, clock);
    return Array.from({ length: 20 }, () => randomness.uuid());
  };
  const first = ids(new Random(1));
  expect(ids(new Random(1))).toEqual(first);
  const second = ids(new Random(2));
  expect(new Set([...first, ...second]).size).toBe(40);
  for (const id of second) expect(id).toMatch(/^019b76da-a800-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

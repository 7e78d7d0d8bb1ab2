import { expect, test } from 'vitest';
import { RealClock } from './real-clock.ts';
import { TurnQueue } from './turn-queue.ts';

/** Every look at it takes as long as large items may take in a turn. */
class SlowClock extends RealClock {
  #ms = 0;
  turns = 0;

  override monotonic(): number {
    this.#ms += 2;
    return this.#ms;
  }

  override turn(): Promise<void> {
    this.turns++;
    return super.turn();
  }
}

test('items that come back after their turn are taken in turn until none does', async () => {
  const clock = new SlowClock();
  const left: Record<string, number> = { a: 3, b: 1, c: 2 };
  const taken: string[] = [];
  const queue = new TurnQueue<string>({
    clock,
    largeMsMax: 2,
    isLarge: () => true,
    take: (item) => {
      taken.push(item);
      left[item] = (left[item] ?? 0) - 1;
      if (left[item] > 0) queue.add(item);
    },
  });
  for (const item of ['a', 'b', 'c']) queue.add(item);
  await expect.poll(() => queue.isIdle).toBe(true);
  expect(taken.join('')).toBe('abcaca');
  expect(clock.turns).toBe(6);
  queue.add('b');
  await expect.poll(() => taken.length).toBe(7);
});

test('small items are taken in the next turn, however many large ones wait', async () => {
  const taken: number[] = [];
  const queue = new TurnQueue<number>({
    clock: new SlowClock(),
    largeMsMax: 2,
    isLarge: (item) => item >= 100,
    take: (item) => taken.push(item),
  });
  for (let item = 100; item < 200; item++) queue.add(item);
  await expect.poll(() => taken.length).toBeGreaterThan(1);
  const before = taken.length;
  queue.add(1);
  await expect.poll(() => taken).toContain(1);
  expect(taken.indexOf(1)).toBeLessThanOrEqual(before + 1);
  await expect.poll(() => queue.isIdle).toBe(true);
  expect(taken).toHaveLength(101);
});

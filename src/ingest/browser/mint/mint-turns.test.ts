import { expect, test } from 'vitest';
import { systemClock } from '../../../time/real-clock.ts';
import { MintTurns } from './mint-turns.ts';

test('every request gets its turn in order, a few at a time, and others run in between', async () => {
  const turns = new MintTurns(systemClock);
  const order: (number | string)[] = [];
  for (let n = 0; n < 10; n++) expect(turns.add(() => order.push(n))).toBe(true);
  expect(order).toEqual([]);
  await systemClock.turn();
  await systemClock.turn();
  order.push('lead');
  await expect.poll(() => order.length).toBe(11);
  expect(order.filter((one) => one !== 'lead')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(order.indexOf('lead')).toBeLessThan(10);
  turns.add(() => order.push('later'));
  await expect.poll(() => order.at(-1)).toBe('later');
});

test('a flood is refused at once when too many wait', async () => {
  const turns = new MintTurns(systemClock);
  let served = 0;
  const added = Array.from({ length: 2_100 }, () => turns.add(() => served++));
  expect(added.filter(Boolean)).toHaveLength(2_000);
  await expect.poll(() => served).toBe(2_000);
  expect(turns.add(() => served++)).toBe(true);
});

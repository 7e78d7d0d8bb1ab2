import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

const unlimited = { perOwnerMax: 100, bytesMax: 1_000, onEvicted: () => {} };
const allOf = (queue: FairQueue<string>) => {
  const taken: string[] = [];
  for (let item = queue.take(); item !== null; item = queue.take()) taken.push(item);
  return taken;
};

test('a late owner waits for one item of each other owner, not for all of them', () => {
  const queue = new FairQueue<string>(unlimited);
  for (let n = 0; n < 5; n++) queue.add('greedy', `g${n}`, 1);
  queue.add('neighbour', 'n0', 1);
  expect(allOf(queue)).toEqual(['g0', 'n0', 'g1', 'g2', 'g3', 'g4']);
});

test('every item comes out once, and those of one owner in their order', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c', null)), (steps) => {
      const queue = new FairQueue<string>(unlimited);
      const taken: string[] = [];
      for (const [n, owner] of steps.entries()) {
        if (owner !== null) queue.add(owner, `${owner}${n}`, 1);
        else taken.push(...[queue.take()].filter((item) => item !== null));
      }
      taken.push(...allOf(queue));
      const brought = steps.flatMap((owner, n) => (owner === null ? [] : [`${owner}${n}`]));
      expect(taken.toSorted()).toEqual(brought.toSorted());
      for (const owner of ['a', 'b', 'c']) {
        const own = (items: string[]) => items.filter((item) => item.startsWith(owner));
        expect(own(taken)).toEqual(own(brought));
      }
      expect(queue.length).toBe(0);
    }),
  );
});

test('the limits per owner and of all bytes apply, and taking an item frees its space', () => {
  const queue = new FairQueue<string>({ perOwnerMax: 2, bytesMax: 100, onEvicted: () => {} });
  expect([queue.add('a', 'a0', 10), queue.add('a', 'a1', 10), queue.add('a', 'a2', 10)]).toEqual([
    true,
    true,
    false,
  ]);
  expect([queue.add('b', 'b0', 81), queue.add('b', 'b0', 80), queue.add('c', 'c0', 1)]).toEqual([
    false,
    true,
    false,
  ]);
  expect(queue.take()).toBe('a0');
  expect([queue.add('a', 'a2', 10), queue.add('c', 'c0', 1)]).toEqual([true, false]);
  expect(allOf(queue)).toEqual(['b0', 'a1', 'a2']);
});

test('when the queue is full, the owner with the most bytes loses items to an owner with fewer', () => {
  const evicted: string[] = [];
  const queue = new FairQueue<string>({
    perOwnerMax: 100,
    bytesMax: 100,
    onEvicted: (item) => evicted.push(item),
  });
  for (let n = 0; n < 7; n++) queue.add('greedy', `g${n}`, 10);
  for (let n = 0; n < 3; n++) queue.add('other', `o${n}`, 10);
  expect(queue.add('neighbour', 'n0', 20)).toBe(true);
  expect(evicted).toEqual(['g6', 'g5']);
  // No owner evicts their own items, nor those of an owner who would then have less than they do.
  expect(queue.add('greedy', 'g7', 10)).toBe(false);
  expect(queue.add('fourth', 'f0', 60)).toBe(false);
  expect(queue.add('giant', 'x0', 101)).toBe(false);
  expect(allOf(queue)).toEqual(['g0', 'o0', 'n0', 'g1', 'o1', 'g2', 'o2', 'g3', 'g4']);
});

test('what is certainly refused is known before, and nothing else', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd', null)), fc.nat({ max: 3 }), (steps, bytes) => {
      const queue = new FairQueue<number>({ perOwnerMax: 5, bytesMax: 8, onEvicted: () => {} });
      for (const [n, owner] of steps.entries()) {
        if (owner === null) queue.take();
        else {
          const mayAccept = queue.mayAccept(owner, bytes + 1);
          const isAdded = queue.add(owner, n, bytes + 1);
          expect(mayAccept || !isAdded).toBe(true);
          // A refusal searches the queue, so that the next is known without one.
          if (!isAdded) expect(queue.mayAccept(owner, bytes + 1)).toBe(false);
        }
      }
    }),
  );
});

import { expect, test } from 'vitest';
import { WorkQueue, waitingMax, waitingPerFormMax, waitingPerNetworkMax } from './work-queue.ts';

function newQueue() {
  const evicted: string[] = [];
  return { queue: new WorkQueue<string>({ onEvicted: (item) => evicted.push(item) }), evicted };
}

function takeAll(queue: WorkQueue<string>): string[] {
  const taken: string[] = [];
  for (let item = queue.take(); item !== null; item = queue.take()) taken.push(item);
  return taken;
}

test('a flood from one form does not delay the turn of another form', () => {
  const { queue } = newQueue();
  for (let n = 0; n < 400; n++) queue.add('flooded', `network ${n}`, `bogus ${n}`);
  queue.add('quiet', 'visitor', 'first');
  queue.add('quiet', 'another visitor', 'second');
  expect(takeAll(queue).slice(0, 4)).toEqual(['bogus 0', 'first', 'bogus 1', 'second']);
});

test('a flood from one network does not delay other visitors of the same form', () => {
  const { queue } = newQueue();
  for (let n = 0; n < waitingPerNetworkMax; n++) queue.add('form', 'flood', `bogus ${n}`);
  queue.add('form', 'visitor', 'real');
  expect(takeAll(queue).slice(0, 2)).toEqual(['bogus 0', 'real']);
});

test('a network has a limit over all forms, and its place back when an item was taken', () => {
  const { queue } = newQueue();
  const added = Array.from({ length: 25 }, (_, n) => queue.add(`form ${n}`, 'network', String(n)));
  expect(added.filter(Boolean)).toHaveLength(waitingPerNetworkMax);
  expect(queue.add('form', 'network', 'over')).toBe(false);
  queue.take();
  expect(queue.add('form', 'network', 'again')).toBe(true);
});

test('a form has a limit, and a new visitor takes the place of a network with several', () => {
  const { queue, evicted } = newQueue();
  for (let n = 0; n < waitingPerFormMax; n++) queue.add('form', `network ${n % 25}`, String(n));
  expect(queue.length).toBe(waitingPerFormMax);
  expect(queue.add('form', 'visitor', 'real')).toBe(true);
  expect(evicted).toHaveLength(1);
  expect(queue.length).toBe(waitingPerFormMax);
  expect(takeAll(queue)).toContain('real');
});

test('when the queue is full, the longest form loses an item to one that has fewer', () => {
  const { queue, evicted } = newQueue();
  for (let n = 0; n < waitingMax; n++) queue.add(`form ${n % 10}`, `network ${n}`, String(n));
  expect(queue.length).toBe(waitingMax);
  expect(queue.add('quiet', 'visitor', 'real')).toBe(true);
  expect(evicted).toHaveLength(1);
  // The longest gets no more at the cost of others.
  expect(queue.add('form 3', 'another network', 'more')).toBe(false);
  const taken = takeAll(queue);
  expect(taken).toHaveLength(waitingMax);
  expect(taken.slice(0, 11)).toContain('real');
  expect(queue.length).toBe(0);
});

test('a form whose line is full of single visitors accepts no more, while others do', () => {
  const { queue } = newQueue();
  expect(queue.mayAccept('form', 'network')).toBe(true);
  for (let n = 0; n < waitingPerFormMax; n++) queue.add('form', `network ${n}`, String(n));
  expect(queue.mayAccept('form', 'another network')).toBe(false);
  expect(queue.mayAccept('another form', 'another network')).toBe(true);
  queue.take();
  expect(queue.mayAccept('form', 'another network')).toBe(true);
});

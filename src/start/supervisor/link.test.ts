import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { type Channel, createLink } from './link.ts';

/** Both ends of a channel in this process. Like the real one, it copies messages and delivers them later. */
function channelPair(): [Channel & EventEmitter, Channel & EventEmitter] {
  const ends = [new EventEmitter(), new EventEmitter()] as const;
  const end = (own: 0 | 1) =>
    Object.assign(ends[own], {
      connected: true,
      send(message: unknown) {
        const copy = structuredClone(message);
        setImmediate(() => ends[1 - own]?.emit('message', copy));
        return true;
      },
    });
  return [end(0), end(1)];
}

test('a question gets its own answer, whatever the order of the answers', async () => {
  const [a, b] = channelPair();
  const asking = createLink(a);
  const first = Promise.withResolvers<string>();
  createLink(b).onAsk('number', (content) => (content === 1 ? first.promise : `answer ${content}`));
  const answers = [asking.ask('number', 1), asking.ask('number', 2)];
  expect(await answers[1]).toBe('answer 2');
  first.resolve('answer 1');
  expect(await answers[0]).toBe('answer 1');
});

test('a question that the other side refuses, does not know or cannot answer any more fails', async () => {
  const [a, b] = channelPair();
  const asking = createLink(a);
  const answering = createLink(b);
  answering.onAsk('refused', () => {
    throw new Error('not today');
  });
  answering.onAsk('slow', () => new Promise(() => {}));
  await expect(asking.ask('refused', null)).rejects.toThrow('not today');
  await expect(asking.ask('unknown', null)).rejects.toThrow('nobody responds to unknown');
  const waiting = asking.ask('slow', null);
  Object.assign(a, { connected: false }).emit('disconnect');
  await expect(waiting).rejects.toThrow('the other process has stopped');
  await expect(asking.ask('slow', null)).rejects.toThrow('the other process has stopped');
});

test('what is told arrives in order, and messages of node:cluster are left alone', async () => {
  const [a, b] = channelPair();
  const told: unknown[] = [];
  const all = new Promise<void>((resolve) => {
    createLink(b).onTell('news', (content) => {
      told.push(content);
      if (told.length === 3) resolve();
    });
  });
  b.emit('message', { cmd: 'NODE_CLUSTER' });
  b.emit('message', null);
  const link = createLink(a);
  for (const news of ['one', 'two', 'three']) link.tell('news', news);
  await all;
  expect(told).toEqual(['one', 'two', 'three']);
});

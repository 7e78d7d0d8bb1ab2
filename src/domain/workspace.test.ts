import { expect, test } from 'vitest';
import { Random } from '../time/random.ts';
import { shardCount, shardOf } from './workspace.ts';

test('workspaces are spread evenly over the shards', () => {
  const counts = new Map<number, number>();
  const random = new Random(1);
  const part = () => random.integer(0, 0xffff).toString(16).padStart(4, '0');
  for (let i = 0; i < 6_400; i++) {
    const id = `${part()}${part()}-${part()}-4${part().slice(1)}-8${part().slice(1)}-${part()}${part()}${part()}`;
    const shard = shardOf(id);
    counts.set(shard, (counts.get(shard) ?? 0) + 1);
  }
  expect(counts.size).toBe(shardCount);
  expect(Math.max(...counts.values())).toBeLessThan(200);
});

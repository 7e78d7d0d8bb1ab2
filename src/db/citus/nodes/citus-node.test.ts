import pg from 'pg';
import { expect, test } from 'vitest';
import { CitusNode } from './citus-node.ts';

test('the shards of a bucket are probed together, so that a move takes one connection', async () => {
  const place = { bucket: 102_009, groupId: 1, host: '127.0.0.1', port: 1 };
  const other = { ...place, bucket: 102_010 };
  const node = new CitusNode(
    { databaseUrl: 'postgres://127.0.0.1/leadgate', pool: new pg.Pool(), route: 'direct', deadlineMs: 100 },
    {
      groupId: 1,
      place: () => place,
      placeOf: (shard) => (shard < 3 ? place : other),
      shards: () => [0, 1, 2, 3],
      locate: async () => {},
    },
  );
  const probes = [0, 1, 2, 3].map((shard) => node.probeShard(shard));
  expect(new Set(probes).size).toBe(2);
  await Promise.allSettled(probes);
});

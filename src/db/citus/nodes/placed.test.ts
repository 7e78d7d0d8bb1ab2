import { expect, test } from 'vitest';
import type { SortedEnds } from './by-bucket.ts';
import { placed } from './placed.ts';

const leads = [3, 1, 2, 1].map((shard, n) => ({ shard, n }));
type Lead = (typeof leads)[number];

interface Answer {
  readonly place: number;
  readonly outcome: string;
}

/** Shards 1 and 3 are in bucket 10, shard 2 is in bucket 20. */
const bucketOf = (shard: number) => (shard === 2 ? 20 : 10);

function failing(code: string): Error {
  return Object.assign(new Error(code), { code });
}

async function place(
  send: (sent: readonly Lead[], ends: SortedEnds) => Promise<Answer[]>,
  isElsewhere = false,
): Promise<Answer[]> {
  return placed<Lead, Answer>(leads, {
    bucketOf,
    isElsewhere: async () => isElsewhere,
    send,
    misplaced: (at, outcome) => ({ place: at, outcome }),
  });
}

test('leads are sent by bucket, in their order, and results are for the places they had', async () => {
  const answers = await place(async (sent, ends) => {
    expect(sent.map(({ n }) => n)).toEqual([0, 1, 3, 2]);
    expect(ends).toEqual({ shard: 3, buckets: [10, 20], ends: [3, 4] });
    return [2, 3].map((at) => ({ place: at, outcome: 'replay' }));
  });
  expect(answers).toEqual([3, 2].map((at) => ({ place: at, outcome: 'replay' })));
});

test('while a bucket is being moved, only its leads are not stored', async () => {
  const sent: number[][] = [];
  const answers = await place(async (_, { buckets }) => {
    sent.push([...buckets]);
    if (buckets.includes(20)) throw failing('55P03');
    return [{ place: 2, outcome: 'replay' }];
  });
  expect(sent).toEqual([[10, 20], [10], [20]]);
  expect(answers).toEqual([
    { place: 3, outcome: 'replay' },
    { place: 2, outcome: 'closed' },
  ]);
});

test('when a bucket has moved, all leads follow the map, unless the map says what it said before', async () => {
  const send = () => Promise.reject(failing('LG001'));
  const moved = leads.map((_, at) => ({ place: at, outcome: 'moved' }));
  expect((await place(send, true)).toSorted((a, b) => a.place - b.place)).toEqual(moved);
  await expect(place(send, false)).rejects.toMatchObject({ code: 'LG001' });
});

test('while one bucket is being moved and another has moved, leads of neither are stored', async () => {
  const answers = await place(async (_, { buckets }) => {
    throw failing(buckets.includes(10) ? '55P03' : 'LG001');
  }, true);
  expect(answers).toEqual([
    { place: 0, outcome: 'closed' },
    { place: 1, outcome: 'closed' },
    { place: 3, outcome: 'closed' },
    { place: 2, outcome: 'moved' },
  ]);
});

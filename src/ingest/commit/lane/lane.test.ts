import pg from 'pg';
import { expect, test } from 'vitest';
import { newLane, spooled, submissionOf } from '../../../../test/support/database/lanes.ts';
import type { CommitOptions } from '../../../db/ingest/ingest-commit.ts';
import type { Submission } from '../submission.ts';
import type { LaneDeps } from './lane.ts';

test.each([
  ['encoded', () => submissionOf({ shard: 40_000 })],
  [
    'scored',
    () =>
      submissionOf({}, () => {
        throw new TypeError('no score');
      }),
  ],
])('a lead that cannot be %s goes to the spool with its batch, and the lane continues', async (_, bad) => {
  const lane = newLane((submission) => submission.settle(spooled));
  const batch = [submissionOf(), bad()];
  for (const { submission } of batch) lane.submit(submission);
  expect(await Promise.all(batch.map(({ result }) => result))).toEqual([spooled, spooled]);
  const next = submissionOf();
  lane.submit(next.submission);
  expect(await next.result).toEqual({ kind: 'stored', submissionId: next.submission.lead.submissionId });
  await lane.stop();
});

test('an error in the spool leaves only that lead without a response', async () => {
  const bad = submissionOf({ shard: 40_000 });
  const good = submissionOf();
  const lane = newLane((submission) => {
    if (submission === bad.submission) throw new Error('out of memory');
    submission.settle(spooled);
  });
  for (const { submission } of [bad, good]) lane.submit(submission);
  expect(await bad.result).toEqual({ kind: 'unavailable' });
  expect(await good.result).toEqual(spooled);
  await lane.stop();
});

/** The sizes of the batches when 20 senders send again after their response, and 5 others during the first commit. */
async function batchesOf(isGathering: boolean): Promise<number[]> {
  const batches: number[] = [];
  const others = Array.from({ length: 5 }, () => submissionOf());
  const commit = async () => {
    if (batches.length === 0) for (const { submission } of others) lane.submit(submission);
    return [];
  };
  const lane = newLane(() => {}, {
    gatherMs: () => (isGathering ? 2 : 0),
    node: { openLane: () => ({ commit, close: async () => {} }) },
    meter: { onCommit: (rows) => void batches.push(rows) },
  });
  const twice = Array.from({ length: 20 }, async () => {
    const [first, second] = [submissionOf(), submissionOf()];
    lane.submit(first.submission);
    await first.result;
    lane.submit(second.submission);
    return second.result;
  });
  await Promise.all([...twice, ...others.map(({ result }) => result)]);
  await lane.stop();
  return batches;
}

test('beside other workers, senders that send again share the next commit with those who wait', async () => {
  expect(await batchesOf(true)).toEqual([20, 25]);
});

test('a process that is alone commits what waits before it answers', async () => {
  expect(await batchesOf(false)).toEqual([20, 5, 20]);
});

test('leads whose shard is elsewhere go on their way with their duplicates, and those of a closed shard to the spool', async () => {
  const key = { hash: Buffer.alloc(32, 1), bodyHash: Buffer.alloc(32, 2) };
  const [moved, duplicate] = [submissionOf({ key }), submissionOf({ key })];
  const [closed, stored] = [submissionOf({ shard: 7 }), submissionOf()];
  const outcomes = ['moved', 'closed'] as const;
  const commit = async () =>
    outcomes.map((outcome, place) => ({ place, outcome, submissionId: null, sameBody: null }));
  const rerouted: Submission[] = [];
  const closedShards: number[] = [];
  const lane = newLane((submission) => submission.settle(spooled), {
    node: { openLane: () => ({ commit, close: async () => {} }) },
    reroute: (submission) => void rerouted.push(submission),
    onClosed: (shard) => void closedShards.push(shard),
  });
  for (const { submission } of [moved, closed, stored, duplicate]) lane.submit(submission);
  expect(await closed.result).toEqual(spooled);
  expect(await stored.result).toEqual({ kind: 'stored', submissionId: stored.submission.lead.submissionId });
  expect(rerouted).toEqual([moved.submission, duplicate.submission]);
  expect(closedShards).toEqual([7]);
  await lane.stop();
});

test.each([
  ['the login', '28000'],
  ['the database', '3D000'],
  ['a function', '42883'],
])('leads go to the spool while a server refuses %s, because that is not due to them', async (_, code) => {
  const commit = async () => {
    throw Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code });
  };
  const lane = newLane((submission) => submission.settle(spooled), {
    node: { openLane: () => ({ commit, close: async () => {} }) },
    deadlineMs: 50,
  });
  const batch = [submissionOf(), submissionOf()];
  for (const { submission } of batch) lane.submit(submission);
  expect(await Promise.all(batch.map(({ result }) => result))).toEqual([spooled, spooled]);
  await lane.stop();
});

test('a lead whose bucket moves after a commit without a result is sent to the new node as a retry', async () => {
  const commits: boolean[] = [];
  const commit = async (_: unknown, { isRetry }: CommitOptions) => {
    const count = commits.push(isRetry);
    if (count === 1) throw new Error('lost');
    return count === 2 ? [{ place: 0, outcome: 'moved', submissionId: null, sameBody: null }] : [];
  };
  const node = { openLane: () => ({ commit, close: async () => {} }) } as unknown as LaneDeps['node'];
  const newNode = newLane(() => {}, { node });
  const lane = newLane(() => {}, { node, reroute: (submission) => newNode.submit(submission) });
  const { submission, result } = submissionOf();
  lane.submit(submission);
  expect(await result).toMatchObject({ kind: 'stored' });
  expect(commits).toEqual([false, true, true]);
});

test('a lead whose bucket cannot be found goes to the spool, and its node counts as available', async () => {
  const commit = () => Promise.reject(Object.assign(new Error('moved'), { code: 'LG001' }));
  const lane = newLane((submission) => submission.settle(spooled), {
    node: { openLane: () => ({ commit, close: async () => {} }) },
    deadlineMs: 0,
    onUnreachable: () => expect.unreachable(),
  });
  const { submission, result } = submissionOf();
  lane.submit(submission);
  expect(await result).toEqual(spooled);
});

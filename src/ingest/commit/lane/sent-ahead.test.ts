import pg from 'pg';
import { expect, test } from 'vitest';
import { newLane, spooled, submissionOf, type Told } from '../../../../test/support/database/lanes.ts';
import type { CommitOptions, StorableLead } from '../../../db/ingest/ingest-commit.ts';
import { systemClock } from '../../../time/real-clock.ts';
import { SimulatedClock } from '../../../time/simulated-clock.ts';
import type { Lane } from './lane.ts';

/** A connection whose commits end when the test says so, in any order. */
function heldConnection() {
  const commits: { readonly leads: number; readonly isRetry: boolean; end(error?: Error): void }[] = [];
  const commit = (leads: readonly StorableLead[], { isRetry }: CommitOptions) => {
    const held = Promise.withResolvers<[]>();
    const end = (error?: Error) => (error === undefined ? held.resolve([]) : held.reject(error));
    commits.push({ leads: leads.length, isRetry, end });
    return held.promise;
  };
  return { commits, node: { openLane: () => ({ commit, close: async () => {} }) } };
}

function submitted(lane: Lane, count: number): Told[] {
  const all = Array.from({ length: count }, () => submissionOf());
  for (const { submission } of all) lane.submit(submission);
  return all;
}

const results = (all: readonly Told[]) => Promise.all(all.map(({ result }) => result));

test('PostgreSQL has the next batch before it has done the one before, and no third one', async () => {
  const { commits, node } = heldConnection();
  const lane = newLane(() => {}, { node, aheadLeadsMin: () => 8 });
  const first = submitted(lane, 10);
  await systemClock.turn();
  const second = submitted(lane, 9);
  await systemClock.turn();
  const third = submitted(lane, 10);
  await systemClock.turn();
  expect(commits.map(({ leads }) => leads)).toEqual([10, 9]);
  commits[0]?.end();
  expect(await results(first)).toMatchObject(first.map(() => ({ kind: 'stored' })));
  await systemClock.turn();
  expect(commits.map(({ leads }) => leads)).toEqual([10, 9, 10]);
  for (const { end } of commits) end();
  await results([...second, ...third]);
  await lane.stop();
});

test.each([
  ['few leads', 7, 8],
  ['fewer leads than half of those under way', 9, 8],
  ['the leads of a lane that sends nothing ahead', 20, Number.POSITIVE_INFINITY],
])('%s wait until the commit under way has ended', async (_, count, aheadLeadsMin) => {
  const { commits, node } = heldConnection();
  const lane = newLane(() => {}, { node, aheadLeadsMin: () => aheadLeadsMin });
  const first = submitted(lane, 20);
  await systemClock.turn();
  const waiting = submitted(lane, count);
  await systemClock.turn();
  expect(commits.map(({ leads }) => leads)).toEqual([20]);
  commits[0]?.end();
  await results(first);
  expect(commits.map(({ leads }) => leads)).toEqual([20, count]);
  commits[1]?.end();
  await results(waiting);
  await lane.stop();
});

test('a batch whose result arrives before that of the one before it does not hold up anyone', async () => {
  const { commits, node } = heldConnection();
  const lane = newLane(() => {}, { node, aheadLeadsMin: () => 1 });
  const first = submitted(lane, 1);
  await systemClock.turn();
  const second = submitted(lane, 1);
  await systemClock.turn();
  commits[1]?.end();
  expect(await results(second)).toMatchObject([{ kind: 'stored' }]);
  const third = submitted(lane, 1);
  await systemClock.turn();
  commits[2]?.end();
  expect(await results(third)).toMatchObject([{ kind: 'stored' }]);
  commits[0]?.end();
  await results(first);
  await lane.stop();
});

test('both batches of a lost connection are sent again as retries', async () => {
  const { commits, node } = heldConnection();
  const lane = newLane(() => expect.unreachable(), { node, aheadLeadsMin: () => 1 });
  const first = submitted(lane, 2);
  await systemClock.turn();
  const second = submitted(lane, 3);
  await systemClock.turn();
  for (const { end } of commits.slice(0, 2)) end(new Error('Connection terminated'));
  await systemClock.turn();
  expect(commits.slice(2)).toMatchObject([
    { leads: 2, isRetry: true },
    { leads: 3, isRetry: true },
  ]);
  for (const { end } of commits) end();
  expect(await results([...first, ...second])).toMatchObject(
    [...first, ...second].map(() => ({ kind: 'stored' })),
  );
  await lane.stop();
});

test('a batch that was sent with one that is given up is given up with it, although it has not waited as long', async () => {
  const { commits, node } = heldConnection();
  const clock = new SimulatedClock(0);
  const lane = newLane((submission) => submission.settle(spooled), { node, clock, aheadLeadsMin: () => 1 });
  const first = submitted(lane, 1);
  await clock.advance(0);
  await clock.advance(700);
  const second = submitted(lane, 1);
  await clock.advance(0);
  await clock.advance(100);
  for (const { end } of commits) end(new Error('Query read timeout'));
  await clock.advance(0);
  expect(commits).toHaveLength(2);
  expect(await results([...first, ...second])).toEqual([spooled, spooled]);
  await lane.stop();
});

test('after many leads have arrived at once, two batches are under way', async () => {
  const { commits, node } = heldConnection();
  const lane = newLane(() => {}, { node, aheadLeadsMin: () => 8 });
  const all = submitted(lane, 1_500);
  await systemClock.turn();
  await systemClock.turn();
  expect(commits.map(({ leads }) => leads)).toEqual([512, 512]);
  for (const { end } of commits) end();
  await systemClock.turn();
  expect(commits.map(({ leads }) => leads)).toEqual([512, 512, 476]);
  commits[2]?.end();
  await results(all);
  await lane.stop();
});

test('a batch that waited for the one before has its whole time after it', async () => {
  const { commits, node } = heldConnection();
  const clock = new SimulatedClock(0);
  const lane = newLane(() => expect.unreachable(), { node, clock, aheadLeadsMin: () => 1 });
  const first = submitted(lane, 1);
  await clock.advance(0);
  const second = submitted(lane, 1);
  await clock.advance(600);
  commits[0]?.end();
  await clock.advance(200);
  commits[1]?.end(new Error('Connection terminated'));
  await clock.advance(0);
  expect(commits[2]).toMatchObject({ leads: 1, isRetry: true });
  commits[2]?.end();
  expect(await results([...first, ...second])).toMatchObject([{ kind: 'stored' }, { kind: 'stored' }]);
  await lane.stop();
});

test('leads that have waited too long are given up although a batch is still under way', async () => {
  const { commits, node } = heldConnection();
  const clock = new SimulatedClock(0);
  const lane = newLane((submission) => submission.settle(spooled), { node, clock, aheadLeadsMin: () => 4 });
  const first = submitted(lane, 4);
  await clock.advance(0);
  const second = submitted(lane, 4);
  await clock.advance(0);
  const waiting = submitted(lane, 1);
  await clock.advance(751);
  commits[0]?.end();
  expect(await results(waiting)).toEqual([spooled]);
  commits[1]?.end();
  await results([...first, ...second]);
  await lane.stop();
});

test('a batch that keeps failing is given up in time, although others succeed meanwhile', async () => {
  const failing = submissionOf();
  const { submissionId } = failing.submission.lead;
  const deadlock = Object.assign(new pg.DatabaseError('deadlock detected', 0, 'error'), { code: '40P01' });
  const commit = async (leads: readonly StorableLead[]) => {
    if (leads.some((lead) => lead.submissionId === submissionId)) throw deadlock;
    return [];
  };
  const node = { openLane: () => ({ commit, close: async () => {} }) };
  const clock = new SimulatedClock(0);
  const lane = newLane((submission) => submission.settle(spooled), { node, clock, aheadLeadsMin: () => 1 });
  let told: unknown = null;
  void failing.result.then((result) => {
    told = result;
  });
  lane.submit(failing.submission);
  for (let ms = 0; ms < 800; ms += 50) {
    await clock.advance(0);
    const good = submitted(lane, 1);
    await clock.advance(50);
    await results(good);
  }
  expect(told).toEqual(spooled);
  await lane.stop();
});

import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { FlushPart } from '../../db/ingest/ingest-database.ts';
import { SimulatedClock } from '../../time/simulated-clock.ts';
import { FlushedTally } from './flushed-tally.ts';
import { WaitingEntries, type WaitingEntry } from './waiting-entries.ts';

function entryOf(workspaceId: string, isProven: boolean, id: string): WaitingEntry {
  const ids = { shard: 0, workspaceId, id, formId: null, tokenId: null, requestId: id };
  const at = '2026-11-19T10:00:00.000Z';
  return { ...ids, at, surface: 'server', reason: 'body_not_json', detail: {}, limit: 'day', isProven };
}

/** How many of so many have room. */
function add(entries: WaitingEntries, workspaceId: string, isProven: boolean, count: number): number {
  let added = 0;
  while (added < count && entries.hasRoom(workspaceId, isProven))
    entries.add(entryOf(workspaceId, isProven, `${workspaceId} ${added++}`));
  return added;
}

function flush(entries: WaitingEntries): readonly string[] {
  entries.beginFlush();
  const ids = entries.flushed.map(({ id }) => id);
  entries.endFlush();
  return ids;
}

test('a flood of one workspace leaves memory for the next, and one without proof none of that of the others', () => {
  const entries = new WaitingEntries();
  expect(add(entries, 'flooded', false, 1_000_000)).toBe(10_000);
  expect(add(entries, 'next', false, 1_000_000)).toBe(5_000);
  expect(add(entries, 'proven', true, 1_000_000)).toBe(20_000);
  for (let n = 0; n < 1_000; n++) add(entries, `workspace ${n}`, n % 2 === 0, 1_000_000);
  let count = 0;
  while (!entries.isEmpty) count += flush(entries).length;
  expect(count).toBeLessThanOrEqual(60_000);
  expect(add(entries, 'flooded', true, 1_000_000)).toBe(20_000);
});

test('a flush writes 3,000, those with proof first, and each once', () => {
  const entries = new WaitingEntries();
  add(entries, 'stranger', false, 4_000);
  add(entries, 'own', true, 2_000);
  const flushes = [flush(entries), flush(entries)];
  expect(flushes.map((ids) => ids.length)).toEqual([3_000, 3_000]);
  expect(flushes[0]?.filter((id) => id.startsWith('own'))).toHaveLength(2_000);
  expect(new Set(flushes.flat()).size).toBe(6_000);
});

test('while PostgreSQL is down, the same entries are tried again, and those that came since are written after them', async () => {
  const clock = new SimulatedClock(0);
  const written: string[] = [];
  const tried: string[][] = [];
  const part = {
    async apply(...[, , , { entries }]: Parameters<FlushPart['apply']>) {
      const ids = entries.map(({ id }) => id);
      tried.push(ids);
      if (tried.length < 3) throw new Error('down');
      written.push(...ids);
    },
  };
  const log = pino({ enabled: false });
  const flushed = new FlushedTally({ part, instanceId: '', clock, log, host: null });
  add(flushed.tally.entries, 'one', true, 100);
  await flushed.flush();
  add(flushed.tally.entries, 'another', true, 7_000);
  await flushed.flush();
  expect(tried.map((ids) => ids.length)).toEqual([100, 100]);
  await flushed.stop();
  expect(written).toHaveLength(7_100);
  expect(new Set(written).size).toBe(7_100);
});

test('what is being written still takes memory', () => {
  const entries = new WaitingEntries();
  add(entries, 'flooded', true, 1_000_000);
  entries.beginFlush();
  expect(entries.hasRoom('flooded', true)).toBe(false);
  entries.endFlush();
  expect(entries.hasRoom('flooded', true)).toBe(true);
});

import { expect, test } from 'vitest';
import { systemClock } from '../../../time/real-clock.ts';
import { fallbackScore } from '../../commit/score.ts';
import { encodeBounded } from '../entry.ts';
import type { SpoolFolder } from '../folder.ts';
import { encodeRecord } from '../record.ts';
import { PendingSegment } from './pending-segment.ts';

function entryOf(shard: number): Buffer {
  const id = Buffer.alloc(16, shard);
  const ids = { shard, workspaceId: id, formId: id, tokenId: null, submissionId: crypto.randomUUID() };
  const text = { surface: 'server' as const, body: Buffer.from('{}'), projection: Buffer.from('{}') };
  return encodeBounded({ ...ids, ...text, receivedAt: 0, score: fallbackScore, key: null, signed: null });
}

/** A segment of these records, of which so many are drained. */
function segmentOf(payloads: readonly Buffer[], drained: number): PendingSegment {
  const records = payloads.map((payload, place) => encodeRecord(BigInt(place), payload));
  const drainedTo = records.slice(0, drained).reduce((sum, { length }) => sum + length, 0);
  const folder = { dir: '', read: async () => Buffer.concat(records), cursor: async () => drainedTo };
  return new PendingSegment(folder as Partial<SpoolFolder> as SpoolFolder, 'segment');
}

test('a record of a format that is not known is never skipped, wherever the cursor is', async () => {
  const unknown = Buffer.from('not an entry');
  const segment = segmentOf([entryOf(1), unknown, entryOf(2), entryOf(1)], 3);
  const { spooled, unreadable } = await segment.read(systemClock);
  expect(spooled.map(({ lead }) => lead.shard)).toEqual([1]);
  expect(unreadable.map(({ content }) => content.subarray(-unknown.length))).toEqual([unknown]);
});

test('a lead that two nodes have stored leaves the segment once', async () => {
  const segment = segmentOf([entryOf(1), entryOf(2)], 0);
  const { spooled } = await segment.read(systemClock);
  expect(spooled.map((record) => segment.drained(record))).toEqual([true, true]);
  expect(spooled.map((record) => segment.drained(record))).toEqual([false, false]);
  expect(segment.isDrained).toBe(true);
});

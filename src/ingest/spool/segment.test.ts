import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crc32c } from './crc32c.ts';
import { encodeRecord } from './record.ts';
import { isSegmentName, readSegment, segmentName } from './segment.ts';

const payloads = [3, 1, 40, 25].map((length) => randomBytes(length));
const records = payloads.map((payload, i) => encodeRecord(BigInt(i), payload));
const segment = Buffer.concat(records);
const startOf = (index: number) => records.slice(0, index).reduce((sum, { length }) => sum + length, 0);
const payloadsIn = (bytes: Buffer) =>
  readSegment(bytes).records.map(({ payload }) => payload.toString('hex'));
const hex = payloads.map((payload) => payload.toString('hex'));

test('the checksum is standard CRC-32C', () => {
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
  expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa);
});

test('an undamaged segment returns every record in order', () => {
  expect(payloadsIn(segment)).toEqual(hex);
  expect(readSegment(segment).damages).toEqual([]);
  expect(readSegment(Buffer.alloc(0))).toMatchObject({ records: [], damages: [] });
});

test('a segment cut anywhere in its last two records returns the complete records and one torn end', () => {
  for (let length = startOf(2); length < segment.length; length++) {
    const whole = length >= startOf(3) ? 3 : 2;
    const { damages } = readSegment(segment.subarray(0, length));
    expect(payloadsIn(segment.subarray(0, length))).toEqual(hex.slice(0, whole));
    const torn = length === startOf(whole) ? [] : [{ from: startOf(whole), to: length, isTorn: true }];
    expect(damages).toEqual(torn);
  }
});

describe('a flipped bit costs its own record and no other', () => {
  test.each([0, 1, 2, 3])('in record %i', (index) => {
    for (let at = startOf(index); at < startOf(index + 1); at++) {
      for (let bit = 0; bit < 8; bit++) {
        const flipped = Buffer.from(segment);
        flipped[at] = (flipped[at] as number) ^ (1 << bit);
        expect(payloadsIn(flipped)).toEqual(hex.toSpliced(index, 1));
        expect(readSegment(flipped).damages).toHaveLength(1);
      }
    }
  });
});

test('zeros or other bytes behind the last record hide nothing', () => {
  for (const tail of [Buffer.alloc(4096), randomBytes(4096)]) {
    expect(payloadsIn(Buffer.concat([segment, tail]))).toEqual(hex);
    expect(readSegment(Buffer.concat([segment, tail])).damages).toHaveLength(1);
  }
});

test('any bytes can be read, and a payload that looks like a record does not count as one', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => readSegment(Buffer.from(bytes)) && true),
  );
  const nested = encodeRecord(9n, encodeRecord(1n, Buffer.from('inner')));
  expect(readSegment(nested).records).toHaveLength(1);
});

test('names of segments sort by age', () => {
  const names = [0n, 9n, 10n, 123_456n].map(segmentName);
  expect(names.toSorted()).toEqual(names);
  expect(names.every(isSegmentName)).toBe(true);
  expect(isSegmentName('00000000000000000000.log.drained')).toBe(false);
});

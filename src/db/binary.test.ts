import { expect, test } from 'vitest';
import { binaryUuid, timestampArray, uuidArray, uuidTextArray } from './binary.ts';

const uuids = [
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-ffff-FFFF-ffff-FFFFFFFFFFFF',
  '01234567-89ab-cdef-0123-456789abcdef',
  '01234567-89AB-CDEF-0123-456789ABCDEF',
  ...Array.from({ length: 1_000 }, () => crypto.randomUUID()),
];

test('a UUID is encoded as its 16 bytes, in upper and lower case', () => {
  for (const uuid of uuids) expect(binaryUuid(uuid)).toEqual(Buffer.from(uuid.replaceAll('-', ''), 'hex'));
});

test('an array of UUIDs is the same from texts as from bytes', () => {
  expect(uuidTextArray(uuids)).toEqual(uuidArray(uuids.map(binaryUuid)));
});

test('times are microseconds since the year 2000, before and after it', () => {
  const times = [0, Date.UTC(1999, 11, 31, 23, 59, 59, 999), Date.UTC(2000, 0, 1), Date.UTC(9999, 0, 1)];
  const array = timestampArray(times);
  const micros = times.map((_, place) => array.readBigInt64BE(24 + place * 12));
  expect(micros).toEqual(times.map((ms) => BigInt(ms - Date.UTC(2000, 0, 1)) * 1000n));
});

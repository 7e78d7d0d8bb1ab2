import { expect, test } from 'vitest';
import { packReasons, type StoredReason, storedReasons, unpackReasons } from './stored-reasons.ts';

const reasons = [
  { code: 'FIT_COMPANY', points: 15 },
  { code: 'INTENT_WORDS', points: -2.5 },
  { code: 'EMAIL_FREE', points: 5, field: 'email', evidence: 'gmail.com' },
  { code: 'TEXT_LINKS', points: 10, evidence: '' },
] as StoredReason[];
const score = { reasons } as Parameters<typeof packReasons>[0];

test('reasons are the same after they were stored, and take less space when they are only a code and points', () => {
  const packed = JSON.parse(JSON.stringify(packReasons(score)));
  expect(unpackReasons(packed)).toEqual(JSON.parse(JSON.stringify(storedReasons(score))));
  expect(packed.slice(0, 2)).toEqual(['FIT_COMPANY 15', 'INTENT_WORDS -2.5']);
});

test('leads that an earlier release stored keep their reasons', () => {
  const stored = [
    { code: 'FIT_COMPANY', points: 15 },
    { code: 'GONE', points: 3, text: 'As it was shown' },
  ];
  expect(unpackReasons(stored as StoredReason[])).toEqual(stored);
});

import { expect, test } from 'vitest';
import { describeReason, rejectionCategory, rejectionReasons } from './rejection.ts';

test('reasons have unique codes, and only the two limits are of the category rate_limit', () => {
  const codes = rejectionReasons.map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes.filter((code) => rejectionCategory(code) === 'rate_limit')).toEqual([
    'rate_limited_minute',
    'rate_limited_day',
  ]);
});

test('a reason that only an older version knew is described without a text', () => {
  expect(describeReason('no_such_reason')).toMatchObject({ severity: 'error', category: 'other', text: '' });
  expect(describeReason('form_inactive')).toMatchObject({ severity: 'info', anchor: 'form_inactive' });
});

import { expect, test } from 'vitest';
import { driftText } from '../../../web/pages/held/request/drift.ts';

const arrived = '2026-11-17T12:00:00.000Z';

test.each([
  ['2026-11-17T12:00:00.400Z', 'when it arrived'],
  ['2026-11-17T11:59:59.000Z', '1 s before it arrived'],
  ['2026-11-17T11:53:48.000Z', '6 min 12 s before it arrived'],
  ['2026-11-17T13:00:00.000Z', '1 h after it arrived'],
  ['2026-11-15T09:01:01.000Z', '2 d 2 h before it arrived'],
])('a request signed at %s is %s', (sentAt, text) => {
  expect(driftText(sentAt, arrived)).toBe(text);
});

import { describe, expect, test } from 'vitest';
import { type Conversion, converted } from './conversion.ts';

type Case = [Conversion, unknown, unknown];

const cases: Case[] = [
  ['text', 'Ada', 'Ada'],
  ['text', true, 'true'],
  ['text', 12.5, '12.5'],
  ['text', [1, { a: 2 }], '[1,{"a":2}]'],
  ['number', 12.5, 12.5],
  ['number', ' 12.5 ', 12.5],
  ['number', '+0049', 49],
  ['number', '-007.50', -7.5],
  ['number', '000', 0],
  ['boolean', true, true],
  ['boolean', 'Yes', true],
  ['boolean', 'OFF', false],
  ['boolean', 1, true],
  ['boolean', '0', false],
  ['date', '2026-11-16', '2026-11-16'],
  ['date', '16.11.2026', '2026-11-16'],
  ['date', '2026-11-16T08:00:00+02:00', '2026-11-16T06:00:00.000Z'],
  ['date', '2026-11-16 08:00', '2026-11-16T08:00:00.000Z'],
  ['date', '2026-11-16T08:00:00-0530', '2026-11-16T13:30:00.000Z'],
  ['date', 1_794_816_000, '2026-11-16T08:00:00.000Z'],
  ['date', '1794816000123', '2026-11-16T08:00:00.123Z'],
  ['email', ' Ada.L+x@Example.COM ', 'Ada.L+x@example.com'],
  ['phone', '+49 (0)30 / 1234-567', '+49301234567'],
  ['phone', '0049 30 1234567', '+49301234567'],
  ['phone', '(202) 555-0100', '2025550100'],
  ['list', ['a', 2, true, null], 'a, 2, true'],
  ['list', 'a', 'a'],
];

test.each(cases)('as %s, %j is %j', (as, value, expected) => {
  expect(JSON.parse(converted(as, JSON.stringify(value)) ?? 'null')).toEqual(expected);
});

const impossible: [Conversion, unknown][] = [
  ['number', '1,5'],
  ['number', 'twelve'],
  ['number', true],
  ['number', [1]],
  ['boolean', 'maybe'],
  ['boolean', 2],
  ['date', '11/16/2026'],
  ['date', '2026-02-30'],
  ['date', '30.02.2026'],
  ['date', '2026-11-16T25:00:00Z'],
  ['date', 'tomorrow'],
  ['email', 'ada'],
  ['email', 'a@b@c.example'],
  ['email', 'Ada <ada@example.com>'],
  ['email', 'ada@example'],
  ['email', 'ada@example.com\r\nBcc: x@y.example'],
  ['email', `${'a'.repeat(100_000)}@example.com`],
  ['phone', 'call me'],
  ['phone', '1234'],
  ['phone', '1'.repeat(100_000)],
  ['date', { a: 1 }],
];

test.each(impossible)('as %s, %.60j cannot be sent', (as, value) => {
  expect(converted(as, JSON.stringify(value))).toBeNull();
});

describe('long numbers', () => {
  test.each(['1234567890123456789', '0.1000000000000000055511151231257827', '1e400'])(
    '%s keeps its digits, whether it is a number or text',
    (digits) => {
      expect(converted('number', digits)).toBe(digits);
      expect(converted('number', `"${digits}"`)).toBe(digits);
      expect(converted('text', digits)).toBe(`"${digits}"`);
      expect(converted('list', `[${digits}]`)).toBe(`"${digits}"`);
    },
  );
});

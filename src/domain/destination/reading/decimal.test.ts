import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareDecimals, type Decimal, decimalKey, decimalOf, decimalShape } from './decimal.ts';

function compare(one: string, other: string): number {
  return compareDecimals(decimalOf(one) as Decimal, decimalOf(other) as Decimal);
}

test('whole numbers of any length are compared exactly', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt({ min: -2n, max: 2n }), (one, difference) => {
      const other = one + difference;
      const expected = difference === 0n ? 0 : difference < 0n ? 1 : -1;
      expect(Math.sign(compare(String(one), String(other)))).toBe(expected);
    }),
  );
});

test('fractions and exponents are compared as JavaScript compares them', () => {
  const numbers = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(numbers, numbers, (one, other) => {
      const expected = one === other ? 0 : one < other ? -1 : 1;
      expect(Math.sign(compare(String(one), String(other)))).toBe(expected);
    }),
  );
});

test.each([
  ['10', '10.0'],
  ['0', '-0'],
  ['1e2', '100'],
  ['0.05', '5e-2'],
  ['+7', '007'],
  ['0e999999999999', '0.000'],
])('%s and %s are the same number', (one, other) => {
  expect(compare(one, other)).toBe(0);
  expect(decimalKey(decimalOf(one) as Decimal)).toBe(decimalKey(decimalOf(other) as Decimal));
});

test('an exponent that cannot be written out costs nothing', () => {
  expect(compare('1e999999999', '9'.repeat(100_000))).toBe(1);
});

test.each(['', '.', '1.', '.5', '1e', '0x10', 'Infinity', '1,5', '1 000', '١'])(
  '%s is not a number',
  (text) => {
    expect(decimalShape.test(text)).toBe(false);
  },
);

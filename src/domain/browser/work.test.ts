import { expect, test } from 'vitest';
import { beginsWithZeroBits, isFasterThanWork, parseSolution, workBits } from './work.ts';

test.each([
  [0, 9],
  [10, 9],
  [19, 9],
  [20, 10],
  [39, 10],
  [40, 11],
  [80, 12],
  [160, 13],
  [320, 13],
  [1e9, 13],
])('a network that asks for %i challenges a minute gets %i bits of work', (perMinute, bits) => {
  expect(workBits(perMinute)).toBe(bits);
});

test.each([
  ['0', '0'],
  ['7', '7'],
  ['9999999999', '9999999999'],
  ['', null],
  ['00', null],
  ['07', null],
  ['-1', null],
  ['+1', null],
  ['1.0', null],
  ['1e3', null],
  ['0x1', null],
  [' 1', null],
  ['1\n', null],
  ['١', null],
  ['10000000000', null],
  [7, null],
  [null, null],
  [undefined, null],
  [['7'], null],
  [{ toString: () => '7' }, null],
])('the solution %j is read as %j: each number has one spelling', (text, solution) => {
  expect(parseSolution(text)).toBe(solution);
});

test.each([
  [400, 9, 19, true],
  [400, 9, 20, false],
  [15, 9, 0, true],
  [0, 9, 0, false],
  // Whoever begins with a high counter has not tried all below it.
  [9_999_999_999, 9, 26, false],
  [400, 9, -1, false],
])(
  'the solution %i of %i bits after %i ms came sooner than any device can find it: %j',
  (n, bits, ms, is) => {
    expect(isFasterThanWork(String(n), bits, ms)).toBe(is);
  },
);

test.each([
  [[0x00, 0xff], 8, true],
  [[0x00, 0x7f], 9, true],
  [[0x00, 0x80], 9, false],
  [[0x01, 0x00], 8, false],
  [[0x00, 0x07], 13, true],
  [[0x00, 0x08], 13, false],
  [[0x00, 0x00], 16, true],
  [[0xff], 0, true],
])('the bytes %j begin with %i zero bits: %j', (bytes, bits, does) => {
  expect(beginsWithZeroBits(Uint8Array.from(bytes), bits)).toBe(does);
});

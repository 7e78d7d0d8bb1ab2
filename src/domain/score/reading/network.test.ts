import { expect, test } from 'vitest';
import { householdOf } from './network.ts';

test.each([
  ['93.184.216.34', '93.184.216'],
  ['::ffff:93.184.216.34', '93.184.216'],
  ['2001:db8:1:2ff::9', '8193:3512:1:2'],
  ['2001:db8:1:200:1:2:3:4', '8193:3512:1:2'],
  ['2001::', '8193:0:0:0'],
])('%s belongs to %s', (address, network) => {
  expect(householdOf(address)).toBe(network);
});

test.each([
  '',
  '::',
  '1.2.3',
  '256.1.1.1',
  '100.64.0.1',
  'fe80::1',
  '2001:db8',
  '2001:::1',
  '2001:db8:12345::',
])('%j is not in a public network', (text) => {
  expect(householdOf(text)).toBeNull();
});

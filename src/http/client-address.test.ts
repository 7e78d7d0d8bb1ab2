import { expect, test } from 'vitest';
import { clientAddress, networkOf } from './client-address.ts';

test('without a trusted proxy, the address that a sender claims is ignored', () => {
  expect(clientAddress('198.51.100.7', '203.0.113.1', 0)).toBe('198.51.100.7');
});

test('behind proxies, the address that the outermost proxy saw is used', () => {
  expect(clientAddress('10.0.0.1', 'made up, 203.0.113.1', 1)).toBe('203.0.113.1');
  expect(clientAddress('10.0.0.1', 'made up, 203.0.113.1, 10.0.0.2', 2)).toBe('203.0.113.1');
  expect(clientAddress('10.0.0.1', undefined, 1)).toBe('10.0.0.1');
  expect(clientAddress('10.0.0.1', '203.0.113.1', 3)).toBe('203.0.113.1');
});

test.each([
  ['<script>', ''],
  ['203.0.113.1 or so', ''],
  ['203.0.113.999', ''],
  ['fe80::1%any text', 'fe80::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['203.0.113.1:50123', '203.0.113.1'],
  ['[2001:db8::1]:50123', '2001:db8::1'],
  ['x'.repeat(50), ''],
])('only an address is accepted from X-Forwarded-For: %s', (claimed, address) => {
  expect(clientAddress('10.0.0.1', claimed, 2)).toBe(address);
});

test.each([
  ['203.0.113.1', '203.0.113.1'],
  ['::ffff:203.0.113.1', '203.0.113.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('%s is counted under %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

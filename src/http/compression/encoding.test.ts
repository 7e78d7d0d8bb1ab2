import { expect, test } from 'vitest';
import { chosenEncoding } from './encoding.ts';

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['BR', 'br'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0, gzip;q=0.1', 'gzip'],
  ['br ; q=0.000 , gzip; Q=0.001', 'gzip'],
  ['*', 'br'],
  ['*, br;q=0', 'gzip'],
  ['gzip;q=0.5, identity;q=0.5', 'gzip'],
  ['identity, gzip;q=0.5', null],
  ['identity', null],
  ['gzip;q=0', null],
  ['*;q=0', null],
  ['gzip;q=nonsense', null],
  ['gzip;q=1.001', null],
  ['brotli', null],
  ['', null],
  [undefined, null],
  [',;,;q=1', null],
])('Accept-Encoding %j gets %j', (accepted, encoding) => {
  expect(chosenEncoding(accepted)).toBe(encoding);
});

test('an encoding that is not offered is not chosen', () => {
  expect(chosenEncoding('br, gzip;q=0.5', ['gzip'])).toBe('gzip');
  expect(chosenEncoding('br', ['gzip'])).toBeNull();
});

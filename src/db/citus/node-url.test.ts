import { expect, test } from 'vitest';
import { nodeUrl } from './node-url.ts';

const node = { host: 'n1', port: 6000 };

test.each([
  [
    'postgres://u:p%40ss@coordinator:5432/db?sslmode=require',
    'postgres://u:p%40ss@n1:6000/db?sslmode=require',
  ],
  ['postgresql://u@a:1,b:2/db?target_session_attrs=primary', 'postgresql://u@n1:6000/db'],
  [
    'postgres://u@/db?host=/run/postgresql&port=5433&options=-c%20a=b',
    'postgres://u@n1:6000/db?options=-c%20a=b',
  ],
  ['postgres://[::1]/db', 'postgres://n1:6000/db'],
  ['postgres://u:a@b@host/db', 'postgres://u:a@b@n1:6000/db'],
])('a node is reached like the coordinator, at its own address: %s', (url, expected) => {
  expect(nodeUrl(url, node)).toBe(expected);
});

test('the address of a node may be of IPv6', () => {
  expect(nodeUrl('postgres://u@h/db', { host: 'fd00::1', port: 5432 })).toBe(
    'postgres://u@[fd00::1]:5432/db',
  );
});

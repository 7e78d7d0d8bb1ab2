import { expect, test } from 'vitest';
import { tokenKeyHash } from './submission-key.ts';

const [one, other] = [Buffer.alloc(16, 1), Buffer.alloc(16, 2)];

test('tokens of two forms never share a key, whatever their names', () => {
  expect(tokenKeyHash(one, other)).toEqual(tokenKeyHash(one, other));
  expect(tokenKeyHash(one, other)).not.toEqual(tokenKeyHash(other, other));
  expect(tokenKeyHash(one, other)).not.toEqual(tokenKeyHash(one, one));
});

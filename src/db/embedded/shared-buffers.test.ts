import { expect, test } from 'vitest';
import { sharedBuffers } from './shared-buffers.ts';

const gibibyte = 1024 ** 3;

test.each([
  ['a small machine has at least 256 MB', gibibyte / 2, '256MB'],
  ['an eighth of the memory', 8 * gibibyte, '1024MB'],
  ['a large machine has at most 2 GB', 64 * gibibyte, '2048MB'],
])('memory for pages of the embedded server: %s', (_, usable, expected) => {
  expect(sharedBuffers(usable)).toBe(expected);
});

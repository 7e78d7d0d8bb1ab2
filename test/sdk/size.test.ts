import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, inject, test } from 'vitest';

const gzipBytesMax = 3_072;
/** For asking for consent, which the scripts cannot do yet. */
const reservedBytes = 200;

test.each(['v1.js', 'v1.mjs'])(
  `%s costs a page at most ${gzipBytesMax} bytes, of which ${reservedBytes} are left`,
  (name) => {
    const script = readFileSync(join(inject('sdk'), name));
    expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(gzipBytesMax - reservedBytes);
  },
);

test.each(['v1.js', 'v1.mjs'])('%s contains nothing that a strict policy refuses, and no cookie', (name) => {
  const script = readFileSync(join(inject('sdk'), name), 'utf8');
  expect(script).not.toMatch(/\beval\b|\bFunction\(|new Worker|importScripts|\.style\b|innerHTML|cookie/);
  expect(script).not.toMatch(/https?:\/\//);
});

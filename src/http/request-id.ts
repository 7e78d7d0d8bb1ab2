import { randomFillSync } from 'node:crypto';

// Filled for 256 ids at a time: a call per id, even randomUUID, costs more than the id itself.
const pool = Buffer.alloc(256 * 16);
const idDigits = 32;
let digits = '';
let at = 0;

/**
 * A random UUID (version 4). Anyone sees it in every response, so it must not reveal how many requests others have sent,
 * nor which id comes next: diagnostics are searched by it.
 */
export function nextRequestId(): string {
  if (at === digits.length) {
    digits = randomFillSync(pool).toString('hex');
    at = 0;
  }
  const start = at;
  at += idDigits;
  const part = (from: number, to: number) => digits.slice(start + from, start + to);
  // The 13th digit is the version, the 17th the variant.
  return `${part(0, 8)}-${part(8, 12)}-4${part(13, 16)}-8${part(17, 20)}-${part(20, 32)}`;
}

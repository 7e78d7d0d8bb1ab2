/**
 * Proof of work: a counter n for which PBKDF2-SHA-256(password = nonce + n, salt, `workCost` iterations, 32 bytes) begins
 * with `bits` zero bits. It is a toll, not a gate: a program can pay it too, only not for many leads at the same time.
 */
export const workCost = 1_000;
export const workBytes = 32;
const usualBits = 9;
const bitsMax = 13;
const usualPerMinute = 10;

/** One bit more, which is twice the work, for each doubling of what a network asks for in a minute. */
export function workBits(challengesPerMinute: number): number {
  if (challengesPerMinute <= usualPerMinute) return usualBits;
  return Math.min(bitsMax, usualBits + Math.floor(Math.log2(challengesPerMinute / usualPerMinute)));
}

/** Below this, no device can derive a key. */
const tryMsMin = 0.05;

/** True for a solution that came sooner than any device can find it. Someone may have begun with another counter than 0. */
export function isFasterThanWork(solution: string, bits: number, tookMs: number): boolean {
  const triesAtLeast = Math.min(Number(solution), 2 ** bits);
  return tookMs >= 0 && tookMs < triesAtLeast * tryMsMin;
}

/** Null for anything but a counter in decimal digits, with one spelling for each number. */
export function parseSolution(text: unknown): string | null {
  return typeof text === 'string' && /^(?:0|[1-9]\d{0,9})$/.test(text) ? text : null;
}

export function beginsWithZeroBits(bytes: Uint8Array, bits: number): boolean {
  const whole = bits >> 3;
  for (let at = 0; at < whole; at++) if (bytes[at] !== 0) return false;
  const rest = bits & 7;
  return rest === 0 || (bytes[whole] ?? 0) >> (8 - rest) === 0;
}

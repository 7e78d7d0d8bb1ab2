import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

/**
 * Randomness for ids, and for work that should not happen everywhere at the same time. A simulation passes a seeded one.
 * Never used for secrets, which come from node:crypto.
 */
export interface Randomness {
  /** From 0 up to, but not including, 1. */
  fraction(): number;
  /** A new id that sorts by time. */
  uuid(): string;
  hex(bytes: number): string;
}

export const systemRandomness: Randomness = {
  fraction: () => Math.random(),
  uuid: () => randomUUIDv7(),
  hex: (bytes) => randomBytes(bytes).toString('hex'),
};

/** The same seed gives the same ids. */
export function seededRandomness(random: Random, clock: Pick<Clock, 'now'>): Randomness {
  const hex = (bytes: number) =>
    Array.from({ length: bytes }, () => random.integer(0, 255).toString(16).padStart(2, '0')).join('');
  return {
    fraction: () => random.next(),
    hex,
    uuid() {
      const time = Math.floor(clock.now()).toString(16).padStart(12, '0');
      const rest = hex(10);
      const variant = '89ab'[random.integer(0, 3)];
      return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-${variant}${rest.slice(3, 6)}-${rest.slice(6, 18)}`;
    },
  };
}

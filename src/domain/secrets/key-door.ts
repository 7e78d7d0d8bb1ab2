import { hash, timingSafeEqual } from 'node:crypto';
import { minuteMs } from '../../time/clock.ts';

/** Who sends a key; guesses are counted per network. */
export interface KeyVisitor {
  readonly address: string;
  readonly network: string;
}

export type KeyVerdict =
  | { readonly kind: 'right' | 'wrong' | 'missing' }
  | { readonly kind: 'limited'; readonly waitMs: number };

// Enough for a program that makes every request with an old key, and for a scraper that was given one.
const wrongMax = 100;
const networksMax = 10_000;

/** Counts wrong keys in memory, minute by minute: nobody waits longer than that after a flood ends. */
export class KeyGuesses {
  readonly #wrong = new Map<string, { count: number; readonly endsAt: number }>();

  /** How long to wait before the next guess, or null if this one is within the limit. */
  count(network: string, now: number): number | null {
    const guesses = this.#wrong.get(network);
    if (guesses === undefined || guesses.endsAt <= now) {
      // When full, all counts are dropped: a limit per network does not stop anyone who has ten thousand networks.
      if (this.#wrong.size >= networksMax) this.#wrong.clear();
      this.#wrong.set(network, { count: 1, endsAt: now + minuteMs });
      return null;
    }
    if (guesses.count === wrongMax) return guesses.endsAt - now;
    guesses.count++;
    return null;
  }

  get size(): number {
    return this.#wrong.size;
  }
}

/**
 * Checks Authorization headers against one or more keys and reports each wrong one within the limit. The right key is
 * always let in: a key of 32 characters cannot be guessed anyway, and a limit on all keys would let anyone behind the
 * same proxy lock the operator out.
 */
export class KeyDoor {
  readonly #checks: readonly ReturnType<typeof keyCheck>[];
  readonly #guesses: KeyGuesses;
  readonly #onWrong: (address: string) => void;

  /** Doors with the same `guesses` share their count. */
  constructor(keys: readonly string[], guesses: KeyGuesses, onWrong: (address: string) => void) {
    this.#checks = keys.map(keyCheck);
    this.#guesses = guesses;
    this.#onWrong = onWrong;
  }

  judge(authorization: string | undefined, { address, network }: KeyVisitor, now: number): KeyVerdict {
    if (authorization === undefined) return { kind: 'missing' };
    const verdicts = this.#checks.map((check) => check(authorization));
    if (verdicts.includes('right')) return { kind: 'right' };
    // Something other than a key, such as the Basic credentials of a proxy, is not a guess.
    if (!verdicts.includes('wrong')) return { kind: 'missing' };
    const waitMs = this.#guesses.count(network, now);
    if (waitMs !== null) return { kind: 'limited', waitMs };
    this.#onWrong(address);
    return { kind: 'wrong' };
  }
}

const bearer = /^Bearer +(\S+) *$/i;

type Judged = 'right' | 'wrong' | 'missing';

/** Checks an Authorization header. Hashes have equal length, so the comparison takes constant time. */
function keyCheck(rightKey: string): (authorization: string | undefined) => Judged {
  const expected = hash('sha256', rightKey, 'buffer');
  return (authorization) => {
    const key = bearer.exec(authorization ?? '')?.[1];
    if (key === undefined) return 'missing';
    return timingSafeEqual(hash('sha256', key, 'buffer'), expected) ? 'right' : 'wrong';
  };
}

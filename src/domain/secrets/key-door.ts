import { hash, timingSafeEqual } from 'node:crypto';
import { minuteMs } from '../../time/clock.ts';

/** Who sends a key; guesses are counted by network. */
export interface KeyVisitor {
  readonly address: string;
  readonly network: string;
}

export type KeyVerdict =
  | { readonly kind: 'right' | 'wrong' | 'missing' }
  | { readonly kind: 'limited'; readonly waitMs: number };

// Enough for a program that calls everything with an old key, and for a scraper that was given one.
const wrongMax = 100;
const networksMax = 10_000;

/** Counts wrong keys in memory, a minute at a time: nobody waits longer than that after a flood has ended. */
export class KeyGuesses {
  readonly #wrong = new Map<string, { count: number; readonly endsAt: number }>();

  /** How long to wait before the next guess, or null when this one is within the limit. */
  count(network: string, now: number): number | null {
    const guesses = this.#wrong.get(network);
    if (guesses === undefined || guesses.endsAt <= now) {
      // One too many forgets all: whoever has ten thousand networks is not held up by a limit per network.
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
 * Judges Authorization headers by one key or several, and tells of each wrong one within the limit. The right key is let in at any
 * time: no limit is needed to keep a key of 32 characters from being guessed, and with one that held for all keys a stranger behind
 * the same proxy could keep the operator out.
 */
export class KeyDoor {
  readonly #checks: readonly ReturnType<typeof keyCheck>[];
  readonly #guesses: KeyGuesses;
  readonly #onWrong: (address: string) => void;

  /** Doors that share their `guesses` count together. */
  constructor(keys: readonly string[], guesses: KeyGuesses, onWrong: (address: string) => void) {
    this.#checks = keys.map(keyCheck);
    this.#guesses = guesses;
    this.#onWrong = onWrong;
  }

  judge(authorization: string | undefined, { address, network }: KeyVisitor, now: number): KeyVerdict {
    if (authorization === undefined) return { kind: 'missing' };
    const verdicts = this.#checks.map((check) => check(authorization));
    if (verdicts.includes('right')) return { kind: 'right' };
    // Something else than a key, such as what a proxy asked a browser for, is no guess.
    if (!verdicts.includes('wrong')) return { kind: 'missing' };
    const waitMs = this.#guesses.count(network, now);
    if (waitMs !== null) return { kind: 'limited', waitMs };
    this.#onWrong(address);
    return { kind: 'wrong' };
  }
}

const bearer = /^Bearer +(\S+) *$/i;

type Judged = 'right' | 'wrong' | 'missing';

/** Judges an Authorization header. Hashes have one length, so the comparison takes the same time whatever was sent. */
function keyCheck(rightKey: string): (authorization: string | undefined) => Judged {
  const expected = hash('sha256', rightKey, 'buffer');
  return (authorization) => {
    const key = bearer.exec(authorization ?? '')?.[1];
    if (key === undefined) return 'missing';
    return timingSafeEqual(hash('sha256', key, 'buffer'), expected) ? 'right' : 'wrong';
  };
}

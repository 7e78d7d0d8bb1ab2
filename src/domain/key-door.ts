import { dayMs, minuteMs } from '../clock.ts';
import { operatorKeyCheck } from './operator-key.ts';

/** Who sends a key; guesses are counted by network. */
export interface KeyVisitor {
  readonly address: string;
  readonly network: string;
}

export type KeyVerdict =
  | { readonly kind: 'right' | 'wrong' | 'missing' }
  | { readonly kind: 'limited'; readonly waitMs: number };

// Enough for whoever tries all the keys that he has, and for a scraper that was given an old one.
const wrongMax = 30;
/**
 * Where the right key came from lately. Others behind the same proxy could otherwise keep the operator out for good with one
 * wrong key every two seconds; and ten guesses a second still find no key of 32 characters.
 */
const wrongMaxWhereKnown = 600;
const knownMs = dayMs;
const networksMax = 10_000;

/**
 * Counts wrong keys in memory, a minute at a time: nobody waits longer than that after a flood has ended. Over the limit no key is
 * looked at, not even the right one, or the limit would not slow down guessing.
 */
export class KeyGuesses {
  readonly #wrong = new Map<string, { count: number; readonly endsAt: number }>();
  readonly #knownUntil = new Map<string, number>();

  /** How long to wait, or null. */
  waitMs(network: string, now: number): number | null {
    const guesses = this.#wrong.get(network);
    if (guesses === undefined || guesses.endsAt <= now) return null;
    const isKnown = (this.#knownUntil.get(network) ?? 0) > now;
    return guesses.count < (isKnown ? wrongMaxWhereKnown : wrongMax) ? null : guesses.endsAt - now;
  }

  wrong(network: string, now: number): void {
    const guesses = this.#wrong.get(network);
    if (guesses !== undefined && guesses.endsAt > now) guesses.count++;
    else putBounded(this.#wrong, network, { count: 1, endsAt: now + minuteMs });
  }

  get size(): number {
    return this.#wrong.size;
  }

  right(network: string, now: number): void {
    putBounded(this.#knownUntil, network, now + knownMs);
  }
}

/** Judges Authorization headers by one key or several, and tells of each wrong one. */
export class KeyDoor {
  readonly #checks: readonly ReturnType<typeof operatorKeyCheck>[];
  readonly #guesses: KeyGuesses;
  readonly #onWrong: (address: string) => void;

  /** Doors that share their `guesses` count together. */
  constructor(keys: readonly string[], guesses: KeyGuesses, onWrong: (address: string) => void) {
    this.#checks = keys.map(operatorKeyCheck);
    this.#guesses = guesses;
    this.#onWrong = onWrong;
  }

  judge(authorization: string | undefined, { address, network }: KeyVisitor, now: number): KeyVerdict {
    if (authorization === undefined) return { kind: 'missing' };
    const waitMs = this.#guesses.waitMs(network, now);
    if (waitMs !== null) return { kind: 'limited', waitMs };
    const verdicts = this.#checks.map((check) => check(authorization));
    if (verdicts.includes('right')) {
      this.#guesses.right(network, now);
      return { kind: 'right' };
    }
    // Something else than a key, such as what a proxy asked a browser for, is no guess.
    if (!verdicts.includes('wrong')) return { kind: 'missing' };
    this.#guesses.wrong(network, now);
    this.#onWrong(address);
    return { kind: 'wrong' };
  }
}

/** One too many forgets all: whoever has ten thousand networks is not held up by a limit per network. */
function putBounded<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (map.size >= networksMax) map.clear();
  map.set(key, value);
}

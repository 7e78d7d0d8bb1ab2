import { hash } from 'node:crypto';
import type pg from 'pg';
import {
  type CountedKey,
  countAttempt,
  deleteEndedWindows,
  hasLivingKey,
  putKey,
  uncountAttempt,
} from '../../db/people/sign-in-attempts.ts';
import { networkOf } from '../../http/client-address.ts';
import { type Clock, dayMs, minuteMs } from '../../time/clock.ts';
import { Problem } from '../calls/problem.ts';

/** How many attempts each key has in a window. A successful attempt does not count. */
const limits = {
  /** A whole office may share one IP address. */
  address: { attemptsMax: 30, windowMs: minuteMs },
  /** One person who has forgotten their password. */
  pair: { attemptsMax: 10, windowMs: 5 * minuteMs },
  /** Many IP addresses against one account. Does not apply to addresses from which the account was used. */
  account: { attemptsMax: 50, windowMs: 15 * minuteMs },
} as const;
type Kind = keyof typeof limits;
const addressKnownMs = 30 * dayMs;
const blockedMax = 10_000;

export interface Attempt {
  readonly email: string;
  readonly address: string;
}

/**
 * Slows down guessing. The counts are in a table, so they apply to all instances and survive a restart. Keys over the limit
 * are also remembered here, so that a flood costs no queries. Others cannot lock out a person who signs in from an address
 * that they have used before.
 */
export class SignInLimit {
  readonly #pool: pg.Pool;
  readonly #clock: Clock;
  readonly #blockedUntil = new Map<string, number>();

  constructor(pool: pg.Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  /** Counts an attempt before it is made, so that parallel calls cannot pass the limit. Throws when there were too many. */
  async take(attempt: Attempt): Promise<void> {
    const now = this.#clock.now();
    const keys = keysOf(attempt);
    for (const kind of ['address', 'pair'] as const) this.#refuseBlocked(kind, keys[kind], now);
    const counted = await countAttempt(this.#pool, windowsOf(keys, now), new Date(now));
    for (const { key, attempts, windowEndsAt } of counted) {
      const kind = kindOf(keys, key);
      if (attempts <= limits[kind].attemptsMax) continue;
      if (kind === 'account' && (await hasLivingKey(this.#pool, keys.known, new Date(now)))) continue;
      if (kind !== 'account') this.#block(key, windowEndsAt.getTime());
      throw new SignInLimited(kind, windowEndsAt.getTime() - now);
    }
  }

  async succeeded(attempt: Attempt): Promise<void> {
    const now = this.#clock.now();
    const { known, ...counted } = keysOf(attempt);
    await uncountAttempt(this.#pool, Object.values(counted));
    await putKey(this.#pool, known, new Date(now + addressKnownMs));
    await deleteEndedWindows(this.#pool, new Date(now));
  }

  #refuseBlocked(kind: Kind, key: Buffer, now: number): void {
    const name = key.toString('latin1');
    const until = this.#blockedUntil.get(name);
    if (until === undefined) return;
    if (until > now) throw new SignInLimited(kind, until - now);
    this.#blockedUntil.delete(name);
  }

  #block(key: Buffer, until: number): void {
    const [oldest] = this.#blockedUntil.keys();
    if (this.#blockedUntil.size >= blockedMax && oldest !== undefined) this.#blockedUntil.delete(oldest);
    this.#blockedUntil.set(key.toString('latin1'), until);
  }
}

type Keys = Record<Kind | 'known', Buffer>;

/** Hashes, so that the table does not reveal who tried to sign in from where. */
function keysOf({ email, address }: Attempt): Keys {
  const network = networkOf(address);
  const key = (...parts: readonly string[]) => hash('sha256', parts.join('\n'), 'buffer');
  return {
    address: key('address', network),
    pair: key('pair', email, network),
    account: key('account', email),
    known: key('known', email, network),
  };
}

function windowsOf(keys: Keys, now: number): CountedKey[] {
  const kinds = Object.keys(limits) as Kind[];
  return kinds.map((kind) => ({ key: keys[kind], windowEndsAt: new Date(now + limits[kind].windowMs) }));
}

function kindOf(keys: Keys, key: Buffer): Kind {
  return (Object.keys(limits) as Kind[]).find((kind) => keys[kind].equals(key)) ?? 'address';
}

class TooMany extends Problem {
  constructor(waitMs: number) {
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    super('too_many_requests', `Too many attempts. Try again in ${seconds} seconds.`, {
      headers: { 'retry-after': String(seconds) },
    });
  }
}

/** Which limit was reached. The response does not tell. */
export class SignInLimited extends TooMany {
  readonly limit: Kind;

  constructor(limit: Kind, waitMs: number) {
    super(waitMs);
    this.limit = limit;
  }
}

export function tooMany(waitMs: number): Problem {
  return new TooMany(waitMs);
}

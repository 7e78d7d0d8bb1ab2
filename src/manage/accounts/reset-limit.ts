import { hash } from 'node:crypto';
import type pg from 'pg';
import { countAttempt } from '../../db/people/sign-in-attempts.ts';
import { networkOf } from '../../http/client-address.ts';
import { type Clock, hourMs, minuteMs } from '../../time/clock.ts';
import { tooMany } from './sign-in-limit.ts';

/** How often each is allowed in a window, per key that is counted. */
const limits = {
  /** Emails to one address, whether or not it has an account. */
  askedFor: { callsMax: 3, windowMs: hourMs },
  askedFrom: { callsMax: 20, windowMs: hourMs },
  usedFrom: { callsMax: 30, windowMs: minuteMs },
  madeBy: { callsMax: 30, windowMs: hourMs },
} as const;
type Kind = keyof typeof limits;

/** Limits how many reset links are requested, created or tried. Counted in the sign-in table under separate keys. */
export class ResetLimit {
  readonly #pool: pg.Pool;
  readonly #clock: Clock;

  constructor(pool: pg.Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  async asked(email: string, address: string): Promise<void> {
    await this.#take({ askedFrom: networkOf(address), askedFor: email });
  }

  async used(address: string): Promise<void> {
    await this.#take({ usedFrom: networkOf(address) });
  }

  async made(by: string): Promise<void> {
    await this.#take({ madeBy: by });
  }

  async #take(counted: Partial<Record<Kind, string>>): Promise<void> {
    const now = this.#clock.now();
    for (const [kind, who] of Object.entries(counted) as [Kind, string][]) {
      const { callsMax, windowMs } = limits[kind];
      const key = hash('sha256', ['reset', kind, who].join('\n'), 'buffer');
      const window = { key, windowEndsAt: new Date(now + windowMs) };
      const [count] = await countAttempt(this.#pool, [window], new Date(now));
      if (count !== undefined && count.attempts > callsMax) throw tooMany(count.windowEndsAt.getTime() - now);
    }
  }
}

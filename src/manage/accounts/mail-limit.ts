import { hash } from 'node:crypto';
import type pg from 'pg';
import { countAttempt, uncountAttempt } from '../../db/people/sign-in-attempts.ts';
import { type Clock, dayMs, hourMs } from '../../time/clock.ts';
import { Problem } from '../calls/problem.ts';

/** How many emails that one person has sent to another are sent in a day, by what they are counted under. */
const limits = {
  sender: { mailsMax: 50, text: 'You have sent 50 emails within 24 hours.' },
  /** Over all workspaces: whoever is written to does not care which of them it is. */
  address: { mailsMax: 5, text: 'This address gets no more emails for now.' },
  workspace: { mailsMax: 100, text: 'This workspace has sent 100 emails within 24 hours.' },
} as const;
type Kind = keyof typeof limits;

export interface CountedMail {
  /** Null for the operator key, which is nobody's. */
  readonly senderId: string | null;
  readonly address: string;
  /** Counted apart for an address: nobody can keep a new password from a person by inviting them. */
  readonly about: 'invitation' | 'password';
  /** Null when it is about no workspace. */
  readonly workspaceId: string | null;
}

/** Keeps people from having others flooded with emails. Counted in the table of sign-ins, so for all instances together. */
export class MailLimit {
  readonly #pool: pg.Pool;
  readonly #clock: Clock;

  constructor(pool: pg.Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  /** Counts an email before it is sent, so that many at once are counted as many. Throws when there were too many. */
  async take(mail: CountedMail): Promise<void> {
    const now = this.#clock.now();
    const keys = keysOf(mail);
    const windowEndsAt = new Date(now + dayMs);
    const windows = keys.map(([, key]) => ({ key, windowEndsAt }));
    const counted = await countAttempt(this.#pool, windows, new Date(now));
    for (const [kind, key] of keys) {
      const count = counted.find((one) => one.key.equals(key));
      if (count === undefined || count.attempts <= limits[kind].mailsMax) continue;
      // What is refused must not use up the limits of others.
      await uncountAttempt(
        this.#pool,
        keys.map(([, one]) => one),
      );
      throw tooManyMails(kind, count.windowEndsAt.getTime() - now);
    }
  }

  /** Whoever would have got it was not bothered. The sender's count stays, for the sake of the mail server. */
  async failed(mail: CountedMail): Promise<void> {
    const ofAddress = keysOf(mail).filter(([kind]) => kind === 'address');
    await uncountAttempt(
      this.#pool,
      ofAddress.map(([, key]) => key),
    );
  }
}

/** Hashes, so that the table tells nobody who was written to. */
function keysOf({ senderId, address, about, workspaceId }: CountedMail): [Kind, Buffer][] {
  const counted: Record<Kind, string | null> = {
    sender: senderId,
    address: `${about} ${mailboxOf(address)}`,
    workspace: workspaceId,
  };
  return (Object.entries(counted) as [Kind, string | null][])
    .filter((entry): entry is [Kind, string] => entry[1] !== null)
    .map(([kind, who]) => [kind, hash('sha256', ['mail', kind, who].join('\n'), 'buffer')]);
}

/** Without what may follow a plus sign: `ada+1@…` and `ada+2@…` arrive in one mailbox. */
function mailboxOf(address: string): string {
  return address.replace(/^([^+@]+)\+[^@]*@/, '$1@');
}

function tooManyMails(kind: Kind, waitMs: number): Problem {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const hours = Math.ceil(waitMs / hourMs);
  const wait = hours > 1 ? `${hours} hours` : 'an hour';
  return new Problem('too_many_requests', `${limits[kind].text} Try again in ${wait}.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

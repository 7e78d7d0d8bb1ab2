import { hash } from 'node:crypto';
import type pg from 'pg';
import { countAttempt, readAttempts, uncountAttempt } from '../../db/people/sign-in-attempts.ts';
import { type Clock, dayMs, hourMs } from '../../time/clock.ts';
import { Problem } from '../calls/problem.ts';

/** How many emails a day people can send to each other, by what is counted. */
const limits = {
  sender: { mailsMax: 50, text: 'You have sent 50 emails in 24 hours.' },
  /** Across all workspaces: recipients do not care which one the email comes from. */
  address: { mailsMax: 5, text: 'This address cannot receive more emails for now.' },
  workspace: { mailsMax: 100, text: 'This workspace has sent 100 emails in 24 hours.' },
} as const;
type Kind = keyof typeof limits;

export interface CountedMail {
  /** Null for the operator key, which belongs to no person. */
  readonly senderId: string | null;
  readonly address: string;
  /** Counted separately for an address, so that invitations cannot block a password reset link. */
  readonly about: 'invitation' | 'password' | 'recipient';
  /** Null if it concerns no workspace. */
  readonly workspaceId: string | null;
}

/** Keeps people from flooding others with emails. Counted in the sign-in table, so across all instances. */
export class MailLimit {
  readonly #pool: pg.Pool;
  readonly #clock: Clock;

  constructor(pool: pg.Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  /** Counts an email before it is sent, so that parallel calls cannot pass the limit. Throws when there were too many. */
  async take(mail: CountedMail): Promise<void> {
    const now = this.#clock.now();
    const keys = keysOf(mail);
    const windowEndsAt = new Date(now + dayMs);
    const windows = keys.map(([, key]) => ({ key, windowEndsAt }));
    const counted = await countAttempt(this.#pool, windows, new Date(now));
    for (const [kind, key] of keys) {
      const count = counted.find((one) => one.key.equals(key));
      if (count === undefined || count.attempts <= limits[kind].mailsMax) continue;
      // An email that is refused must not use up the other limits.
      await uncountAttempt(
        this.#pool,
        keys.map(([, one]) => one),
      );
      throw tooManyMails(kind, count.windowEndsAt.getTime() - now);
    }
  }

  /** Throws if not all of these could be sent now. Counts nothing: each is counted when it is sent. */
  async require(mails: readonly CountedMail[]): Promise<void> {
    const now = this.#clock.now();
    const keys = mails.flatMap(keysOf);
    const counted = await readAttempts(
      this.#pool,
      keys.map(([, key]) => key),
      new Date(now),
    );
    for (const [kind, key] of keys) {
      const window = counted.find((one) => one.key.equals(key));
      const wanted = keys.filter(([, one]) => one.equals(key)).length;
      if ((window?.attempts ?? 0) + wanted > limits[kind].mailsMax)
        throw tooManyMails(kind, (window?.windowEndsAt.getTime() ?? now + dayMs) - now);
    }
  }

  /** The recipient got nothing, so it does not count for them. It does for the sender, to protect the mail server. */
  async failed(mail: CountedMail): Promise<void> {
    const ofAddress = keysOf(mail).filter(([kind]) => kind === 'address');
    await uncountAttempt(
      this.#pool,
      ofAddress.map(([, key]) => key),
    );
  }
}

/** Hashes, so that the table does not reveal who received emails. */
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

/** Without the part after a plus sign: `ada+1@…` and `ada+2@…` share a mailbox. */
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

import { hash } from 'node:crypto';
import { countAttempt } from '../../../db/people/sign-in-attempts.ts';
import { networkOf } from '../../../http/client-address.ts';
import { minuteMs } from '../../../time/clock.ts';
import { tooMany } from '../../accounts/sign-in-limit.ts';
import type { ManagementDeps } from '../../deps.ts';

/** How many links a network can use a minute. The servers of an email provider unsubscribe for many people. */
const usesPerMinute = { page: 30, oneClick: 300 } as const;

/** Nobody can guess a link: this protects the database. Counted in the sign-in table, so across all instances. */
export async function countLinkUse(
  { pool, clock }: Pick<ManagementDeps, 'pool' | 'clock'>,
  where: keyof typeof usesPerMinute,
  address: string,
): Promise<void> {
  const now = clock.now();
  const key = hash('sha256', ['recipient link', where, networkOf(address)].join('\n'), 'buffer');
  const window = { key, windowEndsAt: new Date(now + minuteMs) };
  const [count] = await countAttempt(pool, [window], new Date(now));
  if (count !== undefined && count.attempts > usesPerMinute[where])
    throw tooMany(count.windowEndsAt.getTime() - now);
}

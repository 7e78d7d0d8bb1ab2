import { hash } from 'node:crypto';
import { findFormNames } from '../../db/forms/forms.ts';
import { countAttempt } from '../../db/people/sign-in-attempts.ts';
import type { Queryable } from '../../db/pool.ts';
import { urlRefusals } from '../../net/delivery/guard.ts';
import { hourMs, minuteMs, secondMs } from '../../time/clock.ts';
import { invalidInput, Problem } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';

export const destinationTestsPerMinute = 10;

/** Each test is a request to someone else's server. */
export function requireTestRate({ destinationTestRate, clock }: ManagementDeps, workspaceId: string): void {
  const now = clock.now();
  if (destinationTestRate.take(workspaceId, now)) return;
  const waitSeconds = Math.ceil((minuteMs - (now % minuteMs)) / secondMs);
  throw new Problem(
    'too_many_calls',
    `A workspace can send ${destinationTestsPerMinute} tests and checks a minute. Wait ${waitSeconds} s.`,
    { headers: { 'retry-after': String(waitSeconds) } },
  );
}

const emailTestsPerHour = 10;

/** Each goes to up to 20 people, through the mail server of everyone. Counted across all instances. */
export async function requireEmailTestRate(
  { pool, clock }: Pick<ManagementDeps, 'pool' | 'clock'>,
  workspaceId: string,
): Promise<void> {
  const now = clock.now();
  const key = hash('sha256', ['email test', workspaceId].join('\n'), 'buffer');
  const window = { key, windowEndsAt: new Date(now + hourMs) };
  const [count] = await countAttempt(pool, [window], new Date(now));
  if (count === undefined || count.attempts <= emailTestsPerHour) return;
  const waitSeconds = Math.max(1, Math.ceil((count.windowEndsAt.getTime() - now) / secondMs));
  throw new Problem(
    'too_many_calls',
    `A workspace can test emails ${emailTestsPerHour} times an hour. Wait ${Math.ceil(waitSeconds / 60)} minutes.`,
    { headers: { 'retry-after': String(waitSeconds) } },
  );
}

/** The same rules as when something is sent, so that an owner learns now what would fail every lead. */
export async function requireUrl({ deliveryHttp }: ManagementDeps, url: string): Promise<void> {
  const refusal = await deliveryHttp.refusal(url);
  if (refusal === null) return;
  throw invalidInput([{ field: 'url', message: urlRefusals[refusal].replace(/\.$/, '') }]);
}

export async function requireForms(
  db: Queryable,
  workspaceId: string,
  formIds: readonly string[] | null,
): Promise<void> {
  if (formIds === null) return;
  const found = new Set((await findFormNames(db, workspaceId, formIds)).map(({ id }) => id));
  const errors = [...formIds.entries()].filter(([, id]) => !found.has(id));
  if (errors.length === 0) return;
  throw invalidInput(
    errors.map(([place]) => ({ field: `form_ids[${place}]`, message: 'does not exist in this workspace' })),
  );
}

import { dayMs, hourMs } from '../../../time/clock.ts';
import { later, type Moment, spread, tryDelaysMs } from './schedule.ts';

/**
 * Whether a destination works. A receiver that is down gets one probe at a time instead of every delivery, and the
 * deliveries that wait meanwhile keep their tries.
 *
 *               10th failure in a row
 *      closed ─────────────────────────▶ open ──┐ a probe fails: the next one follows
 *        ▲  ▲                             │ ▲   │ after the next step of the schedule
 *        │  └─────────────────────────────┘ └───┘
 *        │        any success               │
 *        │                                  │ a probe fails, five days after the first failure
 *        └──────── an owner enables it ──── disabled (`failing`)
 *
 *   closed    `openedAt` is null. Deliveries are sent as they become due. `consecutiveFailures` is below 10.
 *   open      One delivery is sent at `nextProbeAt`, and no other until its outcome is known. Then `consecutiveFailures` is 10
 *             and one more for each failed probe, so it says which step of the schedule follows. Requests that were under way
 *             when the circuit opened change nothing if they fail: they come before `nextProbeAt`.
 *
 * In both, `failingSince` is the first failure since the last success, and null without one. Owners are told after an hour
 * and a day, and when the destination is disabled; `emailsSent` says how much of this they know.
 */
export interface DestinationHealth {
  readonly consecutiveFailures: number;
  readonly openedAt: Date | null;
  readonly nextProbeAt: Date | null;
  readonly failingSince: Date | null;
  readonly emailsSent: number;
}

export const healthy: DestinationHealth = {
  consecutiveFailures: 0,
  openedAt: null,
  nextProbeAt: null,
  failingSince: null,
  emailsSent: 0,
};

export const failuresToOpen = 10;
const disabledAfterMs = 5 * dayMs;

/** After a delivery or a probe. A 410 is neither: it disables the destination. */
export function afterSuccess(): DestinationHealth {
  return healthy;
}

export function afterFailure(health: DestinationHealth, moment: Moment): DestinationHealth {
  const { openedAt, nextProbeAt } = health;
  if (openedAt !== null && nextProbeAt !== null && moment.now < nextProbeAt) return health;
  const consecutiveFailures = health.consecutiveFailures + 1;
  const failing = { ...health, consecutiveFailures, failingSince: health.failingSince ?? moment.now };
  if (consecutiveFailures < failuresToOpen) return failing;
  return {
    ...failing,
    openedAt: openedAt ?? moment.now,
    nextProbeAt: probeAfter(consecutiveFailures, moment),
  };
}

/** The first probe follows after the second step of the schedule: the first is immediate. */
function probeAfter(consecutiveFailures: number, moment: Moment): Date {
  const step = Math.min(consecutiveFailures - failuresToOpen + 1, tryDelaysMs.length - 1);
  return later(moment, spread(tryDelaysMs[step] ?? dayMs, moment));
}

/** `all` that are due, one `probe`, or `none` before `nextProbeAt`. */
export function allowedBy({ openedAt, nextProbeAt }: DestinationHealth, now: Date): 'all' | 'probe' | 'none' {
  if (openedAt === null) return 'all';
  return nextProbeAt === null || now >= nextProbeAt ? 'probe' : 'none';
}

/** Asked after a failure, so that a destination without deliveries is left alone. */
export function isToBeDisabled({ openedAt, failingSince }: DestinationHealth, now: Date): boolean {
  return openedAt !== null && failingMs(failingSince, now) >= disabledAfterMs;
}

/** What owners are told, and after how long. The last one says that the destination is disabled. */
export const failureEmails = ['hour', 'day', 'disabled'] as const;
export type FailureEmail = (typeof failureEmails)[number];
const emailsAfterMs = { hour: hourMs, day: dayMs } satisfies Partial<Record<FailureEmail, number>>;
/** A lead that was erased after its first failed try is no reason for an email. */
const failuresToTell = 3;

/** The email that is due, and the state once it is sent. Of several that are due, only the last is sent. */
export function emailDue(
  health: DestinationHealth,
  now: Date,
): { readonly email: FailureEmail; readonly after: DestinationHealth } | null {
  if (health.consecutiveFailures < failuresToTell) return null;
  const failing = failingMs(health.failingSince, now);
  const isDue = (email: FailureEmail) =>
    email === 'disabled' ? isToBeDisabled(health, now) : failing >= emailsAfterMs[email];
  const email = failureEmails.findLast(isDue);
  if (email === undefined) return null;
  const emailsSent = failureEmails.indexOf(email) + 1;
  return emailsSent <= health.emailsSent ? null : { email, after: { ...health, emailsSent } };
}

function failingMs(since: Date | null, now: Date): number {
  return since === null ? 0 : now.getTime() - since.getTime();
}

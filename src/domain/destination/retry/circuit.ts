import { dayMs } from '../../../time/clock.ts';
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
 * In both, `failingSince` is the first failure since the last success, and null without one.
 */
export interface DestinationHealth {
  readonly consecutiveFailures: number;
  readonly openedAt: Date | null;
  readonly nextProbeAt: Date | null;
  readonly failingSince: Date | null;
}

export const healthy: DestinationHealth = {
  consecutiveFailures: 0,
  openedAt: null,
  nextProbeAt: null,
  failingSince: null,
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

function failingMs(since: Date | null, now: Date): number {
  return since === null ? 0 : now.getTime() - since.getTime();
}

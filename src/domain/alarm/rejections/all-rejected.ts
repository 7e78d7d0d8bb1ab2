import { dayMs } from '../../../time/clock.ts';

export const allRejectedMinutes = 30;
const rejectedMin = 5;
const acceptedBeforeMsMax = 30 * dayMs;
export const allRejectedOverMs = dayMs;

/** Limits, suspensions and senders that are not supported have their own alarms. */
export function isToldElsewhere(reason: string): boolean {
  return toldElsewhere.has(reason);
}

const toldElsewhere = new Set([
  'rate_limited_minute',
  'rate_limited_day',
  'workspace_suspended',
  'sender_unsupported',
]);

export interface RejectedSource {
  /** Of senders that had proven who they are. */
  readonly proven: number;
  readonly accepted: number;
}

export function mayBeAllRejected({ proven, accepted }: RejectedSource): boolean {
  return proven >= rejectedMin && accepted === 0;
}

/** A source that has never worked is being set up. */
export function hasWorked(lastAcceptedAt: Date | null, now: Date): lastAcceptedAt is Date {
  return lastAcceptedAt !== null && now.getTime() - lastAcceptedAt.getTime() <= acceptedBeforeMsMax;
}

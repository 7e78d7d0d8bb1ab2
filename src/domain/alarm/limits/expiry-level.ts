import { dayMs } from '../../../time/clock.ts';

/** Days before the end at which someone is told, the last first. */
const levels = [1, 3, 14] as const;
export type ExpiryLevel = (typeof levels)[number];

const usedWithinMs = 30 * dayMs;
const replacedUsedWithinMs = dayMs;
/** Longer: a sender that comes about once a day would otherwise raise a new alarm each time. */
const toldUsedWithinMs = 3 * dayMs;

export interface TokenLife {
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/**
 * Null if it ends later, or has ended. Nobody is told in the first half of its life: anyone who creates a token for a week knows
 * that it soon expires.
 */
export function expiryLevel({ createdAt, expiresAt }: TokenLife, now: Date): ExpiryLevel | null {
  const leftMs = expiresAt.getTime() - now.getTime();
  const livedMs = now.getTime() - createdAt.getTime();
  if (leftMs <= 0 || livedMs < leftMs) return null;
  return levels.find((days) => leftMs <= days * dayMs) ?? null;
}

export interface TokenUse {
  readonly lastUsedAt: Date | null;
  /** When its successor was created; null without one. */
  readonly replacedAt: Date | null;
  /** Whether an alarm says so already. */
  readonly isTold: boolean;
}

/** Whether leads would be missing. A token that was replaced is missed only if it was used since, and lately. */
export function isStillUsed({ lastUsedAt, replacedAt, isTold }: TokenUse, now: Date): boolean {
  if (lastUsedAt === null) return false;
  const agoMs = now.getTime() - lastUsedAt.getTime();
  if (replacedAt === null) return agoMs <= usedWithinMs;
  return agoMs <= (isTold ? toldUsedWithinMs : replacedUsedWithinMs) && lastUsedAt > replacedAt;
}

import { dayMs } from '../../time/clock.ts';
import { rejectionReasons } from '../rejection.ts';

/** How a token is doing, the most urgent first: the first that applies is shown. */
export const tokenHealths = [
  'revoked',
  'expired',
  'expires_soon',
  'rate_limited',
  'elevated_rejections',
  'idle',
  'healthy',
] as const;
export type TokenHealth = (typeof tokenHealths)[number];

/** Traffic is that of the last 24 hours. */
export const healthThresholds = {
  /** Long enough to move a sender to another token in working hours; a day would be over after a weekend. */
  expiresSoonDays: 7,
  /** Each is a lead that the sender believes to be accepted. */
  rateLimitedMin: 1,
  /** Rejections other than by a rate limit: this many, and this percentage of all requests. Or all of them. */
  rejectedMin: 5,
  rejectedPercentMin: 10,
  idleDays: 7,
  /** After this time without use, it is better revoked. */
  unusedDays: 30,
} as const;

export interface TokenFacts {
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** The successor after a rotation. */
  readonly replacedBy: string | null;
}

/** Requests with a token. */
export interface TokenCounts {
  readonly accepted: number;
  readonly rateLimited: number;
  readonly other: number;
  /** The most frequent reason of the other rejections. */
  readonly reason: string | null;
}

export interface HealthAndAdvice {
  readonly health: TokenHealth;
  /** What to do, in a sentence. */
  readonly advice: string;
}

/** Without counts, only by its dates. */
export function tokenHealth(token: TokenFacts, counts: TokenCounts | null, now: number): HealthAndAdvice {
  const health = healthOf(token, counts, now);
  return { health, advice: adviceOn(health, token, counts, now) };
}

function healthOf({ revokedAt, expiresAt, lastUsedAt }: TokenFacts, counts: TokenCounts | null, now: number) {
  const { expiresSoonDays, rateLimitedMin, idleDays } = healthThresholds;
  if (revokedAt !== null) return 'revoked';
  const leftMs = expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt.getTime() - now;
  if (leftMs <= 0) return 'expired';
  if (leftMs < expiresSoonDays * dayMs) return 'expires_soon';
  if (counts !== null && counts.rateLimited >= rateLimitedMin) return 'rate_limited';
  if (counts !== null && isRejectedOften(counts)) return 'elevated_rejections';
  // Traffic and last use are read one after the other, so one may be ahead.
  if (counts !== null && counts.accepted > 0) return 'healthy';
  if (lastUsedAt === null || now - lastUsedAt.getTime() >= idleDays * dayMs) return 'idle';
  return 'healthy';
}

function isRejectedOften({ accepted, rateLimited, other }: TokenCounts): boolean {
  const { rejectedMin, rejectedPercentMin } = healthThresholds;
  if (other > 0 && accepted === 0) return true;
  return other >= rejectedMin && other * 100 >= rejectedPercentMin * (accepted + rateLimited + other);
}

function adviceOn(
  health: TokenHealth,
  { createdAt, lastUsedAt, replacedBy }: TokenFacts,
  counts: TokenCounts | null,
  now: number,
): string {
  const isReplaced = replacedBy !== null;
  switch (health) {
    case 'revoked':
    case 'expired':
      return isReplaced
        ? 'It was rotated: use its replacement.'
        : 'Requests with it are rejected. If something still needs it, create a new token.';
    case 'expires_soon':
      return isReplaced
        ? 'It was rotated: move its senders to the replacement before it ends.'
        : 'Rotate it and move its senders to the new token before it expires.';
    case 'rate_limited':
      return 'Leads were rejected by a rate limit: make the sender slower, or ask it to send them again.';
    case 'elevated_rejections':
      return fixOf(counts?.reason ?? null);
    case 'idle': {
      const days = Math.floor((now - (lastUsedAt ?? createdAt).getTime()) / dayMs);
      if (days >= healthThresholds.unusedDays)
        return `It was not used for ${days} days: revoke it if nothing needs it.`;
      return lastUsedAt === null
        ? 'Put it in your backend and send a lead.'
        : `No lead was accepted for ${days} days: check that its sender still runs.`;
    }
    case 'healthy':
      return 'Nothing to do.';
  }
}

function fixOf(reason: string | null): string {
  const row = rejectionReasons.find(({ code }) => code === reason);
  return row === undefined
    ? 'Many requests are rejected: open its log to see why.'
    : `Most rejections have the reason ${row.code}. ${row.fix}`;
}

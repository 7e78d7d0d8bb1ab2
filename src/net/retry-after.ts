import { hourMs, secondMs } from '../time/clock.ts';

// Nobody can make us wait longer than our own last retry would.
const afterMsMax = 6 * hourMs;

/** How long a server asks us to wait, given in seconds or as a date (RFC 9110, 10.2.3). */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * secondMs : Date.parse(text) - now.getTime();
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, afterMsMax) : null;
}

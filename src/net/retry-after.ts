import { hourMs, secondMs } from '../time/clock.ts';

// Nobody can make enrichment wait longer than its own last retry would.
const enrichmentMsMax = 6 * hourMs;

// Date.parse also finds a date in "call 2099".
const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w -]+\d\d:\d\d:\d\d(?: \d{4}| GMT)$/;

/** How long a server asks us to wait, given in seconds or as a date (RFC 9110, 10.2.3). */
export function retryAfterMs(
  header: string | undefined,
  now: Date,
  msMax: number = enrichmentMsMax,
): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * secondMs : dateOf(text) - now.getTime();
  return ms > 0 ? Math.min(ms, msMax) : null;
}

function dateOf(text: string): number {
  if (!httpDate.test(text)) return Number.NaN;
  // The oldest form has no time zone, but means the same.
  return Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
}

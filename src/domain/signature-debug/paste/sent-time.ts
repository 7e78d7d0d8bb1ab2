import { type DebugRequest, headerValue } from '../request.ts';

const hasZone = /(?:GMT|UTC|Z|[+-]\d\d:?\d\d)$/i;

interface JudgedTime {
  readonly at: number;
  readonly judgedBy: 'received_at' | 'date_header' | 'now';
}

/** A pasted request is checked as of when it was sent, as far as that is known. */
export function judgedTime(given: number | undefined, request: DebugRequest, now: number): JudgedTime {
  if (given !== undefined) return { at: given, judgedBy: 'received_at' };
  const sent = dateHeader(request);
  // A time in the future shows that the sender's clock is wrong. Comparing its timestamp to the same clock would hide that.
  return sent === null || sent > now ? { at: now, judgedBy: 'now' } : { at: sent, judgedBy: 'date_header' };
}

function dateHeader({ whole }: DebugRequest): number | null {
  const text = headerValue(whole?.headers ?? [], 'Date') ?? '';
  const time = hasZone.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

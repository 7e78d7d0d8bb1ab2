import type { DiagnosticsQuery } from '../../contract/diagnostics.ts';
import type { DiagnosticsFilter } from '../../db/diagnostics/diagnostics.ts';
import { rejectionReasons } from '../../domain/rejection.ts';
import { dayMs, hourMs, minuteMs } from '../../time/clock.ts';
import { type TimeRange, timeRange } from '../calls/time-range.ts';

// A range that ends now grows by the time that the request took to get here.
const travelMs = minuteMs;
export const requestSearchDays = 366;

export function diagnosticsFilter(query: DiagnosticsQuery, now: number): DiagnosticsFilter {
  const { surface, form_id: formId, token_id: tokenId, request_id: requestId } = query;
  const range = timeRange(query, now, requestId === undefined ? 1 : requestSearchDays);
  return { ...range, surface, formId, tokenId, requestId, outcomes: outcomesOf(query) };
}

/** The outcomes that match all three filters. Undefined, which includes 'accepted', if none is set. */
function outcomesOf({ reason, category, severity }: DiagnosticsQuery): string[] | undefined {
  if (reason === undefined && category === undefined && severity === undefined) return undefined;
  return rejectionReasons
    .filter(
      (row) =>
        (reason?.includes(row.code) ?? true) &&
        (category ?? row.category) === row.category &&
        (severity ?? row.severity) === row.severity,
    )
    .map((row) => row.code);
}

/** A minute, an hour or a day. */
export function bucketLength({ from, to }: TimeRange): number {
  const length = to.getTime() - from.getTime();
  if (length <= 3 * hourMs + travelMs) return minuteMs;
  return length <= 7 * dayMs + travelMs ? hourMs : dayMs;
}

/** The starts of all buckets that the range touches. */
export function bucketStarts({ from, to }: TimeRange, bucketMs: number): number[] {
  const first = Math.floor(from.getTime() / bucketMs);
  const end = Math.ceil(to.getTime() / bucketMs);
  return Array.from({ length: end - first }, (_, place) => (first + place) * bucketMs);
}

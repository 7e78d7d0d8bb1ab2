import type { Diagnostics, DiagnosticsQuery, ReasonCount, Totals } from '../../contract/diagnostics.ts';
import * as contract from '../../contract/diagnostics.ts';
import {
  countOutcomes,
  countRejections,
  type DiagnosticsFilter,
  listNotes,
  listRejections,
  type NoteRecord,
  type OutcomeTotal,
  type RejectionRecord,
} from '../../db/diagnostics/diagnostics.ts';
import { type RejectionReason, rejectionCategory, rejectionReasons } from '../../domain/rejection.ts';
import { dayMs, hourMs, minuteMs } from '../../time/clock.ts';
import { page } from '../calls/page.ts';
import { route } from '../calls/route.ts';
import { type TimeRange, timeRange } from '../calls/time-range.ts';
import { mostFrequentFirst, viewReasonCount } from './reason-counts.ts';

const notesMax = 50;
// A range that ends now grows by the time that the request took to get here.
const travelMs = minuteMs;
const requestSearchDays = 366;

export const diagnosticsRoutes = [
  route(contract.readDiagnostics, async ({ params, query }, { pool, clock }) => {
    const workspaceId = params.workspace_id;
    const filter = diagnosticsFilter(query, clock.now());
    const bucketMs = bucketLength(filter);
    const count = query.request_id === undefined ? countOutcomes : countRejections;
    const [counts, entries, notes] = await Promise.all([
      count(pool, workspaceId, filter, bucketMs),
      page(query, {
        fetch: (request) => listRejections(pool, workspaceId, filter, request),
        position: ({ at, id }) => ({ at, id }),
        view: viewRejection,
      }),
      listNotes(pool, workspaceId, filter, notesMax),
    ]);
    const series = seriesOf(counts, filter, bucketMs);
    return {
      totals: totalsOf(counts),
      series,
      by_reason: byReason(counts),
      ...entries,
      notes: notes.map(viewNote),
    };
  }),
];

function diagnosticsFilter(query: DiagnosticsQuery, now: number): DiagnosticsFilter {
  const { surface, form_id: formId, token_id: tokenId, request_id: requestId } = query;
  const range = timeRange(query, now, requestId === undefined ? 1 : requestSearchDays);
  return { ...range, surface, formId, tokenId, requestId, outcomes: outcomesOf(query) };
}

/** The outcomes that match both filters. Undefined, which includes 'accepted', if neither is set. */
function outcomesOf({ reason, category }: DiagnosticsQuery): string[] | undefined {
  if (reason === undefined && category === undefined) return undefined;
  return rejectionReasons
    .filter((row) => (reason ?? row.code) === row.code && (category ?? row.category) === row.category)
    .map((row) => row.code);
}

function bucketLength({ from, to }: TimeRange): number {
  const length = to.getTime() - from.getTime();
  if (length <= 3 * hourMs + travelMs) return minuteMs;
  return length <= 7 * dayMs + travelMs ? hourMs : dayMs;
}

function totalsOf(counts: readonly OutcomeTotal[]): Totals {
  const totals = { accepted: 0, rate_limited: 0, other: 0 };
  for (const { outcome, count } of counts) totals[kindOf(outcome)] += count;
  return totals;
}

function kindOf(outcome: string): keyof Totals {
  if (outcome === 'accepted') return 'accepted';
  return rejectionCategory(outcome as RejectionReason) === 'rate_limit' ? 'rate_limited' : 'other';
}

function seriesOf(counts: readonly OutcomeTotal[], { from, to }: TimeRange, bucketMs: number) {
  const byBucket = Map.groupBy(counts, ({ at }) => at.getTime());
  const series: Diagnostics['series'] = [];
  for (let at = Math.floor(from.getTime() / bucketMs) * bucketMs; at < to.getTime(); at += bucketMs) {
    series.push({ at: new Date(at).toISOString(), ...totalsOf(byBucket.get(at) ?? []) });
  }
  return series;
}

function byReason(counts: readonly OutcomeTotal[]): ReasonCount[] {
  const rejected = counts.filter(({ outcome }) => outcome !== 'accepted');
  const reasons = Map.groupBy(rejected, ({ outcome }) => outcome);
  return [...reasons]
    .map(([reason, buckets]) => viewReasonCount(reason, sumOf(buckets)))
    .sort(mostFrequentFirst);
}

function sumOf(buckets: readonly OutcomeTotal[]) {
  const count = buckets.reduce((sum, bucket) => sum + bucket.count, 0);
  const lastAt = new Date(Math.max(...buckets.map((bucket) => bucket.lastAt.getTime())));
  return { count, lastAt };
}

function viewRejection(record: RejectionRecord): Diagnostics['items'][number] {
  const reason = record.reason as RejectionReason;
  return { ...viewRequest(record), reason, category: rejectionCategory(reason), detail: record.detail };
}

function viewNote(record: NoteRecord): Diagnostics['notes'][number] {
  return { ...viewRequest(record), kind: record.kind, submission_id: record.submissionId };
}

function viewRequest({ id, at, surface, formId, tokenId, requestId }: RejectionRecord | NoteRecord) {
  return { id, at: at.toISOString(), surface, form_id: formId, token_id: tokenId, request_id: requestId };
}

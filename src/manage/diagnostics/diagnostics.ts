import type { Diagnostics, Totals } from '../../contract/diagnostics.ts';
import * as contract from '../../contract/diagnostics.ts';
import {
  countEntries,
  countOutcomes,
  countRejections,
  type DiagnosticsFilter,
  listNotes,
  listRejections,
  type NoteRecord,
  type OutcomeTotal,
  type RejectionRecord,
} from '../../db/diagnostics/diagnostics.ts';
import { readHandlingTimes } from '../../db/diagnostics/handling-times.ts';
import { countHeldWithin, findHeldAmong } from '../../db/held/held-counts.ts';
import type { PageRequest } from '../../db/keyset.ts';
import type { Queryable } from '../../db/pool.ts';
import { handlingQuantile } from '../../domain/diagnostics/handling-times.ts';
import { rejectionSentence } from '../../domain/rejection/sentences.ts';
import { describeReason, type RejectionReason, rejectionCategory } from '../../domain/rejection.ts';
import { page } from '../calls/page.ts';
import { route } from '../calls/route.ts';
import type { TimeRange } from '../calls/time-range.ts';
import { bucketLength, bucketStarts, diagnosticsFilter } from './filter.ts';
import { mostFrequentFirst, viewReasonCount } from './reason-counts.ts';

const notesMax = 50;

export const diagnosticsRoutes = [
  route(contract.readDiagnostics, async ({ params, query }, { pool, clock }) => {
    const workspaceId = params.workspace_id;
    const now = new Date(clock.now());
    const filter = diagnosticsFilter(query, now.getTime());
    const bucketMs = bucketLength(filter);
    const isSearch = query.request_id !== undefined;
    const [counts, held, entries, notes, times] = await Promise.all([
      (isSearch ? countRejections : countOutcomes)(pool, workspaceId, filter, bucketMs),
      countHeldWithin(pool, workspaceId, filter, now),
      page(query, {
        fetch: (request) => listWithHeld(pool, workspaceId, filter, now, request),
        position: ({ at, id }) => ({ at, id }),
        view: viewRejection,
      }),
      listNotes(pool, workspaceId, filter, notesMax),
      readHandlingTimes(pool, workspaceId, filter.from, filter.to),
    ]);
    const series = seriesOf(counts, filter, bucketMs);
    const totals = totalsOf(counts);
    // Read last, so that what is written meanwhile does not seem to be only counted.
    const entryCount = isSearch ? Number.POSITIVE_INFINITY : await countEntries(pool, workspaceId, filter);
    return {
      totals,
      only_counted: Math.max(0, totals.rate_limited + totals.other - entryCount),
      handling: viewHandling(times),
      series,
      by_reason: byReason(counts, held),
      ...entries,
      notes: notes.map(viewNote),
    };
  }),
];

function viewHandling(times: readonly number[]): Diagnostics['handling'] {
  return {
    count: times.reduce((sum, count) => sum + count, 0),
    p50_ms: handlingQuantile(times, 0.5),
    p95_ms: handlingQuantile(times, 0.95),
  };
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

function seriesOf(
  counts: readonly OutcomeTotal[],
  range: TimeRange,
  bucketMs: number,
): Diagnostics['series'] {
  const byBucket = Map.groupBy(counts, ({ at }) => at.getTime());
  return bucketStarts(range, bucketMs).map((at) => ({
    at: new Date(at).toISOString(),
    ...totalsOf(byBucket.get(at) ?? []),
  }));
}

function byReason(
  counts: readonly OutcomeTotal[],
  held: ReadonlyMap<string, number>,
): Diagnostics['by_reason'] {
  const rejected = counts.filter(({ outcome }) => outcome !== 'accepted');
  const reasons = Map.groupBy(rejected, ({ outcome }) => outcome);
  return [...reasons]
    .map(([reason, buckets]) => ({ ...viewReasonCount(reason, sumOf(buckets)), held: held.get(reason) ?? 0 }))
    .sort(mostFrequentFirst);
}

function sumOf(buckets: readonly OutcomeTotal[]) {
  const count = buckets.reduce((sum, bucket) => sum + bucket.count, 0);
  const lastAt = new Date(Math.max(...buckets.map((bucket) => bucket.lastAt.getTime())));
  return { count, lastAt };
}

export interface WithHeld extends RejectionRecord {
  readonly isHeld: boolean;
}

async function listWithHeld(
  db: Queryable,
  workspaceId: string,
  filter: DiagnosticsFilter,
  now: Date,
  request: PageRequest,
): Promise<WithHeld[]> {
  const rows = await listRejections(db, workspaceId, filter, request);
  const ids = rows.map(({ id }) => id);
  const held = await findHeldAmong(db, workspaceId, ids, now);
  return rows.map((row) => ({ ...row, isHeld: held.has(row.id) }));
}

export function viewRejection(record: WithHeld): Diagnostics['items'][number] {
  const { isHeld: is_held, detail } = record;
  const { reason, category, severity, anchor } = describeReason(record.reason);
  const sentence = rejectionSentence(reason, { detail });
  return { ...viewRequest(record), reason, category, severity, anchor, sentence, is_held, detail };
}

function viewNote(record: NoteRecord): Diagnostics['notes'][number] {
  return { ...viewRequest(record), kind: record.kind, submission_id: record.submissionId };
}

function viewRequest({ id, at, surface, formId, tokenId, requestId }: RejectionRecord | NoteRecord) {
  return { id, at: at.toISOString(), surface, form_id: formId, token_id: tokenId, request_id: requestId };
}

import { z } from 'zod';
import { diagnosticNoteKinds } from '../domain/diagnostic-note.ts';
import {
  type RejectionCategory,
  type RejectionReason,
  rejectionReasons,
  severities,
} from '../domain/rejection.ts';
import { surfaces } from '../domain/surface.ts';
import { call, page } from './call.ts';
import { id, pageOf, pageQuery, strict, time, timeInput } from './shape.ts';

const reasonCodes = rejectionReasons.map(({ code }) => code) as [RejectionReason, ...RejectionReason[]];
export const reason = z.enum(reasonCodes);
const category = z.enum({ rate_limit: 'rate_limit', other: 'other' } satisfies {
  [C in RejectionCategory]: C;
});
const severity = z
  .enum(severities)
  .describe(
    '`error`: dropped; `warning`: kept but altered; `info`: dropped on purpose, by a setting or a limit.',
  );
const anchor = z.string().describe('Its section of /docs/rejection-reasons.');
export const surface = z.enum(surfaces);
export const count = z.int().min(0);

export const range = {
  from: timeInput.optional().describe('Default: 24 hours before `to`.'),
  to: timeInput.optional().describe('Default: now.'),
};

const anyOfReasons = z
  .string()
  .transform((text) => [...new Set(text.split(','))])
  .pipe(z.array(reason).min(1));

export const diagnosticsFilters = {
  ...range,
  surface: surface.optional().describe('Rejections on this surface only.'),
  reason: anyOfReasons
    .optional()
    .describe('Rejections for this reason only, or for any of several, separated by commas.'),
  category: category.optional().describe('Rate limit rejections, or all others.'),
  severity: severity.optional().describe('Rejections of this severity only.'),
  form_id: id.optional().describe('Requests to this form only.'),
  token_id: id.optional().describe('Requests with this ingest token only.'),
  request_id: id
    .optional()
    .describe('The X-Request-Id of a response. Without `from`, the search covers a year.'),
};

const diagnosticsQuery = strict({ ...diagnosticsFilters, ...pageQuery });

export const unattributedQuery = strict({
  ...range,
  request_id: id
    .optional()
    .describe(
      'The X-Request-Id of a response: finds it among the last 50,000 rejections without a workspace. Without `from`, the search covers a year.',
    ),
});

/** Accepted submissions, and two kinds of rejections that are never added together. */
const totals = z.object({ accepted: count, rate_limited: count, other: count });

export const reasonCount = z.object({
  reason,
  category,
  severity,
  anchor,
  text: z.string(),
  fix: z.string(),
  count,
  last_at: time,
});
const heldReasonCount = reasonCount.extend({
  held: count.describe('How many of them are held now, and may still become leads.'),
});

export const rejectionEntry = z
  .object({
    id,
    at: time,
    surface,
    reason,
    category,
    severity,
    anchor,
    sentence: z.string().describe('What happened, with the values of this request.'),
    form_id: id.nullable(),
    token_id: id.nullable(),
    request_id: id,
    is_held: z.boolean().describe('Whether it is held, under the same ID.'),
    detail: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Rejection' });

const diagnosticNote = z
  .object({
    id,
    at: time,
    surface,
    kind: z.enum(diagnosticNoteKinds),
    form_id: id.nullable(),
    token_id: id.nullable(),
    request_id: id,
    submission_id: id,
  })
  .meta({ id: 'DiagnosticNote' });

const milliseconds = z.number().min(0).nullable();

const handling = z
  .object({ count, p50_ms: milliseconds, p95_ms: milliseconds })
  .describe(
    'How long half and 95 % of the requests of the workspace took at most, from their headers to our response: about, and whatever the filters other than the time. Null without requests.',
  );

const diagnostics = pageOf(rejectionEntry)
  .extend({
    totals,
    only_counted: count.describe(
      'How many rejections of `totals` are not among the entries: beyond the limit of a day, or older than 30 days.',
    ),
    handling,
    series: z
      .array(totals.extend({ at: time }))
      .describe('One entry per minute, hour or day, depending on the length of the range, without gaps.'),
    by_reason: z.array(heldReasonCount),
    notes: z.array(diagnosticNote).describe('Accepted submissions that may need attention, newest first.'),
  })
  .meta({ id: 'Diagnostics' });

export const unattributed = z
  .object({ total: count, items: z.array(reasonCount.extend({ surface })) })
  .meta({ id: 'UnattributedRejections' });

export type Unattributed = z.output<typeof unattributed>;
export type Totals = z.output<typeof totals>;
export type Diagnostics = z.output<typeof diagnostics>;
/** As sent. */
export type DiagnosticsInput = z.input<typeof diagnosticsQuery>;
const filtersAsRead = z.object(diagnosticsFilters);
export type DiagnosticsQuery = z.output<typeof filtersAsRead>;
export type ReasonCount = z.output<typeof reasonCount>;

export const readDiagnostics = call({
  method: 'get',
  path: '/workspaces/:workspace_id/diagnostics',
  tag: 'Diagnostics',
  summary: 'Read diagnostics',
  operation: 'seeWhatWasAcceptedAndWhySubmissionsWereRejected',
  description:
    'What was accepted, and why submissions were rejected. Counts are exact; up to 20,000 rejections a day and workspace have an entry, and `only_counted` says how many have none.',
  access: { by: 'owner', scope: 'diagnostics:read' },
  expensive: 'call',
  query: diagnosticsQuery,
  answer: page(diagnostics),
});

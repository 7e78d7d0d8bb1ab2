import { z } from 'zod';
import { verdicts } from '../../domain/score/score.ts';
import { call, json } from '../call.ts';
import { reason, rejectionEntry } from '../diagnostics.ts';
import { id, time } from '../shape.ts';

const count = z.int().min(0);
const keptStates = ['held', 'admitted', 'discarded', 'not_kept'] as const;

const rejectedRequest = rejectionEntry
  .extend({
    text: z.string().describe('What the reason means.'),
    fix: z.string(),
    docs_path: z.string().describe('The section of the documentation about the reason.'),
    form_name: z.string().nullable(),
    token_name: z.string().nullable(),
    kept: z.enum(keptStates).describe('What became of its content.'),
    kept_text: z.string().describe('The same in words, and why nothing was kept.'),
    is_admissible: z.boolean().describe('Whether it can become a lead.'),
    can_dry_run: z.boolean().describe('Whether a dry run can say what would happen to it now.'),
    occurrences: z
      .object({ last_24_hours: count, last_7_days: count, last_at: time.nullable() })
      .describe('Of the same reason, with the same form and token.'),
    response: z
      .object({
        status: z.int(),
        headers: z.array(z.object({ name: z.string(), value: z.string() })),
        body: z.string(),
      })
      .describe('What the sender saw.'),
  })
  .meta({ id: 'RejectedRequest' });

const dryRun = z
  .object({
    outcome: z.enum(['accepted', 'duplicate', 'rejected']),
    reason: reason.nullable().describe('Why it would be rejected.'),
    text: z.string().describe('The outcome in a sentence.'),
    score: z.int().nullable(),
    grade: z.string().nullable(),
    verdict: z.enum(verdicts).nullable(),
    submission_id: id.nullable().describe('Of the lead that has its idempotency key.'),
  })
  .meta({ id: 'RejectedRequestDryRun' });

export type RejectedRequest = z.output<typeof rejectedRequest>;
export type RejectedRequestDryRun = z.output<typeof dryRun>;

const tag = 'Diagnostics';

export const readRejectedRequest = call({
  method: 'get',
  path: '/workspaces/:workspace_id/rejections/:rejection_id',
  tag,
  summary: 'Read a rejected request',
  description: [
    'Why it was rejected, how often that occurred, what was kept of it, and what the sender saw. Its headers and body are part of',
    'the held submission with the same ID.',
  ].join(' '),
  access: { by: 'owner', scope: 'diagnostics:read' },
  expensive: 'call',
  answer: json(200, rejectedRequest),
});

export const dryRunRejectedRequest = call({
  method: 'post',
  path: '/workspaces/:workspace_id/rejections/:rejection_id/dry-run',
  tag,
  summary: 'Try a rejected request again as a dry run',
  description: [
    'Runs the present checks and scoring over the bytes that were kept, as if the sender had just sent them. Nothing is stored or',
    'counted, and no limit is used. Only for requests whose sender was authenticated, and not if a token, a signature or a',
    'rate limit was the reason.',
  ].join(' '),
  access: { by: 'owner', scope: 'held:decide' },
  expensive: 'call',
  answer: json(200, dryRun),
  problems: ['request_not_kept'],
});

export const rejectedRequestCalls = [readRejectedRequest, dryRunRejectedRequest] as const;

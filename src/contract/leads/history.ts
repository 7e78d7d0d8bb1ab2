import { z } from 'zod';
import { enrichmentStatuses, providerOutcomes } from '../../domain/enrichment/vocabulary.ts';
import { reason } from '../diagnostics.ts';
import { verdict } from '../scoring.ts';
import { id, time } from '../shape.ts';
import { grade, mark, surface } from './lead.ts';

const by = z.string().describe('Who did it: an email address, or `operator`.');

const received = z.object({
  kind: z.literal('received'),
  at: time,
  surface,
  token: z
    .object({ id, name: z.string().nullable() })
    .nullable()
    .describe('The token that the lead was sent with; null for a signed webhook.'),
});
const admitted = z.object({
  kind: z.literal('admitted'),
  at: time.describe('When it became a lead.'),
  by,
  reason: reason.describe('Why it had been rejected.'),
  received_at: time.describe('When it was rejected.'),
});
const scored = z.object({
  kind: z.literal('scored'),
  at: time,
  verdict,
  score: z.int(),
  grade,
  risk: z.int(),
  ruleset: z.string(),
});
const lookedAgain = z.object({
  kind: z.literal('looked_again'),
  at: time,
  provider: z.string().describe('What was checked: `mx`, its mail server.'),
  before: z.object({ verdict, score: z.int(), grade, risk: z.int() }),
  verdict,
  score: z.int(),
  grade,
  risk: z.int(),
  ruleset: z.string(),
});
const marked = z.object({
  kind: z.literal('marked'),
  at: time,
  by,
  mark: mark.nullable().describe('Null removed the mark before it.'),
});
const asked = z.object({
  kind: z.literal('asked'),
  at: time,
  provider: z.string(),
  outcome: z.enum(providerOutcomes),
  why: z.string().nullable(),
  attempts: z.int(),
  ms: z.int(),
  cached: z.boolean().describe('Whether the response came from the cache.'),
});
const enriched = z.object({
  kind: z.literal('enriched'),
  at: time,
  status: z.enum(enrichmentStatuses).describe('The result so far.'),
});
const called = z.object({
  kind: z.literal('called'),
  at: time,
  by,
  action: z.string().describe('As in the audit log.'),
  changes: z.record(z.string(), z.unknown()).describe('As in the audit log.'),
  outcome: z.enum(['done', 'unknown']),
});

const leadEvent = z
  .discriminatedUnion('kind', [received, admitted, scored, lookedAgain, marked, asked, enriched, called])
  .meta({ id: 'LeadEvent' });

export const leadHistory = z
  .object({
    items: z.array(leadEvent).describe('Newest first.'),
    has_older_marks: z.boolean().describe('True if `items` has only the newest marks; `/marks` lists all.'),
  })
  .meta({ id: 'LeadHistory' });

export type LeadEvent = z.output<typeof leadEvent>;
export type LeadHistory = z.output<typeof leadHistory>;

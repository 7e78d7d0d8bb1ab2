import { z } from 'zod';
import { call, json } from '../call.ts';
import { count, diagnosticsFilters, reasonCount, surface } from '../diagnostics.ts';
import { id, strict, time } from '../shape.ts';

export const groupsMax = 50;

const groupsQuery = strict({
  ...diagnosticsFilters,
  group_by: z
    .enum(['reason', 'sender'])
    .default('reason')
    .describe('`sender`: each reason apart for each surface, form and token.'),
});

const group = reasonCount.extend({
  surface: surface.nullable().describe('Null if grouped by reason.'),
  form_id: id.nullable().describe('Null if grouped by reason, or unknown.'),
  token_id: id.nullable().describe('Null if grouped by reason, or without a token.'),
  first_at: time.describe('The minute of the first one in the range.'),
  counts: z.array(count).describe('How many there were in each step since `from`, without gaps.'),
});

const rejectionGroups = z
  .object({
    from: time.describe('The start of the first step.'),
    step_seconds: z.int().describe('The length of a step: a minute, an hour or a day.'),
    items: z.array(group).describe(`The most frequent first; at most ${groupsMax}.`),
    more: count.describe('How many further groups there are.'),
  })
  .meta({ id: 'RejectionGroups' });

export type RejectionGroups = z.output<typeof rejectionGroups>;
/** As sent. */
export type GroupsInput = z.input<typeof groupsQuery>;

export const readRejectionGroups = call({
  method: 'get',
  path: '/workspaces/:workspace_id/diagnostics/groups',
  tag: 'Diagnostics',
  summary: 'Group rejections',
  description:
    'Rejections by reason, or by reason and sender, with how they were distributed over time. Counts are exact.',
  access: { by: 'owner', scope: 'diagnostics:read' },
  expensive: 'call',
  query: groupsQuery,
  answer: json(200, rejectionGroups),
});

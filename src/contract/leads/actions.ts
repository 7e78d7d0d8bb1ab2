import { z } from 'zod';
import { call, file, json, none } from '../call.ts';
import { inputErrors } from '../problem.ts';
import { id, strict, time } from '../shape.ts';
import { exportFormat, exportTypes, leadFilterQuery, mark } from './lead.ts';

const count = z.int().min(0);
const leadIdsMax = 1_000;

const ids = z.array(id).min(1).max(leadIdsMax);

/** As sent: it is read again each time, by the same rules as those of the list. */
const filter = z
  .record(z.string().max(400), z.string().max(100_000))
  .superRefine((sent, context) => {
    const parsed = leadFilterQuery.safeParse(sent);
    if (parsed.success) return;
    for (const { field, message } of inputErrors(parsed.error))
      context.addIssue({ code: 'custom', path: [field], message });
  })
  .describe(
    'The filters of the list, as its query parameters: `{"verdict":"suspect","field.country":"DE"}`. `{}` means all leads.',
  );

const selection = {
  id: id
    .optional()
    .describe(
      'Choose one, so that a request that is sent twice starts one action. It is the ID of the action.',
    ),
  ids: ids.optional().describe('These leads. Use either this or `filter`.'),
  filter: filter.optional(),
  expected_count: count
    .optional()
    .describe('With `filter`: how many leads you expect. If more match, the request is refused.'),
  any_number: z
    .boolean()
    .default(false)
    .describe('With `filter`: do it however many match, because they could not be counted.'),
};

type Sent = { ids?: unknown; filter?: unknown; expected_count?: unknown; any_number?: boolean };

function isOne({ ids, filter }: Sent): boolean {
  return (ids === undefined) !== (filter === undefined);
}

function isSafe({ filter, expected_count, any_number }: Sent): boolean {
  return filter === undefined || expected_count !== undefined || any_number === true;
}

const oneRule = { path: ['ids'], message: 'use either `ids` or `filter`' };
const safeRule = { path: ['expected_count'], message: 'say how many leads you expect, or use `any_number`' };

const newMarking = strict({ ...selection, mark: mark.nullable().describe('Null removes the mark.') })
  .refine(isOne, oneRule)
  .refine(isSafe, safeRule)
  .meta({ id: 'NewLeadMarking' });
const newErasure = strict(selection)
  .refine(isOne, oneRule)
  .refine(isSafe, safeRule)
  .meta({ id: 'NewLeadErasure' });

const started = z.object({ id }).meta({ id: 'StartedLeadAction' });

const action = z
  .object({
    id,
    action: z.enum(['mark', 'erasure', 'undo']),
    mark: mark.nullable().describe('What a `mark` sets; null if it removes marks.'),
    state: z
      .enum(['running', 'finished', 'stopped'])
      .describe('Actions of a workspace run one after another. One that waits is `running`, too.'),
    stop_reason: z
      .enum(['person', 'permission', 'failure'])
      .nullable()
      .describe(
        'Why it stopped: someone stopped it, the person or key that started it no longer has the permission, or it failed several times in a row.',
      ),
    total: count,
    is_total_exact: z
      .boolean()
      .describe('False if there were too many to count: there are at least `total`.'),
    done: count,
    changed: count.describe('Of those done. The others had the mark already, or no longer exist.'),
    created_at: time,
    created_by: z.string(),
    finished_at: time.nullable(),
    undoable_until: time.nullable().describe('Null if it cannot be undone, or was.'),
  })
  .meta({ id: 'LeadAction' });

export type LeadAction = z.output<typeof action>;
export type LeadSelectionInput = Pick<
  z.input<typeof newErasure>,
  'id' | 'ids' | 'filter' | 'expected_count' | 'any_number'
>;

const tag = 'Leads';
const inBackground =
  'In the background, some hundred at a time. Leads that arrive later are not included; those that no longer exist are left out.';

export const countLeads = call({
  method: 'get',
  path: '/workspaces/:workspace_id/leads/count',
  tag,
  summary: 'Count leads',
  description: 'Counts those that match filters, for half a second at most.',
  access: { by: 'member', scope: 'leads:read' },
  expensive: 'call',
  query: leadFilterQuery,
  answer: json(
    200,
    z
      .object({
        count,
        is_exact: z.boolean().describe('False if there are at least as many, but not all were counted.'),
        counted_to: time.describe(
          'Leads received from then on were not counted. Use it as `to` to select what was counted.',
        ),
      })
      .meta({ id: 'LeadCount' }),
  ),
});

export const exportChosen = call({
  method: 'post',
  path: '/workspaces/:workspace_id/leads/export',
  tag,
  summary: 'Export chosen leads',
  description: `Up to ${leadIdsMax} leads by their IDs, newest first, in the same formats as the export of a list. Those that do not exist are left out.`,
  access: { by: 'member', scope: 'leads:read' },
  gives: 'leads',
  audited: ['format'],
  expensive: 'stream',
  body: strict({ ids, format: exportFormat }).meta({ id: 'LeadExport' }),
  answer: file(...Object.values(exportTypes)),
});

const filterNeedsReading = 'An API key needs `leads:read`, too, to choose them by a filter.';

export const startMarking = call({
  method: 'post',
  path: '/workspaces/:workspace_id/lead-actions/marks',
  tag,
  summary: 'Mark many leads',
  description: `Each gets the mark as if it were marked alone. ${inBackground} ${filterNeedsReading} The same action in progress is returned, not started again.`,
  access: { by: 'member', scope: 'leads:mark' },
  audit: 'itself',
  expensive: 'call',
  body: newMarking,
  answer: json(202, started),
  problems: ['quota_reached', 'selection_changed', 'action_conflict'],
});

export const startErasure = call({
  method: 'post',
  path: '/workspaces/:workspace_id/lead-actions/erasures',
  tag,
  summary: 'Erase many leads',
  description: `Permanently erases each with everything that erasing a lead deletes. It cannot be undone. ${inBackground} ${filterNeedsReading}`,
  access: { by: 'owner', scope: 'leads:erase' },
  audit: 'itself',
  expensive: 'call',
  body: newErasure,
  answer: json(202, started),
  problems: ['quota_reached', 'selection_changed', 'action_conflict'],
});

export const listActions = call({
  method: 'get',
  path: '/workspaces/:workspace_id/lead-actions',
  tag,
  summary: 'List the actions on many leads',
  description: 'The newest 20. They are kept for 30 days.',
  access: { by: 'member', scope: 'any' },
  answer: json(200, z.object({ items: z.array(action) }).meta({ id: 'LeadActions' })),
});

export const readAction = call({
  method: 'get',
  path: '/workspaces/:workspace_id/lead-actions/:action_id',
  tag,
  summary: 'Read the progress of an action on many leads',
  access: { by: 'member', scope: 'any' },
  answer: json(200, action),
});

export const stopAction = call({
  method: 'post',
  path: '/workspaces/:workspace_id/lead-actions/:action_id/stop',
  tag,
  summary: 'Stop an action on many leads',
  description:
    'What it has done stays done. Only owners, and API keys with `leads:erase`, can stop an erasure.',
  access: { by: 'member', scope: 'any' },
  answer: none,
  problems: ['forbidden', 'scope_missing'],
});

export const undoMarking = call({
  method: 'post',
  path: '/workspaces/:workspace_id/lead-actions/:action_id/undo',
  tag,
  summary: 'Undo the marks of an action',
  description: [
    'For 24 hours. Each lead gets the mark that it had before, unless someone has marked it again since. An action that is still',
    'running is stopped first. Undoing again returns the same action.',
  ].join(' '),
  access: { by: 'member', scope: 'leads:mark' },
  audit: 'itself',
  answer: json(202, started),
  problems: ['not_undoable', 'quota_reached'],
});

export const leadActionCalls = [
  countLeads,
  exportChosen,
  startMarking,
  startErasure,
  listActions,
  readAction,
  stopAction,
  undoMarking,
] as const;

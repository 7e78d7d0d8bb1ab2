import { z } from 'zod';
import { marks } from '../../domain/lead/mark.ts';
import { call, json, none } from '../call.ts';
import { filter } from '../destinations/filter.ts';
import { verdict } from '../scoring.ts';
import { changes, exactText, id, line, strict, time } from '../shape.ts';
import { surface } from './lead.ts';
import { sorting, where } from './list-options.ts';
import { type RelativeRange, relativeRanges } from './ranges.ts';
import { leadTableView } from './table.ts';

const rangeNames = Object.keys(relativeRanges) as [RelativeRange, ...RelativeRange[]];
const nameCharactersMax = 80;
/** As JSON: everyone who opens the list of leads reads all views. */
const viewCharactersMax = 32_768;

/** As people and programs write them; the list of leads gets the same names. */
const leadViewFilters = strict({
  q: exactText(200).optional().describe('Text that a field value contains.'),
  form_id: id.optional().describe('Leads of this form. The view stays when the form is deleted.'),
  verdict: verdict.optional(),
  mark: z.enum([...marks, 'none']).optional(),
  surface: surface.optional(),
  range: z
    .enum(rangeNames)
    .optional()
    .describe('Received within this time before now; not together with `from` and `to`.'),
  from: time.optional().describe('Received at this time or later.'),
  to: time.optional().describe('Received before this time.'),
  where: filter
    .superRefine((conditions, context) => {
      const parsed = where.safeParse(JSON.stringify(conditions));
      for (const { message } of parsed.error?.issues ?? []) context.addIssue({ code: 'custom', message });
    })
    .optional()
    .describe('Conditions that a lead must meet, as in the list of leads, but as JSON instead of text.'),
  sort: sorting.sort.unwrap().optional().describe('`received` if left out.'),
  order: sorting.order.unwrap().optional().describe('`desc` if left out.'),
})
  .refine(({ range, from, to }) => range === undefined || (from ?? to) === undefined, {
    path: ['range'],
    message: 'use either a range or times',
  })
  .meta({ id: 'LeadViewFilters' });

const content = {
  name: line(nameCharactersMax).describe('Unique in the workspace, ignoring case.'),
  filters: leadViewFilters,
  layout: strict(leadTableView.shape).nullable().describe('The columns. Null for the default columns.'),
};

const leadView = z
  .object({
    id,
    name: z.string(),
    filters: leadViewFilters,
    layout: leadTableView.nullable(),
    version: z.int().describe('Increases with each change.'),
    created_at: time,
    created_by: z
      .object({ id, name: z.string(), is_member: z.boolean().describe('False once they have left.') })
      .nullable()
      .describe('Null if a key created it, or if the account no longer exists.'),
    changed_at: time,
    may_change: z.boolean().describe('Whether you may change and delete it: its creator and owners may.'),
  })
  .meta({ id: 'LeadView' });

const leadViews = z.object({ items: z.array(leadView).describe('By name.') }).meta({ id: 'LeadViews' });

const isShort = (view: object) => JSON.stringify(view).length <= viewCharactersMax;
const shortRule = `filters and columns may have ${viewCharactersMax} characters as JSON`;

const newLeadView = strict({ ...content, layout: content.layout.default(null) })
  .refine(isShort, shortRule)
  .meta({ id: 'NewLeadView' });

const leadViewChanges = changes(
  {
    name: content.name.optional(),
    filters: content.filters.optional(),
    layout: content.layout.optional(),
    expected_version: z
      .int()
      .optional()
      .describe('Nothing is changed if someone else has changed the view since this version.'),
  },
  ['expected_version'],
)
  .refine(isShort, shortRule)
  .meta({ id: 'LeadViewChanges' });

export type LeadView = z.output<typeof leadView>;
export type LeadViewFilters = z.output<typeof leadViewFilters>;
export type NewLeadView = z.output<typeof newLeadView>;
export type LeadViewChanges = z.output<typeof leadViewChanges>;
export const storedLeadView = leadView.pick({ filters: true, layout: true });

const listLeadViews = call({
  method: 'get',
  path: '/workspaces/:workspace_id/lead-views',
  tag: 'Saved views',
  summary: 'List saved views',
  description: 'Filters, sort order and columns of the list of leads under a name, shared in the workspace.',
  access: { by: 'member', scope: 'leads:read' },
  answer: json(200, leadViews),
});

const createLeadView = call({
  method: 'post',
  path: '/workspaces/:workspace_id/lead-views',
  tag: 'Saved views',
  summary: 'Save a view',
  description:
    'Everyone in the workspace sees it. The creator and owners can change it; an API key can change the views that it created.',
  access: { by: 'member', scope: 'views:write' },
  audited: ['name'],
  body: newLeadView,
  answer: json(201, leadView),
  problems: ['quota_reached'],
});

const changeLeadView = call({
  method: 'patch',
  path: '/workspaces/:workspace_id/lead-views/:view_id',
  tag: 'Saved views',
  summary: 'Change a saved view',
  description: 'What you leave out stays the same. `filters` are replaced as a whole.',
  access: { by: 'member', scope: 'views:write' },
  audited: ['name'],
  body: leadViewChanges,
  answer: json(200, leadView),
  problems: ['forbidden', 'version_conflict'],
});

const deleteLeadView = call({
  method: 'delete',
  path: '/workspaces/:workspace_id/lead-views/:view_id',
  tag: 'Saved views',
  summary: 'Delete a saved view',
  description: 'No lead is changed or deleted.',
  access: { by: 'member', scope: 'views:write' },
  answer: none,
  problems: ['forbidden'],
});

export const leadViewCalls = { listLeadViews, createLeadView, changeLeadView, deleteLeadView };

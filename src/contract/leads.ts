import { z } from 'zod';
import { call, file, json, none, page } from './call.ts';
import { leadHistory } from './leads/history.ts';
import {
  exportTypes,
  lead,
  leadExportQuery,
  leadListQuery,
  leadMark,
  leadMarkPage,
  leadMarkQuery,
  leadPage,
} from './leads/lead.ts';
import { leadScore } from './leads/score.ts';
import { leadTable, leadTableQuery, newLeadTable } from './leads/table.ts';
import { strict } from './shape.ts';

const fieldFilterText =
  '`field.<key>=value` returns only leads whose top-level field `<key>` has exactly this value.';

/** How many of the newest leads determine the columns of a table. */
export const headerLeads = 500;
export const fieldColumnsMax = 500;
export const otherColumn = 'other_fields';

export const exportLeads = call({
  method: 'get',
  path: '/workspaces/:workspace_id/leads/export',
  tag: 'Leads',
  summary: 'Export leads',
  description: [
    fieldFilterText,
    '`xlsx` is an Excel workbook for people: every cell is text, exactly as it was sent. `csv` is the same table as RFC 4180, and `ndjson` is for programs.',
    'The fixed columns of a table say where a lead came from and how it was scored: `form_name` beside `form_id`, `score`, `fit`,',
    '`intent` and `risk`, and `reasons` and `merits` as codes with points.',
    `A table also has a column for each declared field and each top-level key of the newest ${headerLeads} leads (fewer`,
    `if they exceed 8 MiB), up to ${fieldColumnsMax}; further keys share the column \`${otherColumn}\` as JSON. A key with the name of a fixed column becomes`,
    '`field.<key>`. All text of a CSV is quoted, and no cell begins a formula, whether it is read with commas, semicolons or tabs: text that would gets',
    'an apostrophe. Text that is too long for a cell is cut.',
    'An export is complete or refused: while too many leads are not in the index yet for a `sort`, it gets `not_sorted`.',
  ].join(' '),
  access: { by: 'member', scope: 'leads:read' },
  problems: ['not_sorted'],
  gives: 'leads',
  audited: ['format'],
  expensive: 'stream',
  query: leadExportQuery,
  answer: file(...Object.values(exportTypes)),
});

export const listLeads = call({
  method: 'get',
  path: '/workspaces/:workspace_id/leads',
  tag: 'Leads',
  summary: 'List leads',
  description: [
    fieldFilterText,
    'A page can have fewer leads than you asked for, or none, and still have a `next_cursor`: continue until it is null.',
    'A page ends with the lead that takes it past 1 MiB.',
    'Reasons, merits and enrichment are shortened unless you ask for `view=full`.',
  ].join(' '),
  access: { by: 'member', scope: 'leads:read' },
  expensive: 'call',
  query: leadListQuery,
  answer: page(leadPage),
});

export const readLead = call({
  method: 'get',
  path: '/workspaces/:workspace_id/leads/:submission_id',
  tag: 'Leads',
  summary: 'Read a lead',
  access: { by: 'member', scope: 'leads:read' },
  answer: json(200, lead),
});

export const explainLeadScore = call({
  method: 'get',
  path: '/workspaces/:workspace_id/leads/:submission_id/score',
  tag: 'Leads',
  summary: 'Explain the score of a lead',
  description: [
    'What fit, intent and risk are made of, what each adds to the score, and what is missing for a higher one. The score is',
    '(`fit.share` × fit + `intent.share` × intent) × (1 − risk ÷ `risk.divisor`), rounded, and 0 for spam.',
  ].join(' '),
  access: { by: 'member', scope: 'leads:read' },
  answer: json(200, leadScore),
});

export const readLeadBody = call({
  method: 'get',
  path: '/workspaces/:workspace_id/leads/:submission_id/body',
  tag: 'Leads',
  summary: 'Read the exact bytes of a lead',
  access: { by: 'member', scope: 'leads:read' },
  gives: 'body',
  audited: ['purpose'],
  query: strict({
    purpose: z
      .enum(['view', 'download'])
      .optional()
      .describe('What the audit log says that you do with them. If left out, they are downloaded.'),
  }),
  expensive: 'call',
  answer: file('application/json'),
});

export const eraseLead = call({
  method: 'delete',
  path: '/workspaces/:workspace_id/leads/:submission_id',
  tag: 'Leads',
  summary: 'Erase a lead',
  description: [
    'Permanently deletes the lead, its body, its enrichment, its marks and every copy of the body in this workspace: requests kept for',
    'the signature debugger, quarantined leads and leads that wait in a spool. A retry with its idempotency key is still a duplicate.',
  ].join(' '),
  access: { by: 'owner', scope: 'leads:erase' },
  answer: none,
});

export const markLead = call({
  method: 'put',
  path: '/workspaces/:workspace_id/leads/:submission_id/mark',
  tag: 'Leads',
  summary: 'Mark a lead as spam or not spam',
  description: [
    '`verdict` follows the mark everywhere; `scored_verdict`, the score and its reasons do not change. A lead that becomes',
    'clean is enriched. Setting the same mark again changes nothing; null removes the mark. All marks are kept until the',
    'lead is erased. An API key without `leads:read` gets the lead without its fields, reasons and enrichment.',
  ].join(' '),
  access: { by: 'member', scope: 'leads:mark' },
  audited: ['mark'],
  body: leadMark,
  answer: json(200, lead),
});

export const listLeadMarks = call({
  method: 'get',
  path: '/workspaces/:workspace_id/leads/:submission_id/marks',
  tag: 'Leads',
  summary: 'List the marks of a lead',
  description: 'Newest first. A null mark removed the one before it.',
  access: { by: 'member', scope: 'leads:read' },
  query: leadMarkQuery,
  answer: page(leadMarkPage),
});

export const readLeadHistory = call({
  method: 'get',
  path: '/workspaces/:workspace_id/leads/:submission_id/history',
  tag: 'Leads',
  summary: 'Read the history of a lead',
  description: [
    'When the lead was received, scored and enriched, who marked it, and which providers were asked with what outcome. A lead',
    'is scored when it arrives, and again only if its mail server turns out to belong to a disposable email service. Owners',
    'also see the audit log entries that name it. An erased lead has no history; the audit log says who erased it.',
  ].join(' '),
  access: { by: 'member', scope: 'leads:read' },
  answer: json(200, leadHistory),
});

export const readLeadTable = call({
  method: 'get',
  path: '/workspaces/:workspace_id/lead-table',
  tag: 'Leads',
  summary: 'Read the layout of your lead table',
  operation: 'readHowYouArrangedTheLeadTable',
  description:
    'Kept per person, workspace and form. The operator key is not a person, so it never has a view.',
  access: { by: 'member' },
  query: leadTableQuery,
  answer: json(200, leadTable),
});

export const arrangeLeadTable = call({
  method: 'put',
  path: '/workspaces/:workspace_id/lead-table',
  tag: 'Leads',
  summary: 'Arrange the lead table',
  access: { by: 'member' },
  // Nobody else sees it.
  audit: 'reads',
  query: leadTableQuery,
  body: newLeadTable,
  answer: json(200, leadTable),
  problems: ['forbidden'],
});

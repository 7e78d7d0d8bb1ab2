import { call, file, json, none, page } from './call.ts';
import { leadHistory } from './leads/history.ts';
import {
  lead,
  leadExportQuery,
  leadListQuery,
  leadMark,
  leadMarkPage,
  leadMarkQuery,
  leadPage,
} from './leads/lead.ts';
import { leadTable, leadTableQuery, newLeadTable } from './leads/table.ts';

const fieldFilterText =
  '`field.<key>=value` keeps the leads whose top-level field `<key>` has exactly this value.';

/** How many of the newest leads decide which columns a CSV has. */
export const csvHeaderLeads = 500;
export const csvFieldColumnsMax = 500;
export const csvOtherColumn = 'other_fields';

export const exportLeads = call({
  method: 'get',
  path: '/workspaces/:workspace_id/leads/export',
  tag: 'Leads',
  summary: 'Export leads',
  description: [
    fieldFilterText,
    `CSV has a column per declared field and per top-level key of the newest ${csvHeaderLeads} leads (fewer`,
    `if they take more than 8 MiB), ${csvFieldColumnsMax} at most; keys beyond them share the column \`${csvOtherColumn}\` as JSON. A key that has the name of a fixed column becomes`,
    '`field.<key>`. Every text is in quotes. One that a spreadsheet would run as a formula gets a leading apostrophe;',
    'phone numbers stay as they are.',
  ].join(' '),
  access: { by: 'member' },
  gives: 'leads',
  audited: ['format'],
  expensive: 'stream',
  query: leadExportQuery,
  answer: file('text/csv', 'application/x-ndjson'),
});

export const listLeads = call({
  method: 'get',
  path: '/workspaces/:workspace_id/leads',
  tag: 'Leads',
  summary: 'List leads',
  description: [
    fieldFilterText,
    'A page can have fewer leads than asked for, or none, and still a `next_cursor`: go on until it is null.',
    'The lead that passes 1 MiB is the last one of its page.',
  ].join(' '),
  access: { by: 'member' },
  expensive: 'call',
  query: leadListQuery,
  answer: page(leadPage),
});

export const readLead = call({
  method: 'get',
  path: '/workspaces/:workspace_id/leads/:submission_id',
  tag: 'Leads',
  summary: 'Read a lead',
  access: { by: 'member' },
  answer: json(200, lead),
});

export const readLeadBody = call({
  method: 'get',
  path: '/workspaces/:workspace_id/leads/:submission_id/body',
  tag: 'Leads',
  summary: 'Read the exact bytes of a lead',
  access: { by: 'member' },
  gives: 'body',
  expensive: 'call',
  answer: file('application/json'),
});

export const eraseLead = call({
  method: 'delete',
  path: '/workspaces/:workspace_id/leads/:submission_id',
  tag: 'Leads',
  summary: 'Erase a lead',
  description: [
    'The lead, its body, its enrichment and its marks are gone for good, and so is every copy of the body in this workspace: requests kept for',
    'the signature debugger, rows of the quarantine, what still waits in a spool. A repeat of its idempotency key stays a repeat.',
  ].join(' '),
  access: { by: 'owner' },
  answer: none,
});

export const markLead = call({
  method: 'put',
  path: '/workspaces/:workspace_id/leads/:submission_id/mark',
  tag: 'Leads',
  summary: 'Mark a lead as spam or not spam',
  description: [
    '`verdict` follows the mark, everywhere; `scored_verdict`, the score and its reasons stay what the scorer found. A',
    'lead that becomes clean is enriched. The same mark again changes nothing; null takes the mark back. All marks are',
    'kept until the lead is erased.',
  ].join(' '),
  access: { by: 'member' },
  audited: ['mark'],
  body: leadMark,
  answer: json(200, lead),
});

export const listLeadMarks = call({
  method: 'get',
  path: '/workspaces/:workspace_id/leads/:submission_id/marks',
  tag: 'Leads',
  summary: 'List the marks of a lead',
  description: 'Newest first. A mark of null took back the one before it.',
  access: { by: 'member' },
  query: leadMarkQuery,
  answer: page(leadMarkPage),
});

export const readLeadHistory = call({
  method: 'get',
  path: '/workspaces/:workspace_id/leads/:submission_id/history',
  tag: 'Leads',
  summary: 'Read the history of a lead',
  description: [
    'When it was received and scored, who marked it, who was asked about it with what outcome, and when it was enriched.',
    'A lead is scored when it comes in, and looked at again only when its mail server turns out to be one of throw-away',
    'services. Owners also see calls of the audit log that name it. An erased lead has no history; who',
    'erased it stands in the audit log.',
  ].join(' '),
  access: { by: 'member' },
  answer: json(200, leadHistory),
});

export const readLeadTable = call({
  method: 'get',
  path: '/workspaces/:workspace_id/lead-table',
  tag: 'Leads',
  summary: 'Read how you arranged the lead table',
  description:
    'Kept per person, workspace and form. The operator key is nobody, so for it there is never a view.',
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
  // Nobody else sees any of it.
  audit: 'reads',
  query: leadTableQuery,
  body: newLeadTable,
  answer: json(200, leadTable),
  problems: ['forbidden'],
});

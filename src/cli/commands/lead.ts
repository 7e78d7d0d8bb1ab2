import type { Command } from 'commander';
import type { LeadListed } from '../../contract/leads/lead.ts';
import { newCommand, sessionOf } from '../command.ts';
import { countOption } from '../options.ts';
import type { Column } from '../output.ts';
import { eraseCommand, markCommand, undoCommand } from './lead/actions.ts';
import { exportCommand } from './lead/export.ts';
import { type FilterOptions, filtered, wanted } from './lead/filter.ts';
import { getCommand } from './lead/get.ts';
import { sendCommand } from './lead/send.ts';
import { verdictColour } from './lead/verdict.ts';
import { findView, listQueryOf } from './view/view.ts';

const summaryCharacters = 60;
const columns: Column<LeadListed>[] = [
  { title: 'RECEIVED', show: ({ received_at }) => received_at },
  {
    title: 'VERDICT',
    show: ({ verdict }) => verdict,
    style: ({ verdict }) => verdictColour(verdict),
  },
  { title: 'GRADE', show: ({ grade, score }) => `${grade} ${score}` },
  { title: 'ID', show: ({ submission_id }) => submission_id },
  { title: 'FIELDS', show: ({ fields }) => summaryOf(fields) },
];

function summaryOf(fields: LeadListed['fields']): string {
  const text = Object.entries(fields)
    .map(([key, value]) => `${key}=${typeof value === 'object' && value !== null ? '…' : value}`)
    .join(' ');
  return text.length <= summaryCharacters ? text : `${text.slice(0, summaryCharacters - 1)}…`;
}

const list = () =>
  filtered(
    newCommand('list', 'List leads, newest first.', [
      'lead list --form contact --verdict clean',
      'lead list --from 2026-11-15T00:00:00Z --limit 1000 --json',
    ]),
  )
    .option('--view <view>', 'the filters and the order of this saved view; other options take precedence')
    .option('--limit <count>', 'the maximum number', '50')
    .action(async (options: FilterOptions & { limit: string; view?: string }, command: Command) => {
      const { api, out } = sessionOf(command);
      const limit = countOption('--limit', options.limit);
      const { params, query } = await wanted(api, options);
      const saved =
        options.view === undefined ? {} : listQueryOf(await findView(api, params.workspace_id, options.view));
      const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
      // The table shows nothing that a short list leaves out.
      const view = out.isJson ? 'full' : 'list';
      const leads = await api.list(
        '/workspaces/:workspace_id/leads',
        { params, query: { ...saved, ...given, view } },
        limit,
      );
      out.table(leads, columns, 'No leads found.');
    });

export const leadCommand = () =>
  newCommand('lead', 'Send, list, show, export, mark and erase leads.', ['lead list --limit 5'])
    .addCommand(sendCommand())
    .addCommand(list())
    .addCommand(getCommand())
    .addCommand(exportCommand())
    .addCommand(markCommand())
    .addCommand(eraseCommand())
    .addCommand(undoCommand());

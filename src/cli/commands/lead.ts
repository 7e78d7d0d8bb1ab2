import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import type { Lead } from '../../contract/lead.ts';
import { surfaces } from '../../domain/surface.ts';
import type { Api, Query } from '../api.ts';
import { newCommand, sessionOf } from '../command.ts';
import { CliError } from '../exit.ts';
import { findForm, findWorkspace } from '../find.ts';
import { inWorkspace, type WorkspaceOption } from '../options.ts';
import type { Column } from '../output.ts';
import { sendCommand } from './lead-send.ts';

interface FilterOptions extends WorkspaceOption {
  readonly form?: string;
  readonly verdict?: string;
  readonly surface?: string;
  readonly from?: string;
  readonly to?: string;
  readonly search?: string;
}

const summaryCharacters = 60;
const verdictColours = { clean: 'green', suspect: 'yellow', spam: 'red' } as Record<
  string,
  'green' | 'yellow' | 'red'
>;

const columns: Column<Lead>[] = [
  { title: 'RECEIVED', show: ({ received_at }) => received_at },
  {
    title: 'VERDICT',
    show: ({ verdict }) => verdict,
    style: ({ verdict }) => verdictColours[verdict] ?? 'yellow',
  },
  { title: 'GRADE', show: ({ grade, score }) => `${grade} ${score}` },
  { title: 'ID', show: ({ submission_id }) => submission_id },
  { title: 'FIELDS', show: ({ fields }) => summaryOf(fields) },
];

function summaryOf(fields: Lead['fields']): string {
  const text = Object.entries(fields)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
  return text.length <= summaryCharacters ? text : `${text.slice(0, summaryCharacters - 1)}…`;
}

function filtered(command: Command): Command {
  return inWorkspace(command)
    .option('-f, --form <form>', 'only leads of this form: slug, name or id')
    .option('--verdict <verdict>', 'only leads with this verdict, such as clean or spam')
    .addOption(new Option('--surface <surface>', 'only leads that came this way').choices(surfaces))
    .option('--from <time>', 'received at this time or later, such as 2026-11-15T08:00:00Z')
    .option('--to <time>', 'received before this time')
    .option('--search <text>', 'only leads with a field that contains this text');
}

async function wanted(api: Api, options: FilterOptions): Promise<{ path: string; query: Query }> {
  const { form, verdict, surface, from, to, search } = options;
  const { id } = await findWorkspace(api, options.workspace);
  const formId = form === undefined ? undefined : (await findForm(api, id, form)).id;
  const query = { form_id: formId, verdict, surface, from, to, q: search };
  return { path: `/workspaces/${id}/leads`, query };
}

const list = () =>
  filtered(
    newCommand('list', 'List leads, newest first.', [
      'lead list --form contact --verdict clean',
      'lead list --from 2026-11-15T00:00:00Z --limit 1000 --json',
    ]),
  )
    .option('--limit <count>', 'how many at most', '50')
    .action(async (options: FilterOptions & { limit: string }, command: Command) => {
      const { api, out } = sessionOf(command);
      if (!/^[1-9]\d{0,6}$/.test(options.limit))
        throw new CliError('usage', '--limit takes a number from 1.');
      const { path, query } = await wanted(api, options);
      const leads = await api.list<Lead>(path, query, Number(options.limit));
      out.table(leads, columns, 'There is no such lead.');
    });

interface ExportOptions extends FilterOptions {
  readonly format: string;
  readonly output?: string;
}

const exportAll = () =>
  filtered(
    newCommand('export', 'Export leads as CSV or, a lead per line, as JSON.', [
      'lead export --format csv > leads.csv',
      'lead export --form contact --format ndjson --output leads.ndjson',
    ]),
  )
    .addOption(new Option('--format <format>').choices(['csv', 'ndjson']).default('csv'))
    .option('-o, --output <file>', 'write to this file instead of standard output; it must not exist yet')
    .action(async (options: ExportOptions, command: Command) => {
      const { api, out } = sessionOf(command);
      const { path, query } = await wanted(api, options);
      const format = out.isJson ? 'ndjson' : options.format;
      const leads = await api.stream(`${path}/export`, { ...query, format });
      await writeAll(leads, options.output);
      if (options.output !== undefined) out.note(`Written to ${options.output}.`);
    });

async function writeAll(stream: ReadableStream<Uint8Array>, output: string | undefined): Promise<void> {
  const source = Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]);
  if (output === undefined) return pipeline(source, process.stdout, { end: false });
  await pipeline(source, createWriteStream(output, { flags: 'wx', mode: 0o600 })).catch((error) => {
    throw error.code === 'EEXIST' ? new CliError('conflict', `${output} exists already.`) : error;
  });
}

export const leadCommand = () =>
  newCommand('lead', 'Send, list and export leads.', ['lead list --limit 5'])
    .addCommand(sendCommand())
    .addCommand(list())
    .addCommand(exportAll());

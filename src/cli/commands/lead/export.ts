import { createWriteStream, rmSync } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import type { ExportFormat } from '../../../contract/leads/lead.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { type FilterOptions, filtered, wanted } from './filter.ts';
import { asArray, forTerminal } from './stream.ts';

type Format = ExportFormat | 'json';

interface ExportOptions extends FilterOptions {
  readonly format?: Format;
  readonly output?: string;
}

export const exportCommand = () =>
  filtered(
    newCommand(
      'export',
      'Export leads as an Excel file, as CSV, as one line of JSON each, or as one JSON array.',
      [
        'lead export --format xlsx --output leads.xlsx',
        'lead export --format csv > leads.csv',
        'lead export --form contact --format ndjson --output leads.ndjson',
        'lead export --json | jq length',
      ],
    ),
  )
    .addOption(
      new Option('--format <format>', 'the file format; default: csv; --json means json').choices([
        'csv',
        'xlsx',
        'ndjson',
        'json',
      ] satisfies Format[]),
    )
    .option('-o, --output <file>', 'write to this file instead of standard output; it must not exist')
    .action(async (options: ExportOptions, command: Command) => {
      const { api, out } = sessionOf(command);
      const format = formatOf(options, out.isJson);
      if (format === 'xlsx' && options.output === undefined && process.stdout.isTTY)
        throw new CliError('usage', 'A terminal cannot show an Excel file. Add --output leads.xlsx.');
      const { params, query } = await wanted(api, options);
      const leads = await api.stream('/workspaces/:workspace_id/leads/export', {
        params,
        query: { ...query, format: format === 'json' ? 'ndjson' : format },
      });
      const data = format === 'json' ? asArray(leads) : leads;
      if (options.output === undefined)
        return pipeline(
          Readable.from(process.stdout.isTTY ? forTerminal(data, format) : data),
          process.stdout,
          {
            end: false,
          },
        );
      await writeFile(data, options.output);
      out.note(`Written to ${options.output}.`);
    });

function formatOf({ format }: ExportOptions, isJson: boolean): Format {
  if (isJson && format !== undefined && format !== 'json')
    throw new CliError(
      'usage',
      `--json prints one JSON array, which --format ${format} does not. Use one of them.`,
    );
  return isJson ? 'json' : (format ?? 'csv');
}

/** Removes a partial file, because it would look like the whole export. */
async function writeFile(data: AsyncIterable<string | Uint8Array>, path: string): Promise<void> {
  const file = await newFile(path);
  try {
    await pipeline(Readable.from(data), file);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

function newFile(path: string): Promise<Writable> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  return new Promise((resolve, reject) => {
    file.once('open', () => resolve(file));
    file.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EEXIST'
          ? new CliError('conflict', `${path} already exists. Choose another file.`)
          : error,
      ),
    );
  });
}

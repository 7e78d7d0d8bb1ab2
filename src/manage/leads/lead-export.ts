import { exportChosen } from '../../contract/leads/actions.ts';
import { type ExportFormat, exportTypes } from '../../contract/leads/lead.ts';
import * as contract from '../../contract/leads.ts';
import { listDeclaredKeys, listFormNames } from '../../db/forms/forms.ts';
import { newestFirst } from '../../db/leads/lead-order.ts';
import type { LeadRecord } from '../../db/leads/lead-rows.ts';
import { type Clock, utcDay } from '../../time/clock.ts';
import { Turns } from '../../time/turns.ts';
import { chunksOf } from '../calls/json-text.ts';
import { pageBytesMax } from '../calls/page.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { csvChunks } from './csv.ts';
import { type ExportTable, tableColumns } from './export-table.ts';
import { leadPages } from './lead-pages.ts';
import { type LeadQuery, leadQuery } from './lead-query.ts';
import type { SearchDeps } from './lead-search.ts';
import { download, writeLead } from './leads.ts';
import { xlsxChunks } from './xlsx.ts';

// Leads held until the header is written.
const headerBytes = 8 * pageBytesMax;

export const leadExportRoutes = [
  route(contract.exportLeads, async ({ params, query }, deps) => {
    // Leads that arrive from now on could have keys that are not in the header.
    const asked = { ...query, to: query.to ?? new Date(deps.clock.now() + 1) };
    const leads = await leadQuery(deps.pool, params.workspace_id, asked);
    return exportFile(deps, params.workspace_id, leads, query);
  }),
  route(exportChosen, ({ params, body: { ids, format } }, deps) =>
    exportFile(
      deps,
      params.workspace_id,
      { filter: { ids, fieldValues: new Map() }, order: newestFirst },
      { format },
    ),
  ),
];

interface Written {
  readonly format: ExportFormat;
  /** Of a table; undefined for all. */
  readonly columns?: readonly string[] | undefined;
}

async function exportFile(
  deps: ManagementDeps,
  workspaceId: string,
  leads: LeadQuery,
  { format, columns }: Written,
): Promise<Response> {
  const { clock, log } = deps;
  const chunks =
    format === 'ndjson'
      ? ndjson(deps, workspaceId, leads)
      : spreadsheet(format, deps, workspaceId, leads, columns);
  const stream = await streamOf(chunks, clock, (error) => log.error({ err: error }, 'export failed'));
  const charset = format === 'csv' ? '; charset=utf-8' : '';
  return download(stream, exportTypes[format] + charset, `leads-${utcDay(clock.now())}.${format}`);
}

async function* ndjson(deps: SearchDeps, workspaceId: string, query: LeadQuery): AsyncGenerator<string> {
  for await (const leads of leadPages(deps, workspaceId, query)) {
    yield* chunksOf(leads.values().flatMap((lead) => [...writeLead(lead).pieces, '\n']));
  }
}

/** The table is ready before the first chunk, so that an error before it still gets an error response. */
async function* spreadsheet(
  format: 'csv' | 'xlsx',
  ...read: Parameters<typeof tableOf>
): AsyncGenerator<string | Uint8Array> {
  const table = await tableOf(...read);
  yield* format === 'csv' ? csvChunks(table) : xlsxChunks(table);
}

/** The columns come from the newest leads, so that a file of millions starts before all are read. */
async function tableOf(
  deps: SearchDeps,
  workspaceId: string,
  query: LeadQuery,
  chosen: readonly string[] | undefined,
): Promise<ExportTable> {
  const forms = {
    declared: await listDeclaredKeys(deps.pool, workspaceId, query.filter.formId),
    names: await listFormNames(deps.pool, workspaceId),
  };
  const pages = leadPages(deps, workspaceId, query);
  const first: LeadRecord[] = [];
  let firstBytes = 0;
  let isWhole = false;
  while (!isWhole && first.length < contract.headerLeads && firstBytes < headerBytes) {
    const { value, done } = await pages.next();
    if (done) isWhole = true;
    else first.push(...value);
    firstBytes = first.reduce((sum, { jsonBytes }) => sum + jsonBytes, 0);
  }
  const { names, cells } = await tableColumns(forms, first, isWhole, chosen);
  async function* rows() {
    const turns = new Turns();
    for (const lead of first) yield cells(lead, turns);
    for await (const leads of pages) for (const lead of leads) yield cells(lead, turns);
  }
  return { names, rows: rows() };
}

/**
 * Waits for the first chunk, so that an error before it still gets an error response. A later error closes the connection,
 * because a partial export must not look complete. When the client disconnects, the stream and the generator are cancelled.
 */
async function streamOf(
  chunks: AsyncGenerator<string | Uint8Array>,
  clock: Clock,
  onBreak: (error: unknown) => void,
) {
  const first = await chunks.next();
  const encoder = new TextEncoder();
  const encoded = (chunk: string | Uint8Array) => (typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
  async function* bytes() {
    try {
      if (!first.done) yield encoded(first.value);
      for await (const chunk of chunks) {
        // A fast reader would otherwise get a whole page at once.
        await clock.turn();
        yield encoded(chunk);
      }
    } catch (error) {
      onBreak(error);
      // We do not control what the HTTP layer does with an error, so this one reveals nothing.
      throw new Error('The export failed.');
    }
  }
  return ReadableStream.from(bytes()) as ReadableStream<Uint8Array>;
}

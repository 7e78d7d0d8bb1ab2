import * as contract from '../../contract/leads.ts';
import { listDeclaredKeys, listFormNames } from '../../db/forms/forms.ts';
import type { LeadRecord } from '../../db/leads/lead-rows.ts';
import { type Clock, utcDay } from '../../time/clock.ts';
import { chunksOf } from '../calls/json-text.ts';
import { pageBytesMax } from '../calls/page.ts';
import { route } from '../calls/route.ts';
import { leadCsv } from './lead-csv.ts';
import { leadPages } from './lead-pages.ts';
import { type LeadQuery, leadQuery } from './lead-query.ts';
import type { SearchDeps } from './lead-search.ts';
import { download, writeLead } from './leads.ts';

const contentTypes = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const;

// Leads held until the header is written.
const headerBytes = 8 * pageBytesMax;

export const leadExportRoutes = [
  route(contract.exportLeads, async ({ params, query }, deps) => {
    const { clock, log } = deps;
    const now = new Date(clock.now());
    // Leads that arrive from now on could have keys that are not in the header.
    const asked = { ...query, to: query.to ?? new Date(now.getTime() + 1) };
    const leads = await leadQuery(deps.pool, params.workspace_id, asked);
    const chunks =
      query.format === 'csv'
        ? csv(deps, params.workspace_id, leads, query.columns)
        : ndjson(deps, params.workspace_id, leads);
    const fileName = `leads-${utcDay(now.getTime())}.${query.format}`;
    const stream = await streamOf(chunks, clock, (error) => log.error({ err: error }, 'export failed'));
    return download(stream, contentTypes[query.format], fileName);
  }),
];

async function* ndjson(deps: SearchDeps, workspaceId: string, query: LeadQuery): AsyncGenerator<string> {
  for await (const leads of leadPages(deps, workspaceId, query)) {
    yield* chunksOf(leads.values().flatMap((lead) => [...writeLead(lead).pieces, '\n']));
  }
}

/** The header comes from the newest leads, so that a file of millions starts before all are read. */
async function* csv(
  deps: SearchDeps,
  workspaceId: string,
  query: LeadQuery,
  chosen: readonly string[] | undefined,
): AsyncGenerator<string> {
  const forms = {
    declared: await listDeclaredKeys(deps.pool, workspaceId, query.filter.formId),
    names: await listFormNames(deps.pool, workspaceId),
  };
  const pages = leadPages(deps, workspaceId, query);
  const first: LeadRecord[] = [];
  let firstBytes = 0;
  let isWhole = false;
  while (!isWhole && first.length < contract.csvHeaderLeads && firstBytes < headerBytes) {
    const { value, done } = await pages.next();
    if (done) isWhole = true;
    else first.push(...value);
    firstBytes = first.reduce((sum, { jsonBytes }) => sum + jsonBytes, 0);
  }
  const table = await leadCsv(forms, first, isWhole, chosen);
  yield table.header;
  yield* table.lines(first);
  for await (const leads of pages) yield* table.lines(leads);
}

/**
 * Waits for the first chunk, so that an error before it still gets an error response. A later error closes the connection,
 * because a partial export must not look complete. When the client disconnects, the stream and the generator are cancelled.
 */
async function streamOf(chunks: AsyncGenerator<string>, clock: Clock, onBreak: (error: unknown) => void) {
  const first = await chunks.next();
  const encoder = new TextEncoder();
  async function* bytes() {
    try {
      if (!first.done) yield encoder.encode(first.value);
      for await (const chunk of chunks) {
        // A fast reader would otherwise get a whole page at once.
        await clock.turn();
        yield encoder.encode(chunk);
      }
    } catch (error) {
      onBreak(error);
      // We do not control what the HTTP layer does with an error, so this one reveals nothing.
      throw new Error('The export failed.');
    }
  }
  return ReadableStream.from(bytes()) as ReadableStream<Uint8Array>;
}

import * as contract from '../../contract/leads.ts';
import { listDeclaredKeys } from '../../db/forms/forms.ts';
import type { LeadFilter } from '../../db/leads/lead-filter.ts';
import type { LeadRecord } from '../../db/leads/lead-rows.ts';
import type { Clock } from '../../time/clock.ts';
import { chunksOf } from '../calls/json-text.ts';
import { pageBytesMax } from '../calls/page.ts';
import { route } from '../calls/route.ts';
import { leadCsv } from './lead-csv.ts';
import { leadPages } from './lead-pages.ts';
import type { SearchDeps } from './lead-search.ts';
import { download, leadFilter, writeLead } from './leads.ts';

const contentTypes = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const;

// What is held until the header is written.
const headerBytes = 8 * pageBytesMax;

export const leadExportRoutes = [
  route(contract.exportLeads, async ({ params, query }, deps) => {
    const { clock, log } = deps;
    const now = new Date(clock.now());
    // Leads that arrive from now on could have keys that are not in the header any more.
    const filter = { ...leadFilter(query), to: query.to ?? new Date(now.getTime() + 1) };
    const chunks = (query.format === 'csv' ? csv : ndjson)(deps, params.workspace_id, filter);
    const fileName = `leads-${now.toISOString().slice(0, 10)}.${query.format}`;
    const stream = await streamOf(chunks, clock, (error) => log.error({ err: error }, 'an export broke off'));
    return download(stream, contentTypes[query.format], fileName);
  }),
];

type Write = (deps: SearchDeps, workspaceId: string, filter: LeadFilter) => AsyncGenerator<string>;

const ndjson: Write = async function* (deps, workspaceId, filter) {
  for await (const leads of leadPages(deps, workspaceId, filter)) {
    yield* chunksOf(leads.values().flatMap((lead) => [...writeLead(lead).pieces, '\n']));
  }
};

/** The header comes from the newest leads, because a file of millions should begin before all of them are read. */
const csv: Write = async function* (deps, workspaceId, filter) {
  const declared = await listDeclaredKeys(deps.pool, workspaceId, filter.formId);
  const pages = leadPages(deps, workspaceId, filter);
  const first: LeadRecord[] = [];
  let firstBytes = 0;
  let isWhole = false;
  while (!isWhole && first.length < contract.csvHeaderLeads && firstBytes < headerBytes) {
    const { value, done } = await pages.next();
    if (done) isWhole = true;
    else first.push(...value);
    firstBytes = first.reduce((sum, { jsonBytes }) => sum + jsonBytes, 0);
  }
  const table = await leadCsv(declared, first, isWhole);
  yield table.header;
  yield* table.lines(first);
  for await (const leads of pages) yield* table.lines(leads);
};

/**
 * Waits for the first chunk, so that a fault up to there is still answered as one. A later fault breaks the
 * connection off: an export that lacks its end must not look complete. When the client goes away, the stream
 * is cancelled, and with it the generator.
 */
async function streamOf(chunks: AsyncGenerator<string>, clock: Clock, onBreak: (error: unknown) => void) {
  const first = await chunks.next();
  const encoder = new TextEncoder();
  async function* bytes() {
    try {
      if (!first.done) yield encoder.encode(first.value);
      for await (const chunk of chunks) {
        // A reader that keeps up would otherwise get all of a page at once.
        await clock.turn();
        yield encoder.encode(chunk);
      }
    } catch (error) {
      onBreak(error);
      // What the HTTP layer does with an error is not ours to know, so it gets one that says nothing.
      throw new Error('An export broke off.');
    }
  }
  return ReadableStream.from(bytes()) as ReadableStream<Uint8Array>;
}

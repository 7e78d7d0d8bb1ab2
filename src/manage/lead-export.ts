import { leadExportQuery } from '../contract/lead.ts';
import { listDeclaredKeys } from '../db/forms.ts';
import type { LeadFilter } from '../db/lead-filter.ts';
import type { LeadRecord } from '../db/leads.ts';
import { csvLine } from './csv.ts';
import { leadPages } from './lead-pages.ts';
import type { SearchDeps } from './lead-search.ts';
import { download, fieldFilterText, leadFilter, viewLead } from './leads.ts';
import { file, route } from './route.ts';

const contentTypes = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const;

const fieldColumnsMax = 500;
// Two pages: what is held until the header is written stays as small as what is written at once.
const headerLeads = 500;
const fixedColumns = [
  'submission_id',
  'received_at',
  'form_id',
  'surface',
  'verdict',
  'grade',
  'score',
  'risk',
] as const;
const otherColumn = 'other_fields';

export const leadExportRoutes = [
  route({
    method: 'get',
    path: '/workspaces/:workspace_id/leads/export',
    tag: 'Leads',
    summary: 'Export leads',
    description: [
      fieldFilterText,
      `CSV has a column per declared field and per top-level key of the newest ${headerLeads} leads, ${fieldColumnsMax} at`,
      `most; keys beyond them share the column \`${otherColumn}\` as JSON. A key that has the name of a fixed column becomes`,
      '`field.<key>`. A text that a spreadsheet would run as a formula gets a leading apostrophe.',
    ].join(' '),
    access: 'member',
    query: leadExportQuery,
    answer: file('text/csv', 'application/x-ndjson'),
    async handle({ params, query }, deps) {
      const { clock, log } = deps;
      const now = new Date(clock.now());
      // Leads that arrive from now on could have keys that are not in the header any more.
      const filter = { ...leadFilter(query), to: query.to ?? new Date(now.getTime() + 1) };
      const chunks = (query.format === 'csv' ? csv : ndjson)(deps, params.workspace_id, filter);
      const fileName = `leads-${now.toISOString().slice(0, 10)}.${query.format}`;
      const stream = await streamOf(chunks, (error) => log.error({ err: error }, 'an export broke off'));
      return download(stream, contentTypes[query.format], fileName);
    },
  }),
];

type Write = (deps: SearchDeps, workspaceId: string, filter: LeadFilter) => AsyncGenerator<string>;

const ndjson: Write = async function* (deps, workspaceId, filter) {
  for await (const leads of leadPages(deps, workspaceId, filter)) {
    yield leads.map((lead) => `${JSON.stringify(viewLead(lead))}\n`).join('');
  }
};

/** The header comes from the newest leads, because a file of millions should begin before all of them are read. */
const csv: Write = async function* (deps, workspaceId, filter) {
  const declared = await listDeclaredKeys(deps.pool, workspaceId, filter.formId);
  const pages = leadPages(deps, workspaceId, filter);
  const first: LeadRecord[] = [];
  let isWhole = false;
  while (!isWhole && first.length < headerLeads) {
    const { value, done } = await pages.next();
    if (done) isWhole = true;
    else first.push(...value);
  }
  const keys = [...new Set([...declared, ...keysByFrequency(first)])];
  const columns = keys.slice(0, fieldColumnsMax);
  const hasOthers = !isWhole || keys.length > columns.length;
  yield csvLine([...fixedColumns, ...columns.map(columnName), ...(hasOthers ? [otherColumn] : [])]);
  const lines = (leads: readonly LeadRecord[]) =>
    leads.map((lead) => csvLine(csvValues(lead, columns, hasOthers))).join('');
  yield lines(first);
  for await (const leads of pages) yield lines(leads);
};

function keysByFrequency(leads: readonly LeadRecord[]): string[] {
  const counts = new Map<string, number>();
  for (const key of leads.flatMap(({ fields }) => Object.keys(fields))) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const byFrequency = [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return byFrequency.map(([key]) => key);
}

function columnName(key: string): string {
  return [...fixedColumns, otherColumn].includes(key) ? `field.${key}` : key;
}

function csvValues(record: LeadRecord, columns: readonly string[], overflows: boolean): unknown[] {
  const lead = viewLead(record);
  // A key may well be called "constructor".
  const values = columns.map((key) => (Object.hasOwn(lead.fields, key) ? lead.fields[key] : null));
  return [
    ...fixedColumns.map((column) => lead[column]),
    ...values,
    ...(overflows ? [otherFields(lead.fields, columns)] : []),
  ];
}

function otherFields(fields: Readonly<Record<string, unknown>>, columns: readonly string[]): object | null {
  const shown = new Set(columns);
  const others = Object.entries(fields).filter(([key]) => !shown.has(key));
  return others.length === 0 ? null : Object.fromEntries(others);
}

/**
 * Waits for the first chunk, so that a fault up to there is still answered as one. A later fault breaks the
 * connection off: an export that lacks its end must not look complete. When the client goes away, the stream
 * is cancelled, and with it the generator.
 */
async function streamOf(chunks: AsyncGenerator<string>, onBreak: (error: unknown) => void) {
  const first = await chunks.next();
  const encoder = new TextEncoder();
  async function* bytes() {
    try {
      if (!first.done) yield encoder.encode(first.value);
      for await (const chunk of chunks) yield encoder.encode(chunk);
    } catch (error) {
      onBreak(error);
      // What the HTTP layer does with an error is not ours to know, so it gets one that says nothing.
      throw new Error('An export broke off.');
    }
  }
  return ReadableStream.from(bytes()) as ReadableStream<Uint8Array>;
}

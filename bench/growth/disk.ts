import { formatCount, table } from '../report.ts';
import { runCommand } from '../targets/child.ts';
import type { GrowingDatabase } from './database.ts';

/** What the disk is used for. */
export interface Disk {
  readonly lines: readonly string[];
  /** The table of leads with its indexes, per lead. */
  readonly leadBytes: number;
  /** The whole data directory except the WAL, per lead. */
  readonly dataBytes: number;
  readonly walBytes: number;
}

interface Part {
  readonly title: string;
  readonly bytes: number;
  /** Null for parts without rows of their own. */
  readonly rows: number | null;
}

/** Tables that grow with the leads. */
const tables: Readonly<Record<string, string>> = {
  leads: 'leads',
  idempotency_keys: 'keys',
  lead_events: 'events',
  lead_enrichments: 'enrichments, of one workspace per size',
  enrichment_outbox: 'outbox',
};
/** Smaller parts are in the rest: tables without rows have some pages, too. */
const partBytesMin = 1e6;
/** Counted together, because none of them has a row per lead. */
const indexTables = ['lead_blocks', 'lead_grams', 'lead_runs'];

export async function measureDisk(database: GrowingDatabase): Promise<Disk> {
  const leads = await database.insertedLeads();
  const parts = await partsOf(database);
  const [wal] = await database.query<{ bytes: string }>(`select sum(size) as bytes from pg_ls_waldir()`);
  const walBytes = Number(wal?.bytes);
  const all = Number((await runCommand('du', ['-sB1', database.dir])).split('\t')[0]);
  const named = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  const rest = {
    title: 'everything else: outbox, diagnostics, accounts, catalogs',
    bytes: all - walBytes - named,
    rows: null,
  };
  const lines = [...parts, rest, { title: 'pg_wal', bytes: walBytes, rows: null }].map((part) =>
    lineOf(part, leads),
  );
  const head = ['disk', 'MB', 'bytes per lead', 'rows', 'bytes per row'];
  const ofLeads = parts.filter(({ title }) => title.startsWith('leads'));
  return {
    lines: table([head, ...lines, lineOf({ title: 'all', bytes: all, rows: null }, leads)]),
    leadBytes: ofLeads.reduce((sum, { bytes }) => sum + bytes, 0) / leads,
    dataBytes: (all - walBytes) / leads,
    walBytes,
  };
}

async function partsOf(database: GrowingDatabase): Promise<Part[]> {
  const sizes = await database.query<{ relation: string; part: string; bytes: string; rows: string }>(
    sizesOfTables,
  );
  const parts: Part[] = [];
  for (const [name, title] of Object.entries(tables)) {
    for (const { part, bytes, rows } of sizes.filter(({ relation }) => relation === name))
      if (Number(bytes) > partBytesMin)
        parts.push({ title: `${title}: ${part}`, bytes: Number(bytes), rows: Number(rows) });
  }
  const ofIndex = sizes.filter(({ relation }) => indexTables.includes(relation));
  const bytes = ofIndex.reduce((sum, one) => sum + Number(one.bytes), 0);
  return [...parts, { title: 'lead index, of one workspace per size', bytes, rows: null }];
}

function lineOf({ title, bytes, rows }: Part, leads: number): string[] {
  const perRow = rows === null || rows <= 0 ? '' : formatCount(bytes / rows);
  return [
    title,
    formatCount(bytes / 1e6),
    formatCount(bytes / leads),
    rows === null ? '' : formatCount(Math.max(0, rows)),
    perRow,
  ];
}

const sizesOfTables = `
  select t.relname as relation, part.name as part, part.bytes, t.reltuples as rows
  from pg_class t cross join lateral (
    select 0 as place, 'table' as name, pg_table_size(t.oid) - coalesce(pg_total_relation_size(nullif(t.reltoastrelid, 0)), 0)
      as bytes
    union all select 1, 'TOAST', coalesce(pg_total_relation_size(nullif(t.reltoastrelid, 0)), 0)
    union all select 2, i.indexrelid::regclass::text, pg_relation_size(i.indexrelid) from pg_index i where i.indrelid = t.oid
  ) as part
  where t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace
  order by t.relname, part.place, part.name`;

import pg from 'pg';
import { blockLeads, buildNextBlock, settledMs } from '../../src/enrich/lead-index/lead-index.ts';
import { nextInterval } from '../../src/enrich/lead-index/next-interval.ts';
import { systemClock } from '../../src/time/real-clock.ts';

/** What the index of a workspace takes, per lead. */
export interface IndexCost {
  readonly leads: number;
  readonly seconds: number;
  /** Of this process, which finds the grams and sorts the runs. */
  readonly nodeMicroseconds: number;
  readonly diskBytes: number;
  readonly walBytes: number;
}

/** Builds all blocks of the workspace. */
export async function buildIndex(url: string, workspaceId: string): Promise<IndexCost> {
  const pool = new pg.Pool({ connectionString: url });
  pool.on('error', () => {});
  try {
    const number = async (query: string) => Number((await pool.query(query)).rows[0].value);
    const walBefore = await number(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as value`);
    const cpuBefore = process.cpuUsage();
    const startedAt = performance.now();
    let leads = 0;
    // The service builds blocks too, one at a time with this.
    const settled = new Date(Date.now() - settledMs);
    while ((await nextInterval(pool, workspaceId, settled, blockLeads)) !== null)
      leads += (await buildNextBlock({ pool, clock: systemClock }, workspaceId)) ?? 0;
    const seconds = (performance.now() - startedAt) / 1_000;
    const cpu = process.cpuUsage(cpuBefore);
    const wal = (await number(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as value`)) - walBefore;
    const disk = await number(
      `select sum(pg_total_relation_size(name::regclass)) as value
       from unnest(array['lead_blocks', 'lead_grams', 'lead_runs']) as name`,
    );
    await pool.query('vacuum analyze lead_blocks, lead_grams, lead_runs');
    const of = (sum: number) => sum / Math.max(1, leads);
    return {
      leads,
      seconds,
      nodeMicroseconds: of(cpu.user + cpu.system),
      diskBytes: of(disk),
      walBytes: of(wal),
    };
  } finally {
    await pool.end();
  }
}

export function describeIndex(cost: IndexCost): string {
  const { leads, seconds, nodeMicroseconds, diskBytes, walBytes } = cost;
  return `Index: ${leads.toLocaleString('en')} leads in ${seconds.toFixed(0)} s; per lead ${nodeMicroseconds.toFixed(0)} µs of Node, ${diskBytes.toFixed(0)} bytes of disk, ${walBytes.toFixed(0)} bytes of WAL`;
}

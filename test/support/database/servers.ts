import pg from 'pg';
import { inject } from 'vitest';
import { databaseUrl } from './postgres.ts';

/** All rows of a query on each server that has the test's database: one, or the coordinator and the nodes of a cluster. */
async function queryServers<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const name = await nameOf(url);
  const rows: Row[] = [];
  for (const server of [inject('serverUrl'), ...inject('nodeUrls')]) {
    // Otherwise a node hides the tables of its buckets.
    const options = '-c citus.override_table_visibility=off';
    const client = new pg.Client({ connectionString: databaseUrl(server, name), options });
    await client.connect();
    const result = await client.query<Row>(sql).finally(() => client.end());
    rows.push(...result.rows);
  }
  return rows;
}

/** The sessions that meet a condition. What waits for the row of a lead waits on its node. */
export function sessions(url: string, condition: string): Promise<{ pid: number }[]> {
  return queryServers(url, `select pid from ${meant(condition)}`);
}

/** Ends such sessions and returns how many there were. */
export async function endSessions(url: string, condition: string): Promise<number> {
  return (await queryServers(url, `select pg_terminate_backend(pid) from ${meant(condition)}`)).length;
}

function meant(condition: string): string {
  return `pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and (${condition})`;
}

/** The name of the database of a URL. */
export async function nameOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('select current_database() as name');
  await client.end();
  return rows[0].name;
}

import pg from 'pg';
import { abandon } from './abandon.ts';

/**
 * Resolves when PostgreSQL takes commits: a message into its log makes the commit a real one, down to the disk,
 * without a table. A standby, or a server whose disk hangs, does not pass.
 */
export async function probe(databaseUrl: string, timeoutMs: number): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'leadgate probe',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
  });
  // Faults of a connection that is given up must not become faults of the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(`select pg_logical_emit_message(true, 'leadgate', 'probe')`);
  } finally {
    abandon(client);
  }
}

import { sql } from 'kysely';
import pg from 'pg';
import { confirmed, durable } from '../durability.ts';
import { ReadOnlyError } from '../errors.ts';
import { onlyRow } from '../sql.ts';
import { endStrays, processOf } from '../stray-process.ts';
import { abandon } from './abandon.ts';

// A primary that is set to read-only takes a message all the same.
const commit = sql<{ readonly isReadOnly: boolean }>`
  select pg_logical_emit_message(true, 'leadgate', 'probe'),
    current_setting('transaction_read_only')::boolean as "isReadOnly"`;

/**
 * Finds out whether PostgreSQL takes commits: a message into its log makes the commit a real one, down to the disk
 * and to a synchronous standby, without a table. A standby, or a server whose disk hangs, does not pass.
 */
export class Probe {
  readonly #databaseUrl: string;
  readonly #timeoutMs: number;
  /** The server process of the last try, which may still be there. */
  #strayPid: number | null = null;

  constructor(databaseUrl: string, timeoutMs: number) {
    this.#databaseUrl = databaseUrl;
    this.#timeoutMs = timeoutMs;
  }

  /** Resolves when PostgreSQL takes commits. */
  async run(): Promise<void> {
    const client = new pg.Client({
      connectionString: durable(this.#databaseUrl),
      application_name: 'leadgate probe',
      connectionTimeoutMillis: this.#timeoutMs,
      query_timeout: this.#timeoutMs,
      statement_timeout: this.#timeoutMs,
    });
    // Faults of a connection that is given up must not become faults of the process.
    client.on('error', () => {});
    try {
      await client.connect();
      await this.#endStray(client);
      this.#strayPid = processOf(client);
      const { isReadOnly } = await confirmed(client, () => onlyRow(client, commit));
      this.#strayPid = null;
      if (isReadOnly) throw new ReadOnlyError();
    } finally {
      abandon(client);
    }
  }

  async #endStray(client: pg.Client): Promise<void> {
    if (this.#strayPid === null) return;
    await endStrays(client, [this.#strayPid]);
    this.#strayPid = null;
  }
}

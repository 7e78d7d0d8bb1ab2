import pg from 'pg';
import { abandon } from './abandon.ts';
import { confirmed, durable } from './durability.ts';

const applicationName = 'leadgate probe';

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
      application_name: applicationName,
      connectionTimeoutMillis: this.#timeoutMs,
      query_timeout: this.#timeoutMs,
      statement_timeout: this.#timeoutMs,
    });
    // Faults of a connection that is given up must not become faults of the process.
    client.on('error', () => {});
    try {
      await client.connect();
      await this.#endStray(client);
      this.#strayPid = (client as unknown as { processID: number | null }).processID;
      await confirmed(client, () =>
        client.query(`select pg_logical_emit_message(true, 'leadgate', 'probe')`),
      );
      this.#strayPid = null;
    } finally {
      abandon(client);
    }
  }

  /**
   * A commit that waits for a synchronous standby heeds neither its time-out nor the end of its connection. One more
   * such process with each try would fill the server within minutes.
   */
  async #endStray(client: pg.Client): Promise<void> {
    if (this.#strayPid === null) return;
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where pid = $1 and application_name = $2 and wait_event = 'SyncRep'`,
      [this.#strayPid, applicationName],
    );
    this.#strayPid = null;
  }
}

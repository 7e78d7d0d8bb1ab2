import { sql } from 'kysely';
import type pg from 'pg';
import { confirmed, durable } from '../durability.ts';
import { ReadOnlyError } from '../errors.ts';
import { abandon } from '../hosts/abandon.ts';
import { createClient, doubt } from '../hosts/clients.ts';
import { onlyRow } from '../sql.ts';
import { endStrays, processOf, type ServerProcess } from '../stray-process.ts';

// A primary that is set to read-only still accepts the message, so the setting is checked too.
const commit = sql<{ readonly isReadOnly: boolean }>`
  select pg_logical_emit_message(true, 'leadgate', 'probe'),
    current_setting('transaction_read_only')::boolean as "isReadOnly"`;

/**
 * Checks whether PostgreSQL accepts commits. A WAL message makes it a real commit, down to the disk and a synchronous
 * standby, without a table. A hot standby fails, and so does a server whose disk hangs.
 */
export class Probe {
  readonly #databaseUrl: string;
  readonly #timeoutMs: number;
  /** The server process of the last attempt, which may still be running. */
  #stray: ServerProcess | null = null;

  constructor(databaseUrl: string, timeoutMs: number) {
    this.#databaseUrl = databaseUrl;
    this.#timeoutMs = timeoutMs;
  }

  /** Resolves when PostgreSQL accepts commits. */
  async run(): Promise<void> {
    const client = createClient({
      databaseUrl: durable(this.#databaseUrl),
      application_name: 'leadgate probe',
      connectionTimeoutMillis: this.#timeoutMs,
      query_timeout: this.#timeoutMs,
      statement_timeout: this.#timeoutMs,
    });
    // Errors of an abandoned connection must not end the process.
    client.on('error', () => {});
    try {
      await client.connect();
      await this.#endStray(client);
      this.#stray = processOf(client);
      const { isReadOnly } = await confirmed(client, () => onlyRow(client, commit));
      this.#stray = null;
      if (isReadOnly) throw new ReadOnlyError();
    } catch (error) {
      doubt(client);
      throw error;
    } finally {
      abandon(client);
    }
  }

  async #endStray(client: pg.Client): Promise<void> {
    if (this.#stray === null) return;
    await endStrays(client, [this.#stray]);
    this.#stray = null;
  }
}

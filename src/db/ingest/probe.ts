import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { confirmed, durable } from '../durability.ts';
import { ReadOnlyError } from '../errors.ts';
import { abandon } from '../hosts/abandon.ts';
import { createClient, doubt } from '../hosts/clients.ts';
import { onlyRow } from '../sql.ts';
import { endStrays, processOf, type ServerProcess } from '../stray-process.ts';

interface Probed {
  readonly isReadOnly: boolean;
}

// A primary that is set to read-only still accepts the message, so the setting is checked too.
const commit = sql<Probed>`
  select pg_logical_emit_message(true, 'leadgate', 'probe'),
    current_setting('transaction_read_only')::boolean as "isReadOnly"`;

export interface ProbeDeps {
  readonly databaseUrl: () => string;
  readonly timeoutMs: number;
  /** Unless a commit on this very server is meant. */
  readonly commit?: () => RawBuilder<Probed>;
}

/**
 * Checks whether PostgreSQL accepts commits. A WAL message makes it a real commit, down to the disk and a synchronous
 * standby, without a table. A hot standby fails, and so does a server whose disk hangs.
 */
export class Probe {
  readonly #deps: ProbeDeps;
  /** The server process of the last attempt, which may still be running. */
  #stray: ServerProcess | null = null;
  #running: Promise<void> | null = null;

  constructor(deps: ProbeDeps) {
    this.#deps = deps;
  }

  /** Resolves when PostgreSQL accepts commits. Those who ask at the same time share one attempt. */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    const { databaseUrl, timeoutMs } = this.#deps;
    const client = createClient({
      databaseUrl: durable(databaseUrl()),
      application_name: 'leadgate probe',
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      statement_timeout: timeoutMs,
    });
    // Errors of an abandoned connection must not end the process.
    client.on('error', () => {});
    try {
      await client.connect();
      await this.#endStray(client);
      this.#stray = processOf(client);
      const { isReadOnly } = await confirmed(client, () => onlyRow(client, this.#deps.commit?.() ?? commit));
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

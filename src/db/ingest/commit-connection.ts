import pg from 'pg';
import { confirmed, durable } from '../durability.ts';
import { isAnswered, isReadOnly } from '../errors.ts';
import { abandon } from './abandon.ts';
import {
  type CommitException,
  type CommitOptions,
  type EncodedLeads,
  ingestCommit,
} from './ingest-commit.ts';
import type { LaneConnection } from './ingest-database.ts';

/** The connection of one lane: opened when first needed, thrown away after any fault, opened again. */
export class CommitConnection implements LaneConnection {
  readonly #databaseUrl: string;
  readonly #deadlineMs: number;
  #client: pg.Client | null = null;

  constructor(databaseUrl: string, deadlineMs: number) {
    this.#databaseUrl = databaseUrl;
    this.#deadlineMs = deadlineMs;
  }

  async commit(leads: EncodedLeads, options: CommitOptions): Promise<CommitException[]> {
    const client = this.#client ?? (await this.#connect());
    this.#client = client;
    try {
      return await confirmed(client, () => ingestCommit(client, leads, options));
    } catch (error) {
      // Refused rows leave a sound connection behind; everything else is not worth finding out. One that is read-only may
      // stay so when the server no longer is.
      const isSound = isAnswered(error) && error.severity === 'ERROR' && !isReadOnly(error);
      if (!isSound) this.#discard(client);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#client?.end().catch(() => {});
    this.#client = null;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: durable(this.#databaseUrl),
      application_name: 'leadgate ingest',
      connectionTimeoutMillis: this.#deadlineMs,
      query_timeout: this.#deadlineMs,
      statement_timeout: this.#deadlineMs,
    });
    client.on('error', () => this.#discard(client)).on('end', () => this.#discard(client));
    try {
      await client.connect();
      return client;
    } catch (error) {
      // Nobody knows of it yet, so nobody else would close it.
      abandon(client);
      throw error;
    }
  }

  /** A late word of a connection that was given up must not cost the one that took its place. */
  #discard(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    abandon(client);
  }
}

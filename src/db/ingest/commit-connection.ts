import type pg from 'pg';
import type { Cancel, Clock } from '../../time/clock.ts';
import { systemClock } from '../../time/real-clock.ts';
import { confirmed, durable } from '../durability.ts';
import { isAnswered, isOutdatedSession, isReadOnly } from '../errors.ts';
import { abandon } from '../hosts/abandon.ts';
import { createClient, doubt } from '../hosts/clients.ts';
import type { CommitException, CommitOptions, StorableLead } from './ingest-commit.ts';
import type { LaneConnection } from './ingest-database.ts';

export interface CommitConnectionDeps {
  /** Asked for each connection, because a node of a cluster may get another address. */
  readonly databaseUrl: () => string;
  readonly deadlineMs: number;
  readonly clock?: Pick<Clock, 'deadline'>;
  readonly commit: (
    client: pg.Client,
    leads: readonly StorableLead[],
    options: CommitOptions,
  ) => Promise<CommitException[]>;
}

/**
 * The connection of one lane. Opened when first needed, and discarded and reopened after any error but a refused row. It can
 * have several commits: PostgreSQL gets each immediately, and does them one after the other.
 */
export class CommitConnection implements LaneConnection {
  readonly #deps: CommitConnectionDeps;
  #client: pg.Client | null = null;
  #connecting: Promise<pg.Client> | null = null;
  #underWay = 0;
  #clearLimit: Cancel = () => {};
  /** Where the connection leads to. */
  #url = '';

  constructor(deps: CommitConnectionDeps) {
    this.#deps = deps;
  }

  async commit(leads: readonly StorableLead[], options: CommitOptions): Promise<CommitException[]> {
    // Each has the whole time after those before it, and no more if they take less.
    const timeoutMs = ++this.#underWay * this.#deps.deadlineMs;
    try {
      return await this.#commit(leads, { ...options, timeoutMs });
    } finally {
      this.#underWay--;
      this.#limitNext();
    }
  }

  /** PostgreSQL begins with the next one now. */
  #limitNext(): void {
    this.#clearLimit();
    const { clock = systemClock, deadlineMs } = this.#deps;
    const client = this.#client;
    if (this.#underWay > 0 && client !== null)
      this.#clearLimit = clock.deadline(deadlineMs, () => this.#giveUp(client));
  }

  async #commit(leads: readonly StorableLead[], options: CommitOptions): Promise<CommitException[]> {
    // The server that had this address may still respond, although another has taken its place.
    if (this.#client !== null && this.#url !== this.#deps.databaseUrl()) this.#discard(this.#client);
    const client = this.#client ?? (await this.#connected());
    try {
      return await confirmed(client, () => this.#deps.commit(client, leads, options));
    } catch (error) {
      // After refused rows the connection is fine. After anything else it is not worth checking. A read-only connection may
      // stay read-only after the server is promoted.
      const isSound =
        isAnswered(error) && error.severity === 'ERROR' && !isReadOnly(error) && !isOutdatedSession(error);
      if (!isSound) this.#giveUp(client);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#client?.end().catch(() => {});
    this.#client = null;
  }

  /** Commits that need a connection at the same time share it. */
  #connected(): Promise<pg.Client> {
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  async #connect(): Promise<pg.Client> {
    const { databaseUrl, deadlineMs } = this.#deps;
    this.#url = databaseUrl();
    const client = createClient({
      databaseUrl: durable(this.#url),
      application_name: 'leadgate ingest',
      connectionTimeoutMillis: deadlineMs,
      query_timeout: deadlineMs,
      statement_timeout: deadlineMs,
      pipeline: true,
    });
    client.on('error', () => this.#discard(client)).on('end', () => this.#discard(client));
    try {
      await client.connect();
      this.#client = client;
      return client;
    } catch (error) {
      // It is not stored anywhere yet, so nothing else would close it.
      abandon(client);
      throw error;
    }
  }

  /** Its server may not be the one to write to. */
  #giveUp(client: pg.Client): void {
    doubt(client);
    this.#discard(client);
  }

  /** A late event of a discarded connection must not close its replacement. */
  #discard(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    abandon(client);
  }
}

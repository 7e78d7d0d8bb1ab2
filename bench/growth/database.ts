import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded/server.ts';
import { buildIndex, describeIndex } from '../leads/index-cost.ts';
import { createMeasuredWorkspace } from '../leads/lists.ts';
import { progressOf, type SeedPlan, seedLeads } from '../leads/seed.ts';
import { type SeededWorkspace, seedService } from '../seed.ts';
import { startServiceOn, workspaceCount } from '../targets/targets.ts';
import { undoLater } from '../undo.ts';
import { fullEnrichment } from './enrichment.ts';

/** Replaced settings of the embedded server. */
export type Settings = Readonly<Record<string, string>>;

export interface Wal {
  readonly bytes: number;
  /** Whole pages, which are written with the first change of a page after a checkpoint. */
  readonly pages: number;
}

/** The rounds of a size send more than 200 workspaces may in a minute. */
const loadedWorkspaces = 2 * workspaceCount;
/** The largest workspace, as in bench:leads. */
const largestLeads = 1_000_000;

/**
 * An embedded server whose database grows. The leads are those of the workspaces that receive the load, and of one more per
 * size, whose lists are measured. Only that one is indexed: an index of all would take eleven minutes for ten million leads.
 */
export class GrowingDatabase {
  readonly dir: string;
  readonly #workspaces: SeededWorkspace[] = [];
  #server: EmbeddedPostgres;
  #stopServer: () => Promise<void>;
  #plan: SeedPlan | null = null;
  readonly #encryptionKey = randomBytes(32).toString('hex');

  private constructor(dir: string, server: EmbeddedPostgres) {
    this.dir = dir;
    this.#server = server;
    this.#stopServer = undoLater(() => server.stop());
  }

  static async create(scratchDir: string, name: string): Promise<GrowingDatabase> {
    const dir = await mkdtemp(join(scratchDir, `${name}-`));
    undoLater(() => rm(dir, { recursive: true, force: true }));
    const database = new GrowingDatabase(dir, await startEmbeddedPostgres({ dataDir: dir, log: () => {} }));
    await database.withManagement(async (port) => {
      database.#workspaces.push(...(await seedService(port, loadedWorkspaces)));
    });
    return database;
  }

  get url(): string {
    return this.#server.url;
  }

  get pid(): number {
    return this.#server.pid;
  }

  get tokens(): string[] {
    return this.#workspaces.map(({ token }) => token);
  }

  /** Where the leads of the last fill went. */
  get plan(): SeedPlan {
    if (this.#plan === null) throw new Error('The database is empty');
    return this.#plan;
  }

  /** Starts the server again, with some other settings. */
  async restart(settings: Settings): Promise<void> {
    await this.#stopServer();
    const server = await startEmbeddedPostgres({ dataDir: this.dir, log: () => {}, settings });
    this.#server = server;
    this.#stopServer = undoLater(() => server.stop());
  }

  /** Runs the management API, and nothing that would work in the background. */
  async withManagement<T>(work: (port: number) => Promise<T>): Promise<T> {
    const service = await this.startService({ ROLE: 'manage' });
    const result = await work(service.port);
    await service.stop();
    return result;
  }

  startService(env: Readonly<Record<string, string>> = {}): ReturnType<typeof startServiceOn> {
    return startServiceOn(this.url, this.dir, { ENCRYPTION_KEY: this.#encryptionKey, ...env });
  }

  /** Adds leads until there are so many. */
  async fillTo(leads: number, { isIndexed }: { readonly isIndexed: boolean }): Promise<void> {
    const missing = leads - (await this.insertedLeads());
    const measured = await this.withManagement((port) => createMeasuredWorkspace(port, `Bench ${leads}`));
    this.#plan = {
      ...measured,
      leads: missing,
      every: Math.max(2, Math.round(missing / largestLeads)),
      otherWorkspaceIds: this.#workspaces.map(({ workspaceId }) => workspaceId),
      enrichment: fullEnrichment,
      withTraces: true,
    };
    await seedLeads(this.url, this.#plan, progressOf(missing));
    process.stdout.write('\n');
    if (isIndexed)
      process.stdout.write(`${describeIndex(await buildIndex(this.url, measured.workspaceId))}\n`);
    await this.query('analyze');
    await this.query('checkpoint');
  }

  /** What was written to the WAL. */
  async wal(): Promise<Wal> {
    const [row] = await this.query<{ bytes: string; pages: string }>(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes, wal_fpi as pages from pg_stat_wal`,
    );
    return { bytes: Number(row?.bytes), pages: Number(row?.pages) };
  }

  /** Of all time. Nothing deletes leads here, and counting ten million would fill the cache. */
  async insertedLeads(): Promise<number> {
    const [row] = await this.query<{ count: string }>(
      `select n_tup_ins as count from pg_stat_user_tables where relname = 'leads'`,
    );
    return Number(row?.count);
  }

  async query<Row extends object>(statement: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      return (await client.query<Row>(statement)).rows;
    } finally {
      await client.end();
    }
  }
}

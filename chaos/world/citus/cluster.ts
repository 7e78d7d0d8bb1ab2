import { join } from 'node:path';
import type pg from 'pg';
import { freePort } from '../../../bench/port.ts';
import { databaseUser } from '../../../src/db/embedded/cluster.ts';
import { type Engine, Postgres } from '../postgres.ts';
import { stopWithUs } from './guardian.ts';

const host = '127.0.0.1';

/** A coordinator and its nodes on this machine. A database of the cluster is one on each server, all with the same name. */
export class CitusCluster {
  readonly #dir: string;
  readonly #engine: Engine;
  readonly #nodes: Postgres[] = [];
  readonly coordinator: Postgres;

  private constructor(dir: string, engine: Engine, coordinator: Postgres) {
    this.#dir = dir;
    this.#engine = engine;
    this.coordinator = coordinator;
  }

  static async create(dir: string, nodeCount: number, engine: Engine): Promise<CitusCluster> {
    stopWithUs(dir);
    const coordinator = await Postgres.create(join(dir, 'coordinator'), await freePort(), engine);
    const cluster = new CitusCluster(dir, engine, coordinator);
    for (let number = 0; number < nodeCount; number++) await cluster.startNode();
    return cluster;
  }

  get nodes(): readonly Postgres[] {
    return this.#nodes;
  }

  get servers(): readonly Postgres[] {
    return [this.coordinator, ...this.#nodes];
  }

  /** Of the coordinator, as an operator would write it. */
  url(database: string): string {
    return `postgres://${databaseUser}@${host}:${this.coordinator.port}/${database}`;
  }

  /** A further server, which is in no database of the cluster yet. */
  async startNode(): Promise<Postgres> {
    const folder = join(this.#dir, `node-${this.#nodes.length + 1}`);
    const node = await Postgres.create(folder, await freePort(), this.#engine);
    this.#nodes.push(node);
    return node;
  }

  async createDatabase(name: string): Promise<void> {
    for (const server of this.servers) await this.#createOn(server, name);
    await this.coordinator.query(
      `select citus_set_coordinator_host('${host}', ${this.coordinator.port})`,
      name,
    );
    for (const node of this.#nodes) await this.#add(node, name);
  }

  /** Makes a started server a node of a database. It holds no bucket until one is moved to it. */
  async addNode(node: Postgres, database: string): Promise<void> {
    await this.#createOn(node, database);
    await this.#add(node, database);
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop('SIGQUIT')));
  }

  async #createOn(server: Postgres, database: string): Promise<void> {
    await server.createDatabase(database);
    await server.query('create extension citus', database);
  }

  async #add(node: Postgres, database: string): Promise<void> {
    await this.coordinator.query(`select citus_add_node('${host}', ${node.port})`, database);
  }
}

/**
 * Ends all connections to a database of a server and lets nobody connect, so that it can be cloned: Citus has a process in
 * each database that was ever used, and keeps connections from other servers.
 */
export async function closeConnections(client: pg.Client, database: string): Promise<void> {
  await client.query(`alter database ${database} allow_connections false`);
  for (;;) {
    const { rows } = await client.query(
      'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1',
      [database],
    );
    if (rows.length === 0) return;
  }
}

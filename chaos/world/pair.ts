import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../bench/port.ts';
import { databaseUser } from '../../src/db/embedded/cluster.ts';
import type { Random } from '../../src/time/random.ts';
import { Postgres } from './postgres.ts';
import { firstLeadMs, promote } from './promotion.ts';

const witnessPollMs = 5;
const attachPollMs = 50;
const attachMsMax = 120_000;
const standbyName = 'standby';

/**
 * Two PostgreSQL servers, treated as an operator would treat them:
 *   in step    the standby follows, and the primary waits for it at every commit
 *   waiting    the standby is down; the primary is up, and no commit is confirmed
 *   headless   the primary is down, and the standby has every confirmed commit
 *   alone      the standby was promoted. It waits for nobody: its settings never named a standby
 *   down       both are down; what follows depends on the state before
 *
 * A standby may only be promoted if the pair was in step when its primary was lost: `promote` is for headless pairs. From
 * alone, `rejoin` leads back to in step, with the servers in changed roles.
 */
export class Pair {
  readonly #dir: string;
  readonly #database: string;
  readonly #hosts: string;
  #primary: Postgres;
  #standby: Postgres;
  /** Per promotion, the milliseconds from its end to the first lead that the new primary committed. */
  readonly promotions: number[] = [];

  private constructor(dir: string, database: string, primary: Postgres, standby: Postgres, random: Random) {
    this.#dir = dir;
    this.#database = database;
    this.#primary = primary;
    this.#standby = standby;
    const ports = random.chance(0.5) ? [primary.port, standby.port] : [standby.port, primary.port];
    this.#hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  }

  static async create(dir: string, database: string, random: Random): Promise<Pair> {
    const primary = await Postgres.create(join(dir, 'first'), await freePort());
    await primary.createDatabase(database);
    const standby = await primary.createStandby(join(dir, 'second'), await freePort());
    const pair = new Pair(dir, database, primary, standby, random);
    await pair.#synchronise();
    return pair;
  }

  get primary(): Postgres {
    return this.#primary;
  }

  get standby(): Postgres {
    return this.#standby;
  }

  /** For the service, which has to find the primary itself. */
  get url(): string {
    return `postgres://${databaseUser}@${this.#hosts}/${this.#database}?target_session_attrs=read-write`;
  }

  get primaryUrl(): string {
    return this.#primary.url(this.#database);
  }

  get kills(): number {
    return this.#primary.kills + this.#standby.kills;
  }

  /** The standby becomes the primary. Returns when that has committed a lead. */
  async promote(): Promise<void> {
    const promotion = await promote(this.#standby);
    [this.#primary, this.#standby] = [this.#standby, this.#primary];
    this.promotions.push(await firstLeadMs(this.#primary, this.#database, promotion));
  }

  /** The former primary, which must be down, comes back as a synchronous standby, with files copied from the new primary. */
  async rejoin(): Promise<void> {
    await this.#standby.copy(this.#primary);
    await this.#synchronise();
  }

  /** The same with the files it has. Requires that it was stopped cleanly: then it has nothing that the new primary lacks. */
  async rejoinAsItIs(): Promise<void> {
    await this.#standby.follow(this.#primary);
    await this.#synchronise();
  }

  /** Both run again in their present roles, and are in step. */
  async heal(): Promise<void> {
    for (const server of [this.#primary, this.#standby]) {
      server.freeze('SIGCONT');
      await server.start();
    }
    await this.#synchronise();
  }

  async close(): Promise<void> {
    await Promise.all([this.#standby.stop('SIGQUIT'), this.#primary.stop('SIGQUIT')]);
    await rm(this.#dir, { recursive: true, force: true });
  }

  /** Waits for the standby to catch up, makes it synchronous, and returns when commits do wait for it. */
  async #synchronise(): Promise<void> {
    await this.#until(
      `select from pg_stat_replication where application_name = '${standbyName}' and state = 'streaming'`,
      attachPollMs,
    );
    await this.#primary.query(`alter system set synchronous_standby_names = '${standbyName}'`);
    await this.#primary.query('select pg_reload_conf()');
    await this.#seeCommitsWait();
  }

  /** The server's processes read a setting one after the other. A commit that waits proves that it is in effect. */
  async #seeCommitsWait(): Promise<void> {
    const witness = new pg.Client({ connectionString: this.primaryUrl, application_name: 'witness' });
    await witness.connect();
    let isSeen = false;
    const commitUntilSeen = async () => {
      while (!isSeen) await witness.query(`select pg_logical_emit_message(true, 'chaos', '')`);
    };
    const committing = commitUntilSeen();
    try {
      await this.#until(
        `select from pg_stat_activity where application_name = 'witness' and wait_event = 'SyncRep'`,
        witnessPollMs,
      );
    } finally {
      isSeen = true;
      await committing;
      await witness.end();
    }
  }

  async #until(condition: string, pollMs: number): Promise<void> {
    const client = new pg.Client({ connectionString: this.primaryUrl });
    await client.connect();
    try {
      for (const deadline = Date.now() + attachMsMax; Date.now() < deadline; await sleep(pollMs)) {
        if ((await client.query(condition)).rows.length > 0) return;
      }
      throw new Error(`The standby did not become synchronous: ${condition}`);
    } finally {
      await client.end();
    }
  }
}

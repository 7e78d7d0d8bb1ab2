import { sql } from 'kysely';
import type pg from 'pg';
import type { Queryable } from './pool.ts';
import { onlyRow, run } from './sql.ts';

/** Properties of a server that decide whether a committed lead survives. */
export interface ServerFacts {
  readonly versionNumber: number;
  readonly version: string;
  readonly isStandby: boolean;
  readonly encoding: string;
  readonly settings: Readonly<Record<string, string>>;
}

const settingNames = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums'];

export async function readServerFacts(db: Queryable): Promise<ServerFacts> {
  return onlyRow(
    db,
    sql<ServerFacts>`select current_setting('server_version_num')::int as "versionNumber",
        current_setting('server_version') as version,
        pg_is_in_recovery() as "isStandby",
        current_setting('server_encoding') as encoding,
        (select jsonb_object_agg(name, setting) from pg_settings where name = any (${settingNames})) as settings`,
  );
}

/** What a commit waits for unless its connection says otherwise. */
export interface CommitSettings {
  readonly synchronousCommit: string;
  readonly standbyNames: string;
}

export async function readCommitSettings(client: pg.ClientBase): Promise<CommitSettings> {
  return onlyRow(
    client,
    sql<CommitSettings>`select current_setting('synchronous_commit') as "synchronousCommit",
        current_setting('synchronous_standby_names') as "standbyNames"`,
  );
}

export function isAnswering(db: Queryable): Promise<boolean> {
  return run(db, sql`select 1`).then(
    () => true,
    () => false,
  );
}

/** True for a server that follows another: it can be read, but accepts no writes until it is promoted. */
export async function isStandby(db: Queryable): Promise<boolean> {
  const facts = await onlyRow(
    db,
    sql<Pick<ServerFacts, 'isStandby'>>`select pg_is_in_recovery() as "isStandby"`,
  );
  return facts.isStandby;
}

export async function readServerTime(db: Queryable): Promise<number> {
  const { now } = await onlyRow(db, sql<{ now: Date }>`select clock_timestamp() as now`);
  return now.getTime();
}

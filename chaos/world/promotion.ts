import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Postgres } from './postgres.ts';

/** Times of the server, as text, because a JavaScript date has only milliseconds. */
export interface Promotion {
  readonly askedAt: string;
  /** The server accepts writes. */
  readonly doneAt: string;
}

const promotedPollMs = 5;
const leadPollMs = 250;
const msMax = 60_000;

/** Makes a primary of a standby. Returns when it accepts writes. */
export async function promote(standby: Postgres): Promise<Promotion> {
  const client = new pg.Client({ connectionString: standby.url('postgres') });
  await client.connect();
  try {
    const asked = await client.query<{ at: string }>(
      'select clock_timestamp()::text as at, pg_promote(false)',
    );
    for (const deadline = Date.now() + msMax; Date.now() < deadline; await sleep(promotedPollMs)) {
      const { rows } = await client.query<{ at: string; isDone: boolean }>(
        'select clock_timestamp()::text as at, not pg_is_in_recovery() as "isDone"',
      );
      if (rows[0]?.isDone) return { askedAt: asked.rows[0]?.at ?? '', doneAt: rows[0].at };
    }
    throw new Error('The standby was not promoted');
  } finally {
    await client.end();
  }
}

/**
 * Waits for the first lead that the new primary committed, and returns how many milliseconds after the promotion that was;
 * Infinity when none came. Leads from the old primary were committed before the promotion, because it was down by then.
 */
export async function firstLeadMs(
  primary: Postgres,
  database: string,
  { askedAt, doneAt }: Promotion,
): Promise<number> {
  for (const deadline = Date.now() + msMax; Date.now() < deadline; await sleep(leadPollMs)) {
    const [row] = await primary.query(
      `select extract(epoch from min(at) - '${doneAt}'::timestamptz)::float8 * 1000 as ms
       from (select pg_xact_commit_timestamp(xmin) as at from leads) as lead where at >= '${askedAt}'`,
      database,
    );
    if (row?.ms !== null && row?.ms !== undefined) return Math.max(0, row.ms as number);
  }
  return Number.POSITIVE_INFINITY;
}

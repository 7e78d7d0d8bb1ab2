import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Instance } from './instance.ts';

const pollMs = 100;
export const usualQuietMsMax = 600_000;

/**
 * Waits until no lead is in transit: every instance that should run is ready and has an empty spool. Returns the seconds it
 * took, or null when that never happened.
 */
export async function untilQuiet(
  instances: readonly Instance[],
  msMax = usualQuietMsMax,
): Promise<number | null> {
  const startedAt = Date.now();
  while (Date.now() - startedAt < msMax) {
    if ((await Promise.all(instances.map(isQuiet))).every(Boolean)) return (Date.now() - startedAt) / 1000;
    await sleep(pollMs);
  }
  return null;
}

async function isQuiet(instance: Instance): Promise<boolean> {
  if (!instance.isWanted) return true;
  if (!(await instance.untilReady(pollMs))) return false;
  const metrics = await instance.metrics();
  return metrics !== null && (metrics.get('leadgate_spool_leads') ?? 0) === 0;
}

/** A request that a broken network delivered late may still be in progress when everything else is done. */
export async function untilIdle(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (let isIdle = false; !isIdle; await sleep(pollMs)) {
      const { rows } = await client.query(
        `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
           and (state <> 'idle' or backend_xid is not null) and query ilike '%ingest_commit%'`,
      );
      isIdle = rows.length === 0;
    }
  } finally {
    await client.end();
  }
}

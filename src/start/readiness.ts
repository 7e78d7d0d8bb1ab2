import type { Config } from '../config.ts';
import { isAnswering } from '../db/server-facts.ts';
import type { CommonParts } from './common-parts.ts';
import { hasRole } from './roles.ts';

/** Why this process is not ready. One that accepts leads is ready as long as it can keep them, even if only in the spool. */
export async function notReady(
  config: Config,
  { pool, plane, directory }: Pick<CommonParts, 'pool' | 'plane' | 'directory'>,
): Promise<string | null> {
  const isTaking = hasRole(config, 'ingest');
  if (isTaking && !directory.isLoaded) return 'PostgreSQL is unavailable, and no directory is loaded';
  if (isTaking) return plane.canKeepLeads() ? null : 'PostgreSQL and the spool are both unavailable';
  return (await isAnswering(pool)) ? null : 'PostgreSQL is unavailable';
}

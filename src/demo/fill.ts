import type { Api } from '../cli/api.ts';
import type { Config } from '../config.ts';
import { ConfigError } from '../config-error.ts';
import { openPool } from '../db/pool.ts';
import { createLogger } from '../telemetry/logger.ts';
import { livePast, type PastDeps } from './past.ts';
import { inviteOwner } from './people.ts';
import { type SavedDemo, saveDemo } from './saved-demo.ts';

interface FillDeps extends Omit<PastDeps, 'pool'> {
  readonly config: Config;
  readonly databaseUrl: string;
}

/** A partly filled demo cannot be continued. */
export async function requireEmpty({ dataDir }: Config, api: Api): Promise<void> {
  const { items } = await api.call('GET', '/workspaces');
  if (items.length > 0)
    throw new ConfigError(`${dataDir} has an incomplete demo. Delete the folder and start again.`);
}

/** Fills an empty service with a month of leads and an owner, and saves what later starts need. */
export async function fillDemo({ config, databaseUrl, ...past }: FillDeps): Promise<SavedDemo> {
  const pool = openPool(databaseUrl, 1, createLogger(config.logLevel));
  try {
    const stages = await livePast({ ...past, pool });
    const demo = { stages, signIn: await inviteOwner(past.api, stages) };
    saveDemo(config.dataDir, demo);
    return demo;
  } finally {
    await pool.end();
  }
}

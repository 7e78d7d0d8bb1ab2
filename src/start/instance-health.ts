import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { Config } from '../config.ts';
import { countWaitingJobs } from '../db/ingest/backlog.ts';
import { DiskWatch } from '../telemetry/health/disk-watch.ts';
import { HealthHistory } from '../telemetry/health/health-history.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Clock } from '../time/clock.ts';
import type { DataPlane } from './data-plane.ts';
import { hasRole } from './roles.ts';

export interface InstanceHealthDeps {
  readonly config: Pick<Config, 'dataDir' | 'spoolDir' | 'role'>;
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly plane: Pick<DataPlane, 'figures'>;
}

/** What operators see of this process besides its gauges. */
export interface InstanceHealth {
  readonly version: string;
  readonly startedAt: number;
  readonly disks: DiskWatch;
  readonly history: HealthHistory;
  stop(): Promise<void>;
}

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string;
};

/** Watches disks and keeps a history, in processes that can be asked for them. */
export function watchHealth({ config, pool, clock, metrics, plane }: InstanceHealthDeps): InstanceHealth {
  const { figures } = plane;
  const disks = new DiskWatch({ clock, dataDir: config.dataDir, spoolDir: config.spoolDir });
  const history = new HealthHistory({
    clock,
    metrics,
    queueLeads: figures.queueDepth,
    spoolLeads: figures.spoolLeads,
    disks: () => disks.disks,
    waitingJobs: async () => (figures.isDatabaseAvailable() ? countWaitingJobs(pool) : null),
  });
  if (hasRole(config, 'manage')) {
    disks.start();
    history.start();
  }
  return {
    version,
    startedAt: clock.now(),
    disks,
    history,
    async stop() {
      await history.stop();
      await disks.stop();
    },
  };
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { Config } from '../config.ts';
import { countWaitingJobs } from '../db/ingest/backlog.ts';
import { DiskWatch } from '../telemetry/health/disk-watch.ts';
import { HealthHistory } from '../telemetry/health/health-history.ts';
import { figuresOf, type HostView } from '../telemetry/host/host-figures.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Clock } from '../time/clock.ts';
import type { DataPlane } from './data-plane.ts';
import { hasRole } from './roles.ts';

export interface InstanceHealthDeps {
  readonly config: Pick<Config, 'dataDir' | 'spoolDir' | 'role'>;
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly view: HostView;
  readonly plane: Pick<DataPlane, 'figures'>;
}

/** What operators see besides metrics. */
export interface InstanceHealth {
  readonly version: string;
  readonly startedAt: number;
  readonly disks: DiskWatch;
  readonly history: HealthHistory;
  readonly view: HostView;
  stop(): Promise<void>;
}

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string;
};

/** Watches disks and keeps a history, in processes that can be asked for them. */
export function watchHealth({ config, pool, clock, view, plane }: InstanceHealthDeps): InstanceHealth {
  const { isDatabaseAvailable } = plane.figures;
  const disks = new DiskWatch({ clock, dataDir: config.dataDir, spoolDir: config.spoolDir });
  const history = new HealthHistory({
    clock,
    figures: () => view.figures(),
    disks: () => disks.disks,
    waitingJobs: async () => (isDatabaseAvailable() ? countWaitingJobs(pool) : null),
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
    view,
    async stop() {
      await history.stop();
      await disks.stop();
    },
  };
}

/** A host with one process: what the process knows about itself. */
export function ownHost(metrics: Metrics, { figures }: Pick<DataPlane, 'figures'>): HostView {
  return {
    contentType: metrics.contentType,
    text: () => metrics.text(),
    async figures() {
      const report = { metrics: await metrics.read(), isSpoolUsable: figures.isSpoolUsable() };
      return figuresOf(report, null);
    },
  };
}

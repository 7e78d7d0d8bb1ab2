import { hostname } from 'node:os';
import type { Health, HealthSeries } from '../../../contract/operator/health.ts';
import * as contract from '../../../contract/operator/health.ts';
import { type Backlog, countBacklog } from '../../../db/ingest/backlog.ts';
import { readServerTime } from '../../../db/server-facts.ts';
import { isUnavailable } from '../../../db/unavailable.ts';
import {
  type HistoryPoint,
  historyPointsMax,
  historyStepMs,
} from '../../../telemetry/health/health-history.ts';
import type { HostFigures } from '../../../telemetry/host/host-figures.ts';
import { secondMs } from '../../../time/clock.ts';
import { route } from '../../calls/route.ts';
import type { InstanceFacts, ManagementDeps } from '../../deps.ts';
import { statementsOf } from './statements.ts';

export const healthRoutes = [
  route(contract.readHealth, (_call, deps) => readHealth(deps)),
  route(
    contract.readHealthSeries,
    async (_call, deps): Promise<HealthSeries> => ({
      instance: viewInstance(deps),
      workers: deps.instance().workerCount,
      step_seconds: historyStepMs / secondMs,
      points_max: historyPointsMax,
      points: deps.history.points.map(viewPoint),
    }),
  ),
];

// Operators look at this page when something is slow, so it must not be.
const answerMsMax = 3 * secondMs;

interface Asked {
  readonly backlog: Backlog;
  readonly clockDifferenceMs: number;
}

async function readHealth(deps: ManagementDeps): Promise<Health> {
  const [facts, figures] = [deps.instance(), await deps.figures()];
  const recent = deps.history.recent(figures);
  const asked = await askDatabase(deps);
  const backlog = asked?.backlog ?? null;
  const clockDifferenceMs = asked?.clockDifferenceMs ?? null;
  const { spoolLeads, spoolBytes, isSpoolUsable } = figures;
  const spool = {
    leads: spoolLeads,
    bytes: spoolBytes,
    bytesMax: facts.spoolBytesMax,
    isUsable: isSpoolUsable,
  };
  const uptimeMs = uptimeOf(deps);
  return {
    statements: statementsOf({
      ...facts,
      ...figures,
      ...recent,
      spool,
      backlog,
      clockDifferenceMs,
      uptimeMs,
      hasUncountedProxy: deps.uncountedProxy.isThere,
    }),
    ...viewNumbers({ ...facts, ...figures }, backlog),
    instance: viewInstance(deps),
    workers: viewWorkers(figures),
    leads: { per_second: recent.leadsPerSecond },
    commit: { p50_ms: recent.commitP50Ms, p99_ms: recent.commitP99Ms },
    clock: { difference_ms: clockDifferenceMs, leap_seconds: facts.leapMs / secondMs },
  };
}

function viewWorkers({ workers }: HostFigures): Health['workers'] {
  if (workers === null) return null;
  const { configured, running, restarts, sinceRestartMs } = workers;
  return { configured, running, restarts, seconds_since_restart: secondsOf(sinceRestartMs) };
}

/** While the database is down, operators need the other numbers most: null then, and soon. */
async function askDatabase({ pool, clock }: ManagementDeps): Promise<Asked | null> {
  const answered = new AbortController();
  const late = clock.sleep(answerMsMax, answered.signal).then(() => null);
  const asked = (async () => {
    const before = clock.now();
    const serverTime = await readServerTime(pool);
    const after = clock.now();
    // The server read its clock at some moment in between, so only a time outside that range is a difference.
    const ahead = Math.max(0, before - serverTime);
    const behind = Math.max(0, serverTime - after);
    return { clockDifferenceMs: ahead - behind, backlog: await countBacklog(pool) };
  })().catch((error) => {
    if (isUnavailable(error)) return null;
    throw error;
  });
  return Promise.race([asked, late]).finally(() => answered.abort());
}

function viewNumbers(figures: InstanceFacts & HostFigures, backlog: Backlog | null) {
  return {
    database: { available: figures.isDatabaseAvailable },
    commit_queue: { leads: figures.queueLeads },
    spool: {
      leads: figures.spoolLeads,
      bytes: figures.spoolBytes,
      bytes_max: figures.spoolBytesMax,
      usable: figures.isSpoolUsable,
      quarantined: backlog?.quarantined ?? null,
      refused: backlog?.refused ?? null,
    },
    directory: { age_seconds: figures.directoryAgeMs / secondMs },
    enrichment: {
      noted: backlog?.noted ?? null,
      waiting: backlog?.waiting ?? null,
      failed: backlog?.failed ?? null,
      oldest_seconds: secondsOf(backlog?.oldestMs ?? null),
    },
    disks: figures.disks.map(({ folder, bytesTotal, bytesAvailable }) => ({
      folder,
      bytes_total: bytesTotal,
      bytes_available: bytesAvailable,
    })),
  };
}

function viewInstance(deps: ManagementDeps): Health['instance'] {
  const { role, version, startedAt } = deps.instance();
  return {
    host: hostname(),
    process_id: process.pid,
    role,
    version,
    started_at: new Date(startedAt).toISOString(),
    uptime_seconds: Math.floor(uptimeOf(deps) / secondMs),
  };
}

function uptimeOf({ clock, instance }: ManagementDeps): number {
  return Math.max(0, clock.now() - instance().startedAt);
}

function viewPoint(point: HistoryPoint): HealthSeries['points'][number] {
  return {
    at: new Date(point.at).toISOString(),
    leads_per_second: rounded(point.leadsPerSecond ?? 0),
    commit_p50_ms: roundedOrNull(point.commitP50Ms),
    commit_p99_ms: roundedOrNull(point.commitP99Ms),
    spool_leads: point.spoolLeads,
    queue_leads: point.queueLeads,
    enrichment_waiting: point.waitingJobs,
    disk_used_percent: roundedOrNull(point.diskUsedPercent),
  };
}

function secondsOf(ms: number | null): number | null {
  return ms === null ? null : Math.max(0, ms / secondMs);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

function roundedOrNull(value: number | null): number | null {
  return value === null ? null : rounded(value);
}

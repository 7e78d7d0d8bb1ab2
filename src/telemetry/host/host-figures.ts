import { secondMs } from '../../time/clock.ts';
import { commitBoundsSeconds } from '../metrics.ts';
import type { Series, WorkerReport } from './metric.ts';
import type { MetricsText } from './metrics-text.ts';

/** What the health page needs to know about all workers of a host together, or about the only process. */
export interface HostFigures {
  /** Leads accepted since the start. */
  readonly accepted: number;
  /** Commits since the start, up to each of `commitBoundsMs`. */
  readonly commits: readonly number[];
  readonly queueLeads: number;
  readonly spoolLeads: number;
  readonly spoolBytes: number;
  readonly isDatabaseAvailable: boolean;
  /** Of a cluster; empty without one. */
  readonly nodes: readonly { readonly address: string; readonly isAvailable: boolean }[];
  readonly isSpoolUsable: boolean;
  readonly directoryAgeMs: number;
  readonly log: { readonly isWritable: boolean; readonly droppedLines: number };
  /** Null if there is only one process. */
  readonly workers: WorkerFigures | null;
}

export interface WorkerFigures {
  readonly configured: number;
  /** Those that accept leads and respond. One more while a worker is replaced. */
  readonly running: number;
  /** Workers that died and were replaced since the supervisor started. */
  readonly restarts: number;
  /** Time since the last of them; null without one. */
  readonly sinceRestartMs: number | null;
}

/** Where the control plane finds out about its host: from its own process, or from the supervisor. */
export interface HostView extends MetricsText {
  figures(): Promise<HostFigures>;
}

/** Read from metrics, so that what outlives a worker there does so here. */
export function figuresOf(
  { metrics, isSpoolUsable }: WorkerReport,
  workers: WorkerFigures | null,
): HostFigures {
  const seriesOf = (name: string) => metrics.find((metric) => metric.name === name)?.values ?? [];
  const only = (name: string) => seriesOf(name)[0]?.value ?? 0;
  return {
    accepted: acceptedIn(seriesOf('leadgate_ingest_requests_total')),
    commits: commitsIn(seriesOf('leadgate_commit_duration_seconds')),
    queueLeads: only('leadgate_commit_queue_depth'),
    spoolLeads: only('leadgate_spool_leads'),
    spoolBytes: only('leadgate_spool_bytes'),
    isDatabaseAvailable: only('leadgate_database_available') === 1,
    nodes: seriesOf('leadgate_node_available').map(({ labels, value }) => ({
      address: String(labels.node),
      isAvailable: value === 1,
    })),
    isSpoolUsable,
    directoryAgeMs: only('leadgate_directory_age_seconds') * secondMs,
    log: {
      isWritable: only('leadgate_log_writable') === 1,
      droppedLines: only('leadgate_log_lines_dropped_total'),
    },
    workers,
  };
}

function acceptedIn(requests: readonly Series[]): number {
  return requests
    .filter(({ labels }) => labels.outcome === 'accepted')
    .reduce((sum, { value }) => sum + value, 0);
}

function commitsIn(durations: readonly Series[]): number[] {
  const counts = new Map(durations.map(({ labels, value }) => [labels.le, value]));
  return [...commitBoundsSeconds, '+Inf' as const].map((bound) => counts.get(bound) ?? 0);
}

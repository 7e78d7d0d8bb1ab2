import { type Clock, type Loop, minuteMs, secondMs } from '../../time/clock.ts';
import { commitBoundsMs, type Metrics } from '../metrics.ts';
import { type DiskUse, usedPercent } from './disk-watch.ts';
import { quantileOf } from './quantile.ts';

export interface HealthHistoryDeps {
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'acceptedTotal' | 'commitCounts'>;
  readonly queueLeads: () => number;
  readonly spoolLeads: () => number;
  readonly disks: () => readonly DiskUse[];
  /** Asks the database; null while it is unavailable. */
  readonly waitingJobs: () => Promise<number | null>;
}

/** What happened in one step, or since a moment. */
interface Rates {
  readonly leadsPerSecond: number | null;
  readonly commitP50Ms: number | null;
  readonly commitP99Ms: number | null;
}

export interface HistoryPoint extends Rates {
  /** The end of the step, in milliseconds since 1970. */
  readonly at: number;
  readonly spoolLeads: number;
  readonly queueLeads: number;
  readonly waitingJobs: number | null;
  readonly diskUsedPercent: number | null;
}

/** The counters at a moment. */
interface Mark {
  readonly monotonic: number;
  readonly accepted: number;
  readonly commits: readonly number[];
}

const lookMs = 10 * secondMs;
const looksPerStep = 3;
const recentMs = 5 * minuteMs;
// One look of the database may take as long as a look, not longer.
const waitMsMax = lookMs / 2;

export const historyStepMs = looksPerStep * lookMs;
export const historyPointsMax = 120;

/**
 * The last hour of this process, for the charts of operators. It reads what is counted anyway, so requests cost nothing more.
 * In memory only: a restart begins again.
 */
export class HealthHistory {
  readonly #deps: HealthHistoryDeps;
  readonly #points: HistoryPoint[] = [];
  /** The starts of the recent steps, oldest first. */
  readonly #marks: Mark[];
  #looks = 0;
  #spoolMax = 0;
  #queueMax = 0;
  #loop: Loop | undefined;

  constructor(deps: HealthHistoryDeps) {
    this.#deps = deps;
    const commits = commitBoundsMs.map(() => 0);
    this.#marks = [{ monotonic: deps.clock.monotonic(), accepted: 0, commits }];
  }

  get points(): readonly HistoryPoint[] {
    return this.#points;
  }

  start(): void {
    this.#loop = this.#deps.clock.repeat(() => this.look(), { pauseMs: lookMs, pauseFirst: true });
  }

  /** Does not wait for the database. */
  async stop(): Promise<void> {
    void this.#loop?.stop();
  }

  /** Gauges are looked at more often than points are added, so that a point has the largest value of its step. */
  async look(): Promise<void> {
    const { queueLeads, spoolLeads } = this.#deps;
    this.#queueMax = Math.max(this.#queueMax, queueLeads());
    this.#spoolMax = Math.max(this.#spoolMax, spoolLeads());
    if (++this.#looks % looksPerStep === 0) await this.#addPoint();
  }

  /** Of the last five minutes, or since the start. */
  async recent(): Promise<Rates> {
    return ratesBetween(this.#marks[0] as Mark, await this.#mark());
  }

  async #addPoint(): Promise<void> {
    const { clock, disks } = this.#deps;
    const mark = await this.#mark();
    const point = {
      at: clock.now(),
      ...ratesBetween(this.#marks.at(-1) as Mark, mark),
      spoolLeads: this.#spoolMax,
      queueLeads: this.#queueMax,
      waitingJobs: await this.#waitingJobs(),
      diskUsedPercent: usedPercent(disks()),
    };
    this.#points.push(point);
    if (this.#points.length > historyPointsMax) this.#points.shift();
    this.#marks.push(mark);
    while ((this.#marks[1] as Mark).monotonic <= mark.monotonic - recentMs) this.#marks.shift();
    this.#queueMax = 0;
    this.#spoolMax = 0;
  }

  async #mark(): Promise<Mark> {
    const { clock, metrics } = this.#deps;
    const commits = await metrics.commitCounts();
    return { monotonic: clock.monotonic(), accepted: metrics.acceptedTotal, commits };
  }

  async #waitingJobs(): Promise<number | null> {
    const { clock, waitingJobs } = this.#deps;
    const answered = new AbortController();
    const late = clock.sleep(waitMsMax, answered.signal).then(() => null);
    const counted = waitingJobs().catch(() => null);
    return Promise.race([counted, late]).finally(() => answered.abort());
  }
}

function ratesBetween(before: Mark, after: Mark): Rates {
  const seconds = (after.monotonic - before.monotonic) / secondMs;
  const commits = after.commits.map((count, index) => count - (before.commits[index] ?? 0));
  return {
    // In the first moment after a start, the rate would be that of the moment.
    leadsPerSecond: seconds < 1 ? null : (after.accepted - before.accepted) / seconds,
    commitP50Ms: quantileOf(commitBoundsMs, commits, 0.5),
    commitP99Ms: quantileOf(commitBoundsMs, commits, 0.99),
  };
}

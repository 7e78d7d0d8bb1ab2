import { type Clock, type Loop, minuteMs, secondMs } from '../../time/clock.ts';
import type { HostFigures } from '../host/host-figures.ts';
import { commitBoundsMs } from '../metrics.ts';
import { type DiskUse, usedPercent } from './disk-watch.ts';
import { quantileOf } from './quantile.ts';

export interface HealthHistoryDeps {
  readonly clock: Clock;
  readonly figures: () => Promise<CountedFigures>;
  readonly disks: () => readonly DiskUse[];
  /** Asks the database; null while it is unavailable. */
  readonly waitingJobs: () => Promise<number | null>;
}

type CountedFigures = Pick<HostFigures, 'accepted' | 'commits' | 'queueLeads' | 'spoolLeads'>;

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
 * The last hour of this process, or of all workers of its host, for the charts of operators. It reads what is counted anyway,
 * so requests cost nothing more. In memory only: a restart begins again.
 */
export class HealthHistory {
  readonly #deps: HealthHistoryDeps;
  readonly #points: HistoryPoint[] = [];
  /** The starts of the recent steps, oldest first. */
  readonly #marks: Mark[] = [];
  #looks = 0;
  #spoolMax = 0;
  #queueMax = 0;
  #loop: Loop | undefined;

  constructor(deps: HealthHistoryDeps) {
    this.#deps = deps;
  }

  get points(): readonly HistoryPoint[] {
    return this.#points;
  }

  start(): void {
    this.#loop = this.#deps.clock.repeat(() => this.look(), { pauseMs: lookMs });
  }

  /** Does not wait for the database. */
  async stop(): Promise<void> {
    void this.#loop?.stop();
  }

  /**
   * Gauges are looked at more often than points are added, so that a point has the largest value of its step. The first look
   * begins the first step: other workers may have counted for days when this one starts.
   */
  async look(): Promise<void> {
    const figures = await this.#deps.figures();
    if (this.#marks.length === 0) {
      this.#marks.push(this.#mark(figures));
      return;
    }
    this.#queueMax = Math.max(this.#queueMax, figures.queueLeads);
    this.#spoolMax = Math.max(this.#spoolMax, figures.spoolLeads);
    if (++this.#looks % looksPerStep === 0) await this.#addPoint(figures);
  }

  /** Of the last five minutes, or since the start; `figures` are those of now. */
  recent(figures: CountedFigures): Rates {
    const [oldest] = this.#marks;
    return ratesBetween(oldest ?? this.#mark(figures), this.#mark(figures));
  }

  async #addPoint(figures: CountedFigures): Promise<void> {
    const { clock, disks } = this.#deps;
    const mark = this.#mark(figures);
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

  #mark({ accepted, commits }: CountedFigures): Mark {
    return { monotonic: this.#deps.clock.monotonic(), accepted, commits };
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

import type { HostLink } from '../../ingest/siblings/link.ts';
import {
  figuresOf,
  type HostFigures,
  type HostView,
  type WorkerFigures,
} from '../../telemetry/host/host-figures.ts';
import { countsOf, mergeMetrics, withoutDecrease } from '../../telemetry/host/merge-metrics.ts';
import { type Metric, readReport, type WorkerReport } from '../../telemetry/host/metric.ts';
import { metricsContentType, readMetrics, textOf } from '../../telemetry/host/metrics-text.ts';
import { supervisorMetrics } from '../../telemetry/host/supervisor-metrics.ts';
import { type Clock, type Loop, secondMs } from '../../time/clock.ts';
import { within } from '../../time/within.ts';
import type { HostPart } from './supervisor.ts';
import { hostTopics } from './worker-metrics.ts';

export interface HostMetricsDeps {
  readonly clock: Clock;
  readonly workersConfigured: number;
}

interface Worker {
  readonly link: HostLink;
  /** Null until the first, which a worker sends once it accepts leads. */
  report: WorkerReport | null;
  /** True from a question until its reply. */
  isAsked: boolean;
  /** When it joined or last replied. */
  heardAt: number;
}

// A worker that is killed loses what it counted since the last question.
const askMs = 3 * secondMs;
const replyMsMax = 2 * secondMs;
// Several questions without a reply.
const silenceMsMax = 10 * secondMs;

/**
 * The metrics of all workers of this host as one set, and what the health page shows of them.
 *
 *   joined → asked   every few seconds, and on each scrape
 *   asked  → joined  by its reply. If it is late, its last report counts meanwhile, and it is not asked again, so a worker that
 *                    hangs collects no questions
 *   either → gone    when it has stopped: in one step its counts move to `#gone`, and its gauges count no more
 *
 * Whatever workers do, no count in `#shown` goes down.
 */
export class HostMetrics implements HostView, HostPart {
  readonly contentType = metricsContentType;
  readonly #deps: HostMetricsDeps;
  readonly #workers = new Map<number, Worker>();
  readonly #own = supervisorMetrics(() => this.workers);
  #gone: Metric[] = [];
  #shown: Metric[] = [];
  #restarts = 0;
  #restartedAt: number | null = null;
  #asking: Promise<void> | null = null;
  #next: Promise<void> | null = null;
  #loop: Loop | undefined;

  constructor(deps: HostMetricsDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#loop = this.#deps.clock.repeat(() => this.#ask(), { pauseMs: askMs });
  }

  /** Does not wait for workers. */
  async stop(): Promise<void> {
    void this.#loop?.stop();
  }

  /** Call it as soon as there is a link. A new worker with the id of an earlier one takes its place. */
  join(workerId: number, link: HostLink): void {
    this.leave(workerId);
    const heardAt = this.#deps.clock.monotonic();
    const worker = { link, report: null, isAsked: false, heardAt };
    this.#workers.set(workerId, worker);
    link.onAsk(hostTopics.lastReport, (content) => this.#take(worker, content));
    link.onAsk(hostTopics.text, () => this.text());
    link.onAsk(hostTopics.figures, () => this.figures());
  }

  /** Call it when the worker has stopped, for whatever reason. */
  leave(workerId: number): void {
    const worker = this.#workers.get(workerId);
    this.#workers.delete(workerId);
    this.#gone = mergeMetrics([this.#gone, countsOf(worker?.report?.metrics ?? [])]);
  }

  /** Call it when a worker that died has been started again. A rolling restart is not counted. */
  restarted(): void {
    this.#restarts++;
    this.#restartedAt = this.#deps.clock.monotonic();
  }

  get workers(): WorkerFigures {
    const now = this.#deps.clock.monotonic();
    const isRunning = ({ report, heardAt }: Worker) => report !== null && now - heardAt <= silenceMsMax;
    const running = [...this.#workers.values()].filter(isRunning).length;
    return {
      configured: this.#deps.workersConfigured,
      running,
      restarts: this.#restarts,
      sinceRestartMs: this.#restartedAt === null ? null : now - this.#restartedAt,
    };
  }

  async text(): Promise<string> {
    await this.#ask();
    return textOf(await this.#merge());
  }

  async figures(): Promise<HostFigures> {
    await this.#ask();
    const isSpoolUsable = [...this.#workers.values()].every(({ report }) => report?.isSpoolUsable !== false);
    return figuresOf({ metrics: await this.#merge(), isSpoolUsable }, this.workers);
  }

  /** Asks all workers. Callers that come while it asks share the next round, so that each sees what happened before it. */
  #ask(): Promise<void> {
    if (this.#asking === null) return this.#startRound();
    this.#next ??= this.#asking.then(() => this.#startRound());
    return this.#next;
  }

  #startRound(): Promise<void> {
    this.#next = null;
    const round = Promise.all([...this.#workers.values()].map((worker) => this.#askOne(worker)));
    this.#asking = round.then(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #askOne(worker: Worker): Promise<void> {
    if (worker.isAsked) return;
    worker.isAsked = true;
    const replied = worker.link.ask(hostTopics.report, null).then(
      (content) => this.#take(worker, content),
      // It has just started and cannot reply yet, or it has stopped.
      () => {},
    );
    const settled = replied.then(() => {
      worker.isAsked = false;
      worker.heardAt = this.#deps.clock.monotonic();
    });
    await within(this.#deps.clock, replyMsMax, settled).catch(() => {});
  }

  #take(worker: Worker, content: unknown): void {
    worker.report = readReport(content) ?? worker.report;
  }

  async #merge(): Promise<Metric[]> {
    const own = await readMetrics(this.#own);
    const joined = [...this.#workers.values()].map(({ report }) => report?.metrics ?? []);
    this.#shown = withoutDecrease(this.#shown, mergeMetrics([this.#gone, ...joined, own]));
    return this.#shown;
  }
}

import type { Logger } from 'pino';
import type { HostLink } from '../../ingest/siblings/link.ts';
import { type Clock, type Loop, minuteMs, secondMs } from '../../time/clock.ts';
import { within } from '../../time/within.ts';
import type { SharedPort } from '../host.ts';
import { WorkerStartError } from '../process/start-error.ts';
import { type Assignment, type Listening, topics } from './assignment.ts';
import { type Exit, WorkerProcess } from './worker-process.ts';

/** Something that the supervisor does for its workers. */
export interface HostPart {
  join(workerId: number, link: HostLink): void;
  leave(workerId: number): void;
}

export interface SupervisorDeps {
  readonly workerCount: number;
  readonly databaseUrl: string;
  readonly sharedPort: SharedPort;
  readonly socketDir: string;
  readonly parts: readonly HostPart[];
  readonly clock: Clock;
  readonly log: Logger;
  /** A worker that died is started again. */
  readonly onRestart: () => void;
}

// A worker that dies this soon after it accepts requests, or before, would die again.
const shortLifeMs = 10 * secondMs;
const restartPauseMs = secondMs;
const restartPauseMsMax = 15 * secondMs;
const startMsMax = 2 * minuteMs;
const pingPauseMs = 5 * secondMs;
const silenceMsMax = 30 * secondMs;
const directoryMsMax = 5 * secondMs;

/**
 * Keeps the workers of a host running. Each place, from 1 to the number of workers, has one worker, or two while it is
 * replaced:
 *
 *   starting → listening   when it accepts requests
 *   listening → starting   when it died: another worker takes its place, after a pause if it died soon after its start
 *   listening → stopping   when its replacement listens (rolling restart), or when the service stops
 *
 * While a place has two workers, either may die: the other keeps the place, and no third one starts.
 *
 * The first place starts before the others: its worker migrates the database, and the system may choose its port.
 */
export class Supervisor {
  readonly #deps: SupervisorDeps;
  readonly #workers = new Set<WorkerProcess>();
  readonly #restartPausesMs = new Map<number, number>();
  readonly #stopping = new AbortController();
  #port: number;
  #firstSocketPath: string | null = null;
  #hasWelcomed = false;
  #isReplacing = false;
  #isAskedAgain = false;
  #watch: Loop | null = null;

  constructor(deps: SupervisorDeps) {
    this.#deps = deps;
    this.#port = deps.sharedPort.port;
  }

  /** Throws when the first worker exits instead of accepting requests. */
  async start(): Promise<void> {
    const { clock, workerCount } = this.#deps;
    const first = this.#spawn(1);
    if ((await first.listening) === null) {
      const exit = await first.exited;
      if (!this.#stopping.signal.aborted) throw new WorkerStartError(exit);
    }
    if (this.#stopping.signal.aborted) return;
    for (let place = 2; place <= workerCount; place++) this.#spawn(place);
    this.#watch = clock.repeat(() => this.#pingAll(), { pauseMs: pingPauseMs, pauseFirst: true });
    if (this.#isAskedAgain) void this.rollingRestart();
  }

  /**
   * Replaces one worker after the other. Each new one accepts requests before the old one stops. If it is asked for while it
   * runs, it runs once more: workers that were replaced already may have loaded the code before it changed. During the start,
   * for the same reason, it follows the start.
   */
  async rollingRestart(): Promise<void> {
    this.#isAskedAgain = true;
    if (this.#watch === null || this.#isReplacing) return;
    this.#isReplacing = true;
    while (this.#isAskedAgain && !this.#stopping.signal.aborted) {
      this.#isAskedAgain = false;
      await this.#replaceAll();
    }
    this.#isReplacing = false;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#watch?.stop();
    await Promise.all([...this.#workers].map((worker) => worker.stop()));
  }

  #spawn(place: number): WorkerProcess {
    const { clock, log, parts } = this.#deps;
    const worker = new WorkerProcess({ place, clock, assign: () => this.#assignment(place) });
    this.#workers.add(worker);
    for (const part of parts) part.join(worker.id, worker.link);
    worker.link.onAsk(topics.directoryChanged, () => this.#spreadChange(worker));
    worker.link.onTell(topics.directoryChanged, () => void this.#spreadChange(worker).catch(() => {}));
    void worker.listening.then((listening) => listening && this.#onListening(worker, listening));
    void worker.exited.then((exit) => this.#onExit(worker, exit));
    // The first start may migrate the database, which may take long.
    if (this.#watch !== null || place !== 1) this.#limitStart(worker);
    log.debug({ worker: place, pid: worker.pid }, 'worker started');
    return worker;
  }

  #limitStart(worker: WorkerProcess): void {
    const cancel = this.#deps.clock.deadline(startMsMax, () => {
      this.#deps.log.error(
        { worker: worker.place, pid: worker.pid },
        'worker takes too long to start; killing it',
      );
      worker.kill();
    });
    void worker.listening.then(cancel);
  }

  /** Those that accept requests in this place, or are about to. */
  #holders(place: number): WorkerProcess[] {
    return [...this.#workers].filter((worker) => worker.place === place && !worker.isStopping);
  }

  #assignment(place: number): Assignment {
    const { workerCount, databaseUrl, sharedPort, socketDir } = this.#deps;
    const isWelcoming = place === 1 && !this.#hasWelcomed;
    if (place === 1) this.#hasWelcomed = true;
    return {
      place,
      workerCount,
      databaseUrl,
      sharedPort: { ...sharedPort, port: this.#port },
      socketDir,
      firstSocketPath: this.#firstSocketPath,
      isWelcoming,
    };
  }

  #onListening(worker: WorkerProcess, { port, socketPath }: Listening): void {
    this.#deps.log.info({ worker: worker.place, pid: worker.pid }, 'worker accepts requests');
    // Where node:cluster opens the port, every worker must ask for it in the same words.
    if (this.#deps.sharedPort.isReused) this.#port = port;
    if (socketPath === null) return;
    this.#firstSocketPath = socketPath;
    for (const other of this.#workers) other.link.tell(topics.firstSocket, socketPath);
  }

  #onExit(worker: WorkerProcess, { code, signal }: Exit): void {
    const { clock, log, parts, onRestart } = this.#deps;
    this.#workers.delete(worker);
    for (const part of parts) part.leave(worker.id);
    const { place, pid, listenedAt } = worker;
    if (worker.isStopping || this.#stopping.signal.aborted || this.#watch === null) return;
    if (this.#holders(place).length > 0) {
      log.error({ worker: place, pid, code, signal }, 'worker exited during a rolling restart');
      return;
    }
    const hasLived = listenedAt !== null && clock.monotonic() - listenedAt >= shortLifeMs;
    const pauseMs = hasLived ? 0 : (this.#restartPausesMs.get(place) ?? 0);
    const nextPauseMs = Math.min(Math.max(pauseMs * 2, restartPauseMs), restartPauseMsMax);
    this.#restartPausesMs.set(place, hasLived ? 0 : nextPauseMs);
    log.error({ worker: place, pid, code, signal, pause_ms: pauseMs }, 'worker exited; starting another');
    onRestart();
    void clock.sleep(pauseMs, this.#stopping.signal).then(() => {
      if (!this.#stopping.signal.aborted && this.#holders(place).length === 0) this.#spawn(place);
    });
  }

  async #replaceAll(): Promise<void> {
    const { log, workerCount } = this.#deps;
    log.info('rolling restart started');
    for (let place = 1; place <= workerCount; place++) {
      if (this.#stopping.signal.aborted) return;
      if ((await this.#replace(place)) || this.#stopping.signal.aborted) continue;
      log.error({ worker: place }, 'rolling restart cancelled: the new worker did not start');
      return;
    }
    log.info('rolling restart finished');
  }

  async #replace(place: number): Promise<boolean> {
    const old = this.#holders(place);
    if ((await this.#spawn(place).listening) === null) return false;
    await Promise.all(old.map((worker) => worker.retire()));
    return true;
  }

  /** Resolves when every other worker knows all changes. One that exits does not need to, nor one that has read nothing yet. */
  async #spreadChange(from: WorkerProcess): Promise<void> {
    const others = [...this.#workers].filter((worker) => worker !== from && worker.isAssigned);
    await Promise.all(others.map((worker) => this.#within(directoryMsMax, worker, topics.readDirectory)));
  }

  /** Throws when the worker fails to respond in time. One that exits does not need to. */
  async #within(ms: number, worker: WorkerProcess, topic: string): Promise<void> {
    await within(this.#deps.clock, ms, worker.link.ask(topic, null)).catch((error: Error) => {
      if (worker.isConnected) throw new Error(`worker ${worker.place}: ${error.message}`);
    });
  }

  /** A worker that does not respond for long is stuck, and its connections with it. One that starts may be busy for long. */
  async #pingAll(): Promise<void> {
    const { log } = this.#deps;
    const ping = async (worker: WorkerProcess) => {
      await this.#within(silenceMsMax, worker, topics.ping).catch(() => {
        log.error({ worker: worker.place, pid: worker.pid }, 'worker does not respond; killing it');
        worker.kill();
      });
    };
    await Promise.all([...this.#workers].filter(({ listenedAt }) => listenedAt !== null).map(ping));
  }
}

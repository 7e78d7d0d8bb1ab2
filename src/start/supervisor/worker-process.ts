import cluster, { type Worker } from 'node:cluster';
import type { HostLink } from '../../ingest/siblings/link.ts';
import type { Clock } from '../../time/clock.ts';
import { type Assignment, type Listening, topics } from './assignment.ts';
import { createLink } from './link.ts';

/** How a worker process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface WorkerProcessDeps {
  readonly place: number;
  readonly clock: Clock;
  /** Asked for when the worker has loaded its code. */
  readonly assign: () => Assignment;
}

// Longer than a worker takes to give up on its own requests.
const stopMsMax = 15_000;

/** One process, from its start to its exit. */
export class WorkerProcess {
  readonly id: number;
  readonly place: number;
  readonly link: HostLink;
  /** Resolves when it accepts requests, or with null when it exits before. */
  readonly listening: Promise<Listening | null>;
  readonly exited: Promise<Exit>;
  readonly #worker: Worker;
  readonly #clock: Clock;
  #hasExited = false;
  #listenedAt: number | null = null;
  #isAssigned = false;
  #isStopping = false;

  constructor({ place, clock, assign }: WorkerProcessDeps) {
    // Where workers share one open port, each accepts connections itself: one that is handed to a dying worker would hang.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({ serialization: 'advanced' });
    this.#worker = cluster.fork();
    this.#clock = clock;
    this.id = this.#worker.id;
    this.place = place;
    this.link = createLink(this.#worker.process);
    this.exited = this.#watchExit();
    // The last thing that a worker does.
    this.#worker.once('disconnect', () => this.#limitExit());
    this.link.onAsk(topics.assignment, () => {
      this.#isAssigned = true;
      return assign();
    });
    const told = new Promise<Listening>((resolve) => {
      this.link.onTell(topics.listening, (content) => {
        this.#listenedAt = clock.monotonic();
        resolve(content as Listening);
      });
    });
    this.listening = Promise.race([told, this.exited.then(() => null)]);
  }

  get pid(): number | undefined {
    return this.#worker.process.pid;
  }

  /** False until it has loaded its code. Before that it has read nothing from the database. */
  get isAssigned(): boolean {
    return this.#isAssigned;
  }

  /** Null until it accepts requests. */
  get listenedAt(): number | null {
    return this.#listenedAt;
  }

  /** True until it is about to exit. */
  get isConnected(): boolean {
    return !this.#hasExited && this.#worker.isConnected();
  }

  /** True when its exit is wanted. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  #watchExit(): Promise<Exit> {
    return new Promise((resolve) => {
      const exit = (code: number | null, signal: string | null) => {
        this.#hasExited = true;
        resolve({ code, signal });
      };
      this.#worker.once('exit', exit);
      // Either the system could not start the process, or a message to it was lost, which matters to nobody.
      this.#worker.on('error', () => this.pid === undefined && exit(1, null));
    });
  }

  /** Lets it finish its requests. */
  async stop(): Promise<void> {
    if (!this.#hasExited) this.#worker.process.kill('SIGTERM');
    await this.#end();
  }

  /** The same for a worker that is replaced: connections stay open for a moment, so that no request fails. */
  async retire(): Promise<void> {
    this.link.tell(topics.retire, null);
    await this.#end();
  }

  async #end(): Promise<void> {
    this.#isStopping = true;
    this.#limitExit();
    await this.exited;
  }

  #limitExit(): void {
    const cancel = this.#clock.deadline(stopMsMax, () => this.kill());
    void this.exited.then(cancel);
  }

  kill(): void {
    if (!this.#hasExited) this.#worker.process.kill('SIGKILL');
  }
}

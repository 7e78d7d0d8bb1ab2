import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { systemClock } from '../../time/real-clock.ts';

const restartPauseMs = 300;

/** Keeps a server process running: restarts it when it ends unexpectedly, until `stop` is called. */
export class Supervisor {
  readonly #start: () => Promise<ChildProcess>;
  readonly #log: (line: string) => void;
  #child: ChildProcess | null = null;
  #isStopping = false;
  #restarting: Promise<void> | null = null;

  constructor(start: () => Promise<ChildProcess>, log: (line: string) => void) {
    this.#start = start;
    this.#log = log;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  async start(): Promise<void> {
    const child = await this.#start();
    this.#child = child;
    child.once('exit', () => {
      if (!this.#isStopping) this.#restarting = this.#restart();
    });
  }

  /** PostgreSQL's "fast" shutdown: running transactions are rolled back; everything committed is on disk. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#restarting;
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGINT');
    await once(child, 'exit');
  }

  async #restart(): Promise<void> {
    this.#log('The database ended unexpectedly. Restarting it.');
    while (!this.#isStopping) {
      // After a kill, the server's other processes need a moment to release its memory and files.
      await systemClock.sleep(restartPauseMs);
      try {
        return await this.start();
      } catch (error) {
        this.#log(`Could not restart the database: ${(error as Error).message}`);
      }
    }
  }
}

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { systemClock } from '../../time/real-clock.ts';

const restartPauseMs = 300;

/** Keeps a server process running: one that ends by itself is started again until `stop` is called. */
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

  /** "Fast" shutdown: running transactions are rolled back, everything committed is on disk. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#restarting;
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGINT');
    await once(child, 'exit');
  }

  async #restart(): Promise<void> {
    this.#log('The database ended unexpectedly and is started again.');
    while (!this.#isStopping) {
      // The remains of a killed server need a moment to let go of its memory and files.
      await systemClock.sleep(restartPauseMs);
      try {
        return await this.start();
      } catch (error) {
        this.#log(`The database could not be started again: ${(error as Error).message}`);
      }
    }
  }
}

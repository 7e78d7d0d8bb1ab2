import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Instance } from './instance.ts';
import { childrenOf, signal } from './processes.ts';

const pollMs = 50;
const completeMsMax = 180_000;

/** The settings of an instance with several workers. Its log must say which of them accept requests. */
export async function workerSettings(count: number): Promise<Record<string, string>> {
  return { WORKERS: String(count), LOG_LEVEL: 'info' };
}

interface Announcement {
  readonly worker: number;
  readonly pid: number;
}

/** The processes of an instance with several workers, seen from outside. */
export class Workers {
  readonly #instance: Instance;
  readonly #count: number;

  constructor(instance: Instance, count: number) {
    this.#instance = instance;
    this.#count = count;
  }

  get pids(): readonly number[] {
    return this.#instance.pid === undefined ? [] : childrenOf(this.#instance.pid);
  }

  /** The worker that does everything, while the others only accept leads. */
  get first(): number | undefined {
    return this.#announcements().findLast(({ worker }) => worker === 1)?.pid;
  }

  /** kill -9. Returns when the supervisor must have noticed. */
  async kill(pids: readonly number[]): Promise<void> {
    for (const pid of pids) if (signal(pid, 'SIGKILL')) this.#instance.kills++;
    while (this.pids.some((pid) => pids.includes(pid))) await sleep(pollMs);
  }

  /** Waits until all workers accept requests. */
  complete(): Promise<void> {
    return this.#until((pids) => pids.length === this.#count);
  }

  /** The supervisor replaces one worker after the other. */
  replaceAll(): Promise<void> {
    const old = this.pids;
    if (this.#instance.pid !== undefined) signal(this.#instance.pid, 'SIGUSR2');
    return this.#until((pids) => pids.length === this.#count && !pids.some((pid) => old.includes(pid)));
  }

  async #until(isReached: (pids: readonly number[]) => boolean): Promise<void> {
    for (const deadline = Date.now() + completeMsMax; Date.now() < deadline; await sleep(pollMs)) {
      const { pids } = this;
      const listening = new Set(this.#announcements().map(({ pid }) => pid));
      if (isReached(pids) && pids.every((pid) => listening.has(pid))) return;
    }
    throw new Error(`The service did not get its ${this.#count} workers`);
  }

  #announcements(): Announcement[] {
    return readFileSync(this.#instance.logPath, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"worker accepts requests"'))
      .map((line) => JSON.parse(line));
  }
}

import type { Logger } from 'pino';
import { type Clock, type Loop, secondMs } from '../../../time/clock.ts';
import { Problem } from '../../calls/problem.ts';

export interface EventWaitersDeps {
  readonly clock: Clock;
  readonly log: Logger;
  /** The number of the newest event of a workspace. */
  readonly readNewest: (workspaceId: string) => Promise<number>;
}

const lookEveryMs = secondMs / 2;
const waitersMax = 1_000;
// So that no workspace takes the places of others.
const waitersOfWorkspaceMax = 50;

interface Waiter {
  readonly workspaceId: string;
  readonly after: number;
  readonly wake: () => void;
}

/**
 * Calls that wait for the next event of a workspace. However many wait, each workspace is looked at once in half a second; the
 * loop runs exactly while somebody waits. Waiting ends with an event, when the time is up, when the caller leaves, or when
 * the service stops. While the database is unavailable, callers keep waiting.
 */
export class EventWaiters {
  readonly #deps: EventWaitersDeps;
  readonly #waiters = new Set<Waiter>();
  #loop: Loop | null = null;
  #isStopping = false;

  constructor(deps: EventWaitersDeps) {
    this.#deps = deps;
  }

  get waiting(): number {
    return this.#waiters.size;
  }

  /** Resolves when there may be an event after this one, or when waiting has ended. */
  async wait(
    workspaceId: string,
    after: number,
    msMax: number,
    left: readonly (AbortSignal | undefined)[],
  ): Promise<void> {
    if (this.#isStopping || left.some((signal) => signal?.aborted)) return;
    this.#requirePlace(workspaceId);
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter: Waiter = { workspaceId, after, wake: resolve };
    this.#waiters.add(waiter);
    this.#loop ??= this.#start();
    const cancel = this.#deps.clock.deadline(msMax, resolve);
    for (const signal of left) signal?.addEventListener('abort', waiter.wake);
    await promise;
    cancel();
    for (const signal of left) signal?.removeEventListener('abort', waiter.wake);
    this.#waiters.delete(waiter);
    if (this.#waiters.size === 0) this.#end();
  }

  /** Ends all waiting now, so that the listener need not wait for it. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const loop = this.#loop;
    for (const { wake } of this.#waiters) wake();
    await loop?.stop();
  }

  #requirePlace(workspaceId: string): void {
    const ofWorkspace = this.#waiters.values().filter((waiter) => waiter.workspaceId === workspaceId);
    if (this.#waiters.size < waitersMax && ofWorkspace.toArray().length < waitersOfWorkspaceMax) return;
    throw new Problem('unavailable', 'Too many callers wait for events. Ask again without `wait`.', {
      headers: { 'retry-after': '5' },
    });
  }

  #start(): Loop {
    return this.#deps.clock.repeat((stopping) => this.#look(stopping), {
      pauseMs: lookEveryMs,
      pauseFirst: true,
      onFailure: (error) => this.#deps.log.warn({ err: error }, 'feed of events not read'),
    });
  }

  #end(): void {
    void this.#loop?.stop();
    this.#loop = null;
  }

  /** A node of a cluster that is down holds up its own workspaces only. */
  async #look(stopping: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    for (const [workspaceId, waiters] of Map.groupBy(this.#waiters, ({ workspaceId }) => workspaceId)) {
      if (stopping.aborted) return;
      try {
        const newest = await this.#deps.readNewest(workspaceId);
        for (const { after, wake } of waiters) if (newest > after) wake();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

import type pg from 'pg';
import type { Logger } from 'pino';
import { noteService } from '../db/alarms/service-times.ts';
import { type Clock, type Loop, minuteMs } from '../time/clock.ts';

export interface ServiceTimesDeps {
  readonly pool: pg.Pool;
  /** Resolves when the database can be used. */
  readonly databaseReady: Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Notes once a minute that this process accepts leads. While none can say so, senders are not silent: it is us who are
 * unavailable, or the counts of what was accepted that wait.
 */
export class ServiceTimes {
  readonly #deps: ServiceTimesDeps;
  #loop: Loop | null = null;
  #isStopped = false;

  constructor(deps: ServiceTimesDeps) {
    this.#deps = deps;
  }

  /** Once the database is ready. */
  start(): void {
    const { pool, databaseReady, clock, log } = this.#deps;
    void databaseReady.then(() => {
      if (this.#isStopped) return;
      this.#loop = clock.repeat(() => noteService(pool, new Date(clock.now())), {
        pauseMs: minuteMs,
        onFailure: (err) => log.warn({ err }, 'time of service not noted; trying again'),
      });
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#loop?.stop();
  }
}

import type pg from 'pg';
import type { Logger } from 'pino';
import { noteSpool } from '../db/alarms/instance-spools.ts';
import { type Clock, type Loop, minuteMs } from '../time/clock.ts';

export interface SpoolNotesDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Logger;
  /** The host and the port of this instance. */
  readonly instance: () => string;
  /** Of all processes of this instance. */
  readonly figures: () => Promise<{ readonly spoolLeads: number; readonly spoolBytes: number }>;
}

/**
 * Notes once a minute what waits in the spool of this instance: nobody else can see its disk, and operators are told if leads
 * wait there although the database is available.
 */
export class SpoolNotes {
  readonly #deps: SpoolNotesDeps;
  #loop: Loop | null = null;

  constructor(deps: SpoolNotesDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { clock, log } = this.#deps;
    this.#loop = clock.repeat(() => this.note(), {
      pauseMs: minuteMs,
      // What was left from before has a minute to drain.
      pauseFirst: true,
      onFailure: (err) => log.warn({ err }, 'stock of the spool not noted; trying again'),
    });
  }

  async stop(): Promise<void> {
    await this.#loop?.stop();
  }

  async note(): Promise<void> {
    const { pool, clock, instance, figures } = this.#deps;
    const { spoolLeads: leads, spoolBytes: bytes } = await figures();
    await noteSpool(pool, { instance: instance(), leads, bytes }, new Date(clock.now()));
  }
}

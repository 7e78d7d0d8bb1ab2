import type { RateLimits } from '../../src/domain/rate-window.ts';
import type { Random } from '../../src/time/random.ts';
import type { SimulatedClock } from '../../src/time/simulated-clock.ts';
import type { Trace } from '../trace.ts';
import { DatabaseModel } from './database-model.ts';
import { DirectoryRows } from './directory-rows.ts';
import { Server } from './server.ts';

/** The server that all instances share, or the coordinator of a cluster. The tables contain the rows of all nodes. */
export class DatabaseServer extends Server {
  readonly tables: DatabaseModel;
  readonly directory: DirectoryRows;
  readonly #listeners = new Set<() => void>();

  constructor(clock: SimulatedClock, random: Random, trace: Trace, idRoot: Buffer, limits: RateLimits) {
    super('postgres', clock, random, trace);
    this.tables = new DatabaseModel(limits);
    this.directory = new DirectoryRows(idRoot);
  }

  listen(onChange: () => void): () => void {
    this.#listeners.add(onChange);
    return () => this.#listeners.delete(onChange);
  }

  /** Commits a directory change. Some listeners do not hear of it. */
  notify(): void {
    for (const tell of this.#listeners)
      if (!this.faults.has('down') && this.random.chance(0.8))
        this.clock.deadline(this.random.between(0.1, 5), tell);
  }
}

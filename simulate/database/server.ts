import type { RateLimits } from '../../src/domain/rate-window.ts';
import type { Random } from '../../src/time/random.ts';
import type { SimulatedClock } from '../../src/time/simulated-clock.ts';
import type { Trace } from '../trace.ts';
import { DatabaseModel } from './database-model.ts';
import { DirectoryRows } from './directory-rows.ts';
import { refusal } from './refusal.ts';

/**
 * What can be wrong with the server or the connection to it:
 *
 * down       nobody can connect, and existing connections are cut
 * cutting    connections break, before a statement takes effect or after it
 * deaf       results get lost after the statement took effect
 * slow       statements take about as long as the timeout
 * silent     no results; statements take effect later, perhaps after the sender has stopped waiting
 * read-only  a standby
 * contended  statements end in deadlocks and serialisation failures
 */
export type DatabaseFault = 'down' | 'cutting' | 'deaf' | 'slow' | 'silent' | 'read-only' | 'contended';

const share = 0.35;

/** The server that all instances share. A statement takes effect at one moment, as a whole. */
export class DatabaseServer {
  readonly tables: DatabaseModel;
  readonly directory: DirectoryRows;
  readonly faults = new Set<DatabaseFault>();
  readonly random: Random;
  readonly #clock: SimulatedClock;
  readonly #trace: Trace;
  readonly #connections = new Set<() => void>();
  readonly #listeners = new Set<() => void>();

  constructor(clock: SimulatedClock, random: Random, trace: Trace, idRoot: Buffer, limits: RateLimits) {
    this.#clock = clock;
    this.random = random;
    this.#trace = trace;
    this.tables = new DatabaseModel(limits);
    this.directory = new DirectoryRows(idRoot);
  }

  begin(fault: DatabaseFault): void {
    this.faults.add(fault);
    if (fault === 'down' || fault === 'read-only') this.cutAll();
  }

  end(fault: DatabaseFault): void {
    this.faults.delete(fault);
  }

  cutAll(): void {
    for (const cut of [...this.#connections]) cut();
  }

  /** `onCut` is called when the connection breaks. The returned function closes it. */
  connect(onCut: () => void): () => void {
    this.#connections.add(onCut);
    return () => this.#connections.delete(onCut);
  }

  listen(onChange: () => void): () => void {
    this.#listeners.add(onChange);
    return () => this.#listeners.delete(onChange);
  }

  /** Commits a directory change. Some listeners do not hear of it. */
  notify(): void {
    for (const tell of this.#listeners)
      if (!this.faults.has('down') && this.random.chance(0.8))
        this.#clock.deadline(this.random.between(0.1, 5), tell);
  }

  /**
   * Sends a statement that starts now. Calls `onAnswer` when the result arrives, `onLost` when the connection breaks
   * instead, and neither when the server stays silent.
   */
  send<T>(name: string, work: () => T, onAnswer: (answer: () => T) => void, onLost: () => void): void {
    const { random } = this;
    const wayMs = random.between(0.1, 2) + this.#delayMs();
    this.#clock.deadline(wayMs, () => {
      if (this.faults.has('down') || this.#meets('cutting')) return onLost();
      const answer = this.#carryOut(name, work);
      const isLost = this.#meets('deaf') || (this.faults.has('cutting') && random.chance(share));
      const backMs = random.between(0.1, 2) + (this.faults.has('silent') ? this.#delayMs() : 0);
      this.#clock.deadline(backMs, () => (isLost || this.faults.has('down') ? onLost() : onAnswer(answer)));
    });
  }

  #delayMs(): number {
    if (this.faults.has('silent')) return this.random.between(100, 8_000);
    return this.faults.has('slow') ? this.random.between(20, 900) : 0;
  }

  #carryOut<T>(name: string, work: () => T): () => T {
    try {
      if (this.faults.has('read-only') && name !== 'directory')
        throw refusal('25006', 'read-only transaction');
      if (this.faults.has('contended') && this.random.chance(share))
        throw refusal('40P01', 'deadlock detected');
      const value = work();
      this.#trace.add('postgres', `${name} ${told(value)}`);
      return () => value;
    } catch (error) {
      this.#trace.add('postgres', `${name} refused: ${(error as Error).message}`);
      return () => {
        throw error;
      };
    }
  }

  #meets(fault: DatabaseFault): boolean {
    return this.faults.has(fault) && this.random.chance(share);
  }
}

/** Without encrypted values, which differ each time. */
function told(value: unknown): string {
  const { revision } = (value ?? {}) as { readonly revision?: number };
  return revision === undefined ? (JSON.stringify(value) ?? '') : `revision ${revision}`;
}

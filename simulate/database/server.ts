import type { BucketMap } from '../../src/db/citus/nodes/bucket-map.ts';
import type { Random } from '../../src/time/random.ts';
import type { SimulatedClock } from '../../src/time/simulated-clock.ts';
import type { Trace } from '../trace.ts';
import { refusal } from './refusal.ts';

/**
 * What can be wrong with a server or the connection to it:
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

export interface Statement<T> {
  readonly name: string;
  readonly work: () => T;
  /** True while it waits for a lock. */
  readonly isBlocked?: () => boolean;
  /** What the trace says of the result; encrypted values differ each time. */
  readonly told?: (value: T) => string;
}

/** Who hears of the result. */
export interface Asker<T> {
  readonly onAnswer: (answer: () => T) => void;
  /** The connection broke. */
  readonly onLost: () => void;
}

/** From when to when something was wrong, on the monotonic scale. */
interface Trouble {
  readonly from: number;
  to: number;
}

const share = 0.35;
/** As in hold_buckets of migrations/0029_buckets.sql. */
const lockTimeoutMs = 200;
const lockPollMs = 10;

/** A server. A statement takes effect at one moment, as a whole. */
export class Server {
  readonly name: string;
  readonly faults = new Set<DatabaseFault>();
  readonly random: Random;
  protected readonly clock: SimulatedClock;
  readonly #trace: Trace;
  readonly #connections = new Set<() => void>();
  readonly #troubles: Trouble[] = [];

  constructor(name: string, clock: SimulatedClock, random: Random, trace: Trace) {
    this.name = name;
    this.clock = clock;
    this.random = random;
    this.#trace = trace;
  }

  begin(fault: DatabaseFault): void {
    if (this.faults.size === 0)
      this.#troubles.push({ from: this.clock.monotonic(), to: Number.POSITIVE_INFINITY });
    this.faults.add(fault);
    if (fault === 'down' || fault === 'read-only') this.cutAll();
  }

  end(fault: DatabaseFault): void {
    if (this.faults.delete(fault)) this.#noteRecovery();
  }

  endAll(): void {
    this.faults.clear();
    this.#noteRecovery();
  }

  /** True when something was wrong at a moment between these two. */
  wasInTrouble(from: number, to: number): boolean {
    return this.#troubles.some((trouble) => trouble.from <= to && trouble.to >= from);
  }

  /** Something that the server does by itself. */
  later(ms: number, act: () => void): void {
    this.clock.deadline(ms, act);
  }

  cutAll(): void {
    for (const cut of [...this.#connections]) cut();
  }

  /** `onCut` is called when the connection breaks. The returned function closes it. */
  connect(onCut: () => void): () => void {
    this.#connections.add(onCut);
    return () => this.#connections.delete(onCut);
  }

  /** Sends a statement that starts now. While the server stays silent, the asker hears nothing. */
  send<T>(statement: Statement<T>, { onAnswer, onLost }: Asker<T>): void {
    this.#arrive({
      onArrived: () =>
        this.#whenFree(statement, this.clock.monotonic() + lockTimeoutMs, (free) =>
          this.#giveBack(this.#carryOut(free), { onAnswer, onLost }),
        ),
      onLost,
    });
  }

  /** The same on another server, to which this one passes the statement on when it has arrived here. */
  relay<T>(statement: Statement<T>, serverNow: () => Server, { onAnswer, onLost }: Asker<T>): void {
    const back = (answer: () => T) => this.#giveBack(answer, { onAnswer, onLost });
    this.#arrive({
      onArrived: () => {
        const server = serverNow();
        const unreachable = () => {
          throw refusal('08006', `connection to ${server.name} failed`);
        };
        const refused = this.#refusalOf(statement.name);
        if (refused !== null) back(refused);
        else if (server === this)
          this.#whenFree(statement, this.clock.monotonic() + lockTimeoutMs, (free) =>
            back(this.#carryOut(free)),
          );
        else server.send(statement, { onAnswer: back, onLost: () => back(unreachable) });
      },
      onLost,
    });
  }

  #arrive({ onArrived, onLost }: { readonly onArrived: () => void; readonly onLost: () => void }): void {
    const wayMs = this.random.between(0.1, 2) + this.#delayMs();
    this.clock.deadline(wayMs, () => {
      if (this.faults.has('down') || this.#meets('cutting')) onLost();
      else onArrived();
    });
  }

  #giveBack<T>(answer: () => T, { onAnswer, onLost }: Asker<T>): void {
    const isLost = this.#meets('deaf') || (this.faults.has('cutting') && this.random.chance(share));
    const backMs = this.random.between(0.1, 2) + (this.faults.has('silent') ? this.#delayMs() : 0);
    this.clock.deadline(backMs, () => (isLost || this.faults.has('down') ? onLost() : onAnswer(answer)));
  }

  /** Statements that have waited too long for a lock are refused. */
  #whenFree<T>(statement: Statement<T>, until: number, go: (statement: Statement<T>) => void): void {
    if (statement.isBlocked?.() !== true) go(statement);
    else if (this.clock.monotonic() < until)
      this.clock.deadline(lockPollMs, () => this.#whenFree(statement, until, go));
    else
      go({
        ...statement,
        work: () => {
          throw refusal('55P03', 'canceling statement due to lock timeout');
        },
      });
  }

  #delayMs(): number {
    if (this.faults.has('silent')) return this.random.between(100, 8_000);
    return this.faults.has('slow') ? this.random.between(20, 900) : 0;
  }

  #carryOut<T>({ name, work, told = (value) => toldOf(name, value) }: Statement<T>): () => T {
    const refused = this.#refusalOf(name);
    if (refused !== null) return refused;
    try {
      const value = work();
      this.#trace.add(this.name, `${name} ${told(value)}`);
      return () => value;
    } catch (error) {
      this.#trace.add(this.name, `${name} refused: ${(error as Error).message}`);
      return () => {
        throw error;
      };
    }
  }

  /** Why it carries out no such statement at the moment. */
  #refusalOf(name: string): (() => never) | null {
    const isRead = name === 'directory' || name === 'map';
    const refused =
      this.faults.has('read-only') && !isRead
        ? refusal('25006', 'read-only transaction')
        : this.#meets('contended')
          ? refusal('40P01', 'deadlock detected')
          : null;
    if (refused === null) return null;
    this.#trace.add(this.name, `${name} refused: ${refused.message}`);
    return () => {
      throw refused;
    };
  }

  #noteRecovery(): void {
    const last = this.#troubles.at(-1);
    if (this.faults.size === 0 && last?.to === Number.POSITIVE_INFINITY) last.to = this.clock.monotonic();
  }

  #meets(fault: DatabaseFault): boolean {
    return this.faults.has(fault) && this.random.chance(share);
  }
}

/** Without encrypted values. */
function toldOf(name: string, value: unknown): string {
  if (name === 'map') return (value as BucketMap).map(({ groupId }) => groupId).join('');
  const { revision } = (value ?? {}) as { readonly revision?: number };
  return revision === undefined ? (JSON.stringify(value) ?? '') : `revision ${revision}`;
}

import type pg from 'pg';
import { readCopyBytes } from '../../db/citus/copy-progress.ts';
import type { MigrationStep } from '../../db/migrate.ts';
import { ProgressBar } from '../terminal/progress.ts';
import { counted } from './counted.ts';

const lookPauseMs = 2_000;

/** A line per step, and a bar while a large table is copied. */
export class MigrationProgress {
  readonly #pool: pg.Pool;
  readonly #say: (line: string) => void;
  #sinceMs = Date.now();
  #stopLooking: () => void = () => {};

  constructor(pool: pg.Pool, say: (line: string) => void) {
    this.#pool = pool;
    this.#say = say;
  }

  tell(step: MigrationStep): void {
    this.#stopLooking();
    for (const line of this.#linesOf(step)) this.#say(line);
    if (step.kind !== 'copying') return;
    this.#sinceMs = Date.now();
    if (step.rows > 0) this.#look(step.table, step.bytes);
  }

  end(): void {
    this.#stopLooking();
  }

  #linesOf(step: MigrationStep): string[] {
    if (step.kind === 'applied') return step.names.map((name) => `applied ${name}`);
    if (step.kind === 'copying') return [];
    return [this.#lineOf(step)];
  }

  #lineOf(step: Exclude<MigrationStep, { kind: 'applied' | 'copying' }>): string {
    if (step.kind === 'buckets')
      return `Creating ${step.count} buckets on ${step.nodes.map(({ host, port }) => `${host}:${port}`).join(', ')}.`;
    if (step.kind === 'waiting')
      return `Distributing ${counted(step.tables.length, 'table')}. Until this is done, nothing is written to them: a running service stores leads in its spool.`;
    if (step.kind === 'cleaning')
      return `Removing the copies that the coordinator still has: ${step.tables.join(', ')}.`;
    const seconds = ((Date.now() - this.#sinceMs) / 1000).toFixed(1);
    return `distributed ${step.table}: ${counted(step.rows, 'row')}, ${seconds} s`;
  }

  /** Nobody can count the rows before they are committed, but the disks of the nodes fill. */
  #look(table: string, bytes: number): void {
    const bar = new ProgressBar(`Copying ${table}`);
    const before = readCopyBytes(this.#pool);
    const look = async () => {
      const copied = (await readCopyBytes(this.#pool)) - (await before);
      bar.show(Math.min(Math.max(copied, 0), bytes * 0.99), bytes);
    };
    // A bar that cannot be drawn is no reason to stop.
    before.catch(() => {});
    const timer = setInterval(() => void look().catch(() => {}), lookPauseMs);
    this.#stopLooking = () => {
      clearInterval(timer);
      bar.end();
      this.#stopLooking = () => {};
    };
  }
}

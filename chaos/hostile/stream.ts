import { fork } from 'node:child_process';
import { join } from 'node:path';
import { undoLater } from '../../bench/undo.ts';

/** Requests at a steady rate over persistent connections. */
export interface StreamOrder {
  readonly port: number;
  /** Sent in turn, unchanged, one character per byte. */
  readonly requests: readonly string[];
  readonly rate: number;
  readonly seconds: number;
  readonly connections: number;
  /** How long it runs before that without being measured: until its code is compiled and its connections are open. */
  readonly warmUpSeconds?: number;
  /** Also return when each request was due, and how long it took. */
  readonly isTraced?: boolean;
}

/** When a request was due, in milliseconds since 1970, and how long it took. */
export type Sample = readonly [dueAt: number, tookMs: number];

export interface StreamFigures {
  readonly sent: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly samples?: readonly Sample[];
}

/** In a separate process, so that one stream does not slow down the measurement of another. `ending` ends it early. */
export function runStream(order: StreamOrder, ending?: AbortSignal): Promise<StreamFigures> {
  const worker = fork(join(import.meta.dirname, 'stream-process.ts'));
  const stop = undoLater(async () => void worker.kill());
  return new Promise((resolve, reject) => {
    worker.once('message', (figures: StreamFigures) => resolve(figures));
    worker.once('exit', (code) => reject(new Error(`A stream of requests exited with ${code}`)));
    worker.send(order);
    ending?.addEventListener('abort', () => worker.send('end'));
  }).finally(stop) as Promise<StreamFigures>;
}

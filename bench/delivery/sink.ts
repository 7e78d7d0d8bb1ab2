import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { undoLater } from '../undo.ts';

/** A request that arrived, and when. */
export type Arrival = readonly [path: string, submissionId: string, webhookId: string, at: number];

export type ToSink = 'count' | 'take';
export type FromSink =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'counted'; readonly count: number }
  | { readonly kind: 'taken'; readonly arrivals: readonly Arrival[] };

/** Nobody gets a response there. */
export const hangingPath = '/hang';

/** The receiver of all deliveries. Destinations differ by the path. */
export class Sink {
  readonly #child: ChildProcess;
  readonly #port: number;
  readonly stop: () => Promise<void>;

  private constructor(child: ChildProcess, port: number, stop: () => Promise<void>) {
    this.#child = child;
    this.#port = port;
    this.stop = stop;
  }

  static async start(): Promise<Sink> {
    const child = fork(join(import.meta.dirname, 'sink-worker.ts'));
    const stop = undoLater(async () => void child.kill());
    const [{ port }] = await once(child, 'message');
    return new Sink(child, port, stop);
  }

  urlOf(path: string): string {
    return `http://127.0.0.1:${this.#port}${path}`;
  }

  /** How many have arrived since the last `take`. */
  async count(): Promise<number> {
    const answer = await this.#ask('count');
    return answer.kind === 'counted' ? answer.count : 0;
  }

  /** What has arrived since the last time. */
  async take(): Promise<readonly Arrival[]> {
    const answer = await this.#ask('take');
    return answer.kind === 'taken' ? answer.arrivals : [];
  }

  /** One question at a time. */
  async #ask(message: ToSink): Promise<FromSink> {
    const answered = once(this.#child, 'message');
    this.#child.send(message);
    return (await answered)[0];
  }
}

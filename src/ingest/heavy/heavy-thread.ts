import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { PageSignals } from '../../domain/browser/page-signals.ts';
import type { LeadPrint, Sightings } from '../../domain/score/repeat-memory.ts';
import type { CompiledScoring } from '../../domain/score/settings/compile.ts';
import type { Cancel, Clock } from '../../time/clock.ts';
import {
  type FormReference,
  sightingPlaces,
  sightingPlacesCount,
  type ThreadMessage,
  type ThreadRequest,
} from './messages.ts';

export interface ThreadJob {
  readonly body: Buffer;
  readonly now: number;
  readonly scoring: CompiledScoring | null;
  readonly page: PageSignals | null;
  readonly see: (print: LeadPrint) => Sightings;
  /** `died`: the thread ended before it answered. */
  readonly done: (answer: Extract<ThreadMessage, { kind: 'lead' | 'unstorable' }> | 'died') => void;
}

export interface HeavyThreadDeps {
  readonly clock: Clock;
  readonly log: Logger;
  /** For tests of a thread that dies. */
  readonly workerFile?: URL | undefined;
}

// In the package the sources are compiled, so the worker has the extension of this file.
const ownWorkerFile = new URL(`heavy-worker${extname(import.meta.filename)}`, import.meta.url);
/** The most expensive body takes a tenth of a second, but a thread of low priority may wait long on a busy machine. */
const jobMsMax = 30_000;
/** Ten times what the most expensive body needs, including the lists and models. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };
const knownFormsMax = 200;

/**
 * A thread with its own scorer that parses, projects and scores heavy bodies. The first job starts it; after it has died,
 * the next job starts another.
 *
 *   none → starting → idle ⇄ busy → none
 */
export class HeavyThread {
  readonly #deps: HeavyThreadDeps;
  #worker: Worker | null = null;
  #job: ThreadJob | null = null;
  #unwatch: Cancel = () => {};
  #known = new Map<CompiledScoring, number>();
  #shared = newShared();

  constructor(deps: HeavyThreadDeps) {
    this.#deps = deps;
  }

  /** One job at a time: the caller waits for `done` before the next. */
  run(job: ThreadJob): void {
    if (this.#job !== null) throw new Error('the heavy thread is busy');
    this.#job = job;
    try {
      this.#worker ??= this.#start();
      this.#give(this.#worker, job);
    } catch (error) {
      this.#deps.log.error({ err: error }, 'lead not passed to the heavy thread');
      void this.#deps.clock.turn().then(() => this.#finish('died'));
    }
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate();
  }

  #give(worker: Worker, { body, now, scoring, page }: ThreadJob): void {
    // Transfers a copy, because the body itself is still to be stored.
    const copy = new Uint8Array(body);
    const request: ThreadRequest = {
      body: copy,
      now,
      page,
      form: scoring === null ? null : this.#referTo(scoring),
    };
    worker.postMessage(request, [copy.buffer]);
    // Keeps the process alive while the thread works.
    worker.ref();
    this.#unwatch = this.#deps.clock.deadline(jobMsMax, () => void worker.terminate());
  }

  #start(): Worker {
    this.#known = new Map();
    this.#shared = newShared();
    const worker = new Worker(this.#deps.workerFile ?? ownWorkerFile, {
      workerData: this.#shared,
      resourceLimits,
    });
    worker.on('message', (message: ThreadMessage) => {
      if (worker === this.#worker) this.#onMessage(message);
    });
    worker.on('error', (error) => this.#onEnd(worker, error));
    worker.on('exit', () => this.#onEnd(worker, null));
    return worker;
  }

  #onMessage(message: ThreadMessage): void {
    if (message.kind === 'see') this.#tellSightings(message.print);
    else this.#finish(message);
  }

  #tellSightings(print: LeadPrint): void {
    const { isThere, ...places } = sightingPlaces;
    const sightings = this.#job?.see(print);
    for (const name of Object.keys(places) as (keyof typeof places)[])
      this.#shared[places[name]] = sightings?.[name] ?? 0;
    Atomics.store(this.#shared, isThere, 1);
    Atomics.notify(this.#shared, isThere);
  }

  #onEnd(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    if (this.#job === null) return;
    this.#deps.log.error({ err: error }, 'heavy thread crashed');
    this.#finish('died');
  }

  #finish(answer: Parameters<ThreadJob['done']>[0]): void {
    const job = this.#job;
    this.#job = null;
    this.#unwatch();
    this.#worker?.unref();
    job?.done(answer);
  }

  #referTo(scoring: CompiledScoring): FormReference {
    const known = this.#known.get(scoring);
    if (known !== undefined) return { number: known, settings: null, isFirst: false };
    const isFirst = this.#known.size >= knownFormsMax;
    if (isFirst) this.#known.clear();
    const number = this.#known.size;
    this.#known.set(scoring, number);
    return { number, settings: scoring, isFirst };
  }
}

function newShared(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(sightingPlacesCount * Int32Array.BYTES_PER_ELEMENT));
}

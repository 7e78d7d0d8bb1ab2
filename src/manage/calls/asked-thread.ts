import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A worker thread that answers requests in order. It starts with the first request and does not keep the process alive.
 */
export class AskedThread<Question, Answer> {
  readonly #file: URL;
  #worker: Worker | null = null;
  #waiting: Waiting<Answer>[] = [];

  /** `name` is the worker file without its extension, relative to the file at `from`. */
  constructor(name: string, from: ImportMeta) {
    // In the package, the sources are compiled to .js.
    this.#file = new URL(`${name}${extname(from.filename)}`, from.url);
  }

  ask(question: Question): Promise<Answer> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      worker.ref();
      worker.postMessage(question);
    });
  }

  #start(): Worker {
    const worker = new Worker(this.#file);
    worker.on('message', (answer: Answer) => {
      this.#waiting.shift()?.resolve(answer);
      if (this.#waiting.length === 0) worker.unref();
    });
    worker.on('error', (error) => this.#giveUp(worker, error as Error));
    worker.on('exit', () => this.#giveUp(worker, new Error(`The thread ${this.#file.pathname} ended.`)));
    return worker;
  }

  /** The next request starts a new thread. */
  #giveUp(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

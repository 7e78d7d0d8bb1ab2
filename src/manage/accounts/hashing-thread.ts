import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Argon2Request } from './hashing-worker.ts';

interface Waiting {
  readonly resolve: (tag: Buffer) => void;
  readonly reject: (error: Error) => void;
}

// In the package the sources are compiled, and the worker ends in .js as this file does.
const workerFile = new URL(`hashing-worker${extname(import.meta.filename)}`, import.meta.url);

/**
 * A thread that does nothing but hash, at the lowest priority: leads come first, for cores as well as for the threads
 * that write to the disk. It begins with the first password, and never keeps the process from ending.
 */
export class HashingThread {
  #worker: Worker | null = null;
  /** The thread answers in the order in which it was asked. */
  #waiting: Waiting[] = [];

  derive(request: Argon2Request): Promise<Buffer> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      worker.ref();
      worker.postMessage(request);
    });
  }

  #start(): Worker {
    const worker = new Worker(workerFile);
    worker.on('message', (tag: Uint8Array) => {
      this.#waiting.shift()?.resolve(Buffer.from(tag));
      if (this.#waiting.length === 0) worker.unref();
    });
    worker.on('error', (error) => this.#giveUp(worker, error as Error));
    worker.on('exit', () => this.#giveUp(worker, new Error('The hashing thread has ended.')));
    return worker;
  }

  /** The next password begins a new thread. */
  #giveUp(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

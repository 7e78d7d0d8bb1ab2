import { AskedThread } from '../../calls/asked-thread.ts';
import type { Argon2Request } from './hashing-worker.ts';

/**
 * A thread that does nothing but hash, at the lowest priority: leads come first, for cores as well as for the threads
 * that write to the disk.
 */
export class HashingThread {
  readonly #thread = new AskedThread<Argon2Request, Uint8Array>('hashing-worker', import.meta);

  async derive(request: Argon2Request): Promise<Buffer> {
    return Buffer.from(await this.#thread.ask(request));
  }
}

import { AskedThread } from '../../calls/asked-thread.ts';
import type { Argon2Request } from './hashing-worker.ts';

/**
 * A thread that only hashes, at the lowest priority, so that it takes neither cores nor disk threads from leads.
 */
export class HashingThread {
  readonly #thread = new AskedThread<Argon2Request, Uint8Array>('hashing-worker', import.meta);

  async derive(request: Argon2Request): Promise<Buffer> {
    return Buffer.from(await this.#thread.ask(request));
  }
}

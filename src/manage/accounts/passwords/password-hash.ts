import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Problem } from '../../calls/problem.ts';
import { HashingThread } from './hashing-thread.ts';

/** The cost of argon2id; `memory` is in KiB. */
export interface PasswordCost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. */
const leastCost: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const tagBytes = 32;
const waitingMax = 32;

const format = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/**
 * Hashes passwords one at a time on a separate thread, so that a flood of sign-ins cannot delay leads. Refuses a
 * password when too many are waiting.
 */
export class PasswordHasher {
  readonly #thread = new HashingThread();
  readonly #cost: PasswordCost;
  #waiting = 0;

  constructor(cost = leastCost) {
    this.#cost = cost;
  }

  async hash(password: string): Promise<string> {
    const salt = randomBytes(saltBytes);
    const tag = await this.#derive(password, salt, tagBytes, this.#cost);
    const { memory, passes, parallelism } = this.#cost;
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
  }

  async verify(stored: string, password: string): Promise<boolean> {
    const parts = format.exec(stored);
    if (parts === null) throw new Error('A stored password hash has an unknown format.');
    const [memory, passes, parallelism] = parts.slice(1, 4).map(Number) as [number, number, number];
    const salt = Buffer.from(parts[4] as string, 'base64');
    const expected = Buffer.from(parts[5] as string, 'base64');
    const tag = await this.#derive(password, salt, expected.length, { memory, passes, parallelism });
    return timingSafeEqual(tag, expected);
  }

  async #derive(password: string, nonce: Buffer, tagLength: number, cost: PasswordCost): Promise<Buffer> {
    if (this.#waiting >= waitingMax) {
      throw new Problem('too_many_requests', 'Too many people are signing in. Try again in a moment.', {
        headers: { 'retry-after': '2' },
      });
    }
    this.#waiting++;
    try {
      // Unicode can encode the same letters in two ways; they are the same password.
      const message = password.normalize('NFKC');
      return await this.#thread.derive({ message, nonce, tagLength, ...cost });
    } finally {
      this.#waiting--;
    }
  }
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

import { argon2, type BinaryLike, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Problem } from '../problem.ts';

/** OWASP's least for argon2id: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const saltBytes = 16;
const tagBytes = 32;
const waitingMax = 32;

const derive = promisify(argon2);
const format = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/**
 * Hashes passwords, one at a time. Hashing takes a thread of the pool that also writes leads to the disk while
 * PostgreSQL is away, and a core that leads could use: a crowd at the door must not hold up leads. Whoever finds too
 * many waiting is sent away.
 */
export class PasswordHasher {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  async hash(password: string): Promise<string> {
    const salt = randomBytes(saltBytes);
    const tag = await this.#derive(password, salt, tagBytes, cost);
    const { memory, passes, parallelism } = cost;
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

  async #derive(
    password: string,
    nonce: BinaryLike,
    tagLength: number,
    { memory, passes, parallelism }: { memory: number; passes: number; parallelism: number },
  ): Promise<Buffer> {
    // The same letters can be typed in two ways; they are one password.
    const message = password.normalize('NFKC');
    return this.#inTurn(() => derive('argon2id', { message, nonce, tagLength, memory, passes, parallelism }));
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= waitingMax) {
      throw new Problem('too_many_requests', 'Too many people are signing in. Try again in a moment.', {
        headers: { 'retry-after': '2' },
      });
    }
    this.#waiting++;
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      this.#waiting--;
    }
  }
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

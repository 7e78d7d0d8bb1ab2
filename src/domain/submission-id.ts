import { hkdfSync, randomUUIDv7 } from 'node:crypto';
import { ShortHmac } from './sha256.ts';

const workspaceWords = 4;
const keyHashWords = 8;

/**
 * Makes the ids of submissions. One without an idempotency key gets a new one. With a key the id follows from
 * workspace and key, so that every instance gives a repeat the same answer, even while none of them can ask
 * the database. A key may be used anew after its lifetime; the generation then makes the id a new one.
 */
export class SubmissionIds {
  readonly #hmac: ShortHmac;
  readonly #words = new Int32Array(workspaceWords + keyHashWords + 1);

  constructor(encryptionKey: string) {
    this.#hmac = new ShortHmac(
      Buffer.from(hkdfSync('sha256', encryptionKey, '', 'leadgate submission ids', 32)),
    );
  }

  unkeyed(): string {
    return randomUUIDv7();
  }

  keyed(workspaceId: Buffer, keyHash: Buffer, generation: number): string {
    const words = this.#words;
    for (let i = 0; i < workspaceWords; i++) words[i] = workspaceId.readInt32BE(i * 4);
    for (let i = 0; i < keyHashWords; i++) words[workspaceWords + i] = keyHash.readInt32BE(i * 4);
    words[workspaceWords + keyHashWords] = generation | 0;
    return asUuid(this.#hmac.digest(words));
  }
}

/** The first use of a key; later ones are told apart by the second in which they came. */
export const firstGeneration = 0;

export function generationAt(receivedAt: number): number {
  return Math.floor(receivedAt / 1000);
}

/** Version 8 is the one whose bits are ours to choose. */
function asUuid(words: Int32Array): string {
  const [a, b, c, d] = [hex(words[0]), hex(words[1]), hex(words[2]), hex(words[3])];
  const variant = '89ab'[Number.parseInt(c[0] as string, 16) & 3];
  return `${a}-${b.slice(0, 4)}-8${b.slice(5)}-${variant}${c.slice(1, 4)}-${c.slice(4)}${d}`;
}

function hex(word = 0): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}

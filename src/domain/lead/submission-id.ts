import { type Randomness, systemRandomness } from '../../time/randomness.ts';
import type { IdRoot } from '../secrets/id-root.ts';
import { ShortHmac } from '../secrets/sha256.ts';

const workspaceWords = 4;
const keyHashWords = 8;
const digestWords = 8;

/**
 * Makes submission ids. With an idempotency key the id is derived from workspace and key, so that every instance gives
 * a retry the same response, even without the database. A key can be used again after its lifetime; the generation
 * then makes a new id. Without a key, the id of a signed request is derived from what was signed, for the same reason.
 * Every other submission gets a new id.
 */
export class SubmissionIds {
  #keyedHmac: ShortHmac;
  #signedHmac: ShortHmac;
  readonly #randomness: Randomness;
  readonly #words = new Int32Array(workspaceWords + keyHashWords + 1);

  constructor({ keyed, signed }: IdRoot, randomness: Randomness = systemRandomness) {
    this.#randomness = randomness;
    this.#keyedHmac = new ShortHmac(keyed);
    this.#signedHmac = new ShortHmac(signed);
  }

  /** From now on, ids are derived from this root. */
  follow({ keyed, signed }: IdRoot): void {
    this.#keyedHmac = new ShortHmac(keyed);
    this.#signedHmac = new ShortHmac(signed);
  }

  unkeyed(): string {
    return this.#randomness.uuid();
  }

  keyed(workspaceId: Buffer, keyHash: Buffer, generation: number): string {
    const words = this.#words;
    for (let i = 0; i < workspaceWords; i++) words[i] = workspaceId.readInt32BE(i * 4);
    for (let i = 0; i < keyHashWords; i++) words[workspaceWords + i] = keyHash.readInt32BE(i * 4);
    words[workspaceWords + keyHashWords] = generation | 0;
    return asUuid(this.#keyedHmac.digest(words));
  }

  /**
   * The digest is the verified one, not the header text, which has several spellings. The first 48 bits are the signed
   * time in milliseconds, as in version 7 ids, so that rows of the same time are stored together.
   */
  signed(formId: Buffer, timestampSeconds: number, digest: Buffer): string {
    const words = this.#words;
    for (let i = 0; i < workspaceWords; i++) words[i] = formId.readInt32BE(i * 4);
    for (let i = 0; i < digestWords; i++) words[workspaceWords + i] = digest.readInt32BE(i * 4);
    words[workspaceWords + digestWords] = timestampSeconds | 0;
    const time = (timestampSeconds * 1000).toString(16).padStart(timeDigits, '0').slice(-timeDigits);
    const id = asUuid(this.#signedHmac.digest(words));
    return `${time.slice(0, 8)}-${time.slice(8)}${id.slice(13)}`;
  }
}

const timeDigits = 12;

/** The first use of a key; later uses differ by the second in which they arrive. */
export const firstGeneration = 0;

export function generationAt(receivedAt: number): number {
  return Math.floor(receivedAt / 1000);
}

/** In version 8, all bits are free to choose. */
function asUuid(words: Int32Array): string {
  const [a, b, c, d] = [hex(words[0]), hex(words[1]), hex(words[2]), hex(words[3])];
  const variant = '89ab'[Number.parseInt(c[0] as string, 16) & 3];
  return `${a}-${b.slice(0, 4)}-8${b.slice(5)}-${variant}${c.slice(1, 4)}-${c.slice(4)}${d}`;
}

function hex(word = 0): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}

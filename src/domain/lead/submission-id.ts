import { hkdfSync } from 'node:crypto';
import { type Randomness, systemRandomness } from '../../time/randomness.ts';
import type { IdRoot } from '../secrets/id-root.ts';
import { ShortHmac } from '../secrets/short-hmac.ts';

const idBytes = 16;
const digestBytes = 32;
const messageBytes = idBytes + digestBytes + 4;

/**
 * Makes submission ids. With an idempotency key the id is derived from workspace and key, so that every instance gives
 * a retry the same response, even without the database. A key can be used again after its lifetime; the generation
 * then makes a new id. Without a key, the id of a signed request is derived from what was signed, for the same reason.
 * Every other submission gets a new id. A held submission gets one that is derived from its own id, so that it becomes the
 * same lead however often and wherever it is admitted.
 */
export class SubmissionIds {
  #keyedHmac: ShortHmac;
  #signedHmac: ShortHmac;
  #heldHmac: ShortHmac;
  readonly #randomness: Randomness;
  readonly #message = Buffer.alloc(messageBytes);

  constructor(root: IdRoot, randomness: Randomness = systemRandomness) {
    this.#randomness = randomness;
    this.#keyedHmac = new ShortHmac(root.keyed, messageBytes);
    this.#signedHmac = new ShortHmac(root.signed, messageBytes);
    this.#heldHmac = new ShortHmac(heldKeyOf(root), 2 * idBytes);
  }

  /** From now on, ids are derived from this root. */
  follow(root: IdRoot): void {
    this.#keyedHmac = new ShortHmac(root.keyed, messageBytes);
    this.#signedHmac = new ShortHmac(root.signed, messageBytes);
    this.#heldHmac = new ShortHmac(heldKeyOf(root), 2 * idBytes);
  }

  unkeyed(): string {
    return this.#randomness.uuid();
  }

  keyed(workspaceId: Buffer, keyHash: Buffer, generation: number): string {
    return asUuid(this.#keyedHmac.hex(this.#joined(workspaceId, keyHash, generation)));
  }

  /**
   * The digest is the verified one, not the header text, which has several spellings. The first 48 bits are the signed
   * time in milliseconds, as in version 7 ids, so that rows of the same time are stored together.
   */
  signed(formId: Buffer, timestampSeconds: number, digest: Buffer): string {
    const time = (timestampSeconds * 1000).toString(16).padStart(timeDigits, '0').slice(-timeDigits);
    const id = asUuid(this.#signedHmac.hex(this.#joined(formId, digest, timestampSeconds)));
    return `${time.slice(0, 8)}-${time.slice(8)}${id.slice(13)}`;
  }

  /** The first 48 bits are those of the id that it was held under: the time at which it arrived. */
  held(workspaceId: string, heldId: string): string {
    const message = Buffer.from(`${workspaceId}${heldId}`.replaceAll('-', ''), 'hex');
    return (
      heldId.slice(0, timeTextLength).toLowerCase() +
      asUuid(this.#heldHmac.hex(message)).slice(timeTextLength)
    );
  }

  #joined(id: Buffer, digest: Buffer, number: number): Buffer {
    id.copy(this.#message, 0, 0, idBytes);
    digest.copy(this.#message, idBytes, 0, digestBytes);
    this.#message.writeInt32BE(number | 0, idBytes + digestBytes);
    return this.#message;
  }
}

const timeDigits = 12;
/** In the text of an id, with the hyphen. */
const timeTextLength = timeDigits + 1;

/** Derived like the others from what stays the same when the encryption key is rotated. */
function heldKeyOf({ keyed, signed }: IdRoot): Buffer {
  const root = Buffer.concat([keyed, signed]);
  return Buffer.from(hkdfSync('sha256', root, '', 'leadgate ids of held submissions', digestBytes));
}

/** The first use of a key; later uses differ by the second in which they arrive. */
export const firstGeneration = 0;

export function generationAt(receivedAt: number): number {
  return Math.floor(receivedAt / 1000);
}

/** In version 8, all bits are free to choose. */
function asUuid(hex: string): string {
  const variant = '89ab'[Number.parseInt(hex.slice(16, 17), 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

import { hash } from 'node:crypto';

const blockBytes = 64;
const digestBytes = 32;

/**
 * HMAC-SHA-256 of messages of one length, as two one-shot hashes. `createHmac` creates an object per message, which costs
 * more than the hashes (docs/decisions/0005-small-hashes-in-place.md).
 */
export class ShortHmac {
  readonly #inner: Buffer;
  readonly #outer: Buffer;

  /** A key of up to 64 bytes. */
  constructor(key: Buffer, messageBytes: number) {
    this.#inner = paddedKey(key, 0x36, messageBytes);
    this.#outer = paddedKey(key, 0x5c, digestBytes);
  }

  hex(message: Buffer): string {
    message.copy(this.#inner, blockBytes);
    hash('sha256', this.#inner, 'buffer').copy(this.#outer, blockBytes);
    return hash('sha256', this.#outer, 'hex');
  }
}

function paddedKey(key: Buffer, pad: number, bytesAfter: number): Buffer {
  const block = Buffer.alloc(blockBytes + bytesAfter, pad);
  for (const [i, byte] of key.entries()) block[i] = byte ^ pad;
  return block;
}

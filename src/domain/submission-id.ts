import { createHmac, hkdfSync, randomUUIDv7 } from 'node:crypto';

/**
 * Makes the ids of submissions. One without an idempotency key gets a new one. With a key the id follows from
 * workspace and key, so that every instance gives a repeat the same answer, even while none of them can ask
 * the database. A key may be used anew after its lifetime; the generation then makes the id a new one.
 */
export class SubmissionIds {
  readonly #key: Buffer;

  constructor(encryptionKey: string) {
    this.#key = Buffer.from(hkdfSync('sha256', encryptionKey, '', 'leadgate submission ids', 32));
  }

  unkeyed(): string {
    return randomUUIDv7();
  }

  keyed(workspaceId: Buffer, keyHash: Buffer, generation: number): string {
    const digest = createHmac('sha256', this.#key)
      .update(workspaceId)
      .update(keyHash)
      .update(String(generation))
      .digest('hex');
    return asUuid(digest);
  }
}

/** Version 8 is the one whose bits are ours to choose. */
function asUuid(hex: string): string {
  const variant = '89ab'[Number.parseInt(hex[16] as string, 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

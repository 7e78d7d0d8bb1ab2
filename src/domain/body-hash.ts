import { createHmac, hkdfSync } from 'node:crypto';

/**
 * Recognises a body without keeping it. Keyed, so that nobody who reads the database can find out what it was by trying,
 * and different in each workspace, so that equal bodies of two cannot be told.
 */
export class BodyHashes {
  readonly #key: Buffer;

  constructor(encryptionKey: string) {
    this.#key = Buffer.from(hkdfSync('sha256', encryptionKey, '', 'leadgate body hashes', 32));
  }

  of(workspaceId: string, body: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(`${workspaceId.toLowerCase()}\n`).update(body).digest();
  }
}

import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { IdRoot } from '../secrets/id-root.ts';

/**
 * Recognises a body without keeping it. Keyed, so that nobody who reads the database can guess bodies by trying, and
 * different in each workspace, so that equal bodies of two workspaces do not show. The key stays the same when the
 * encryption key is rotated, because stored hashes stay too.
 */
export class BodyHashes {
  #key: KeyObject;

  constructor(root: IdRoot) {
    this.#key = keyOf(root);
  }

  /** From now on, hashes are derived from this root. */
  follow(root: IdRoot): void {
    this.#key = keyOf(root);
  }

  of(workspaceId: string, body: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(`${workspaceId.toLowerCase()}\n`).update(body).digest();
  }
}

function keyOf({ keyed, signed }: IdRoot): KeyObject {
  const bytes = hkdfSync('sha256', Buffer.concat([keyed, signed]), '', 'leadgate body hashes', 32);
  return createSecretKey(Buffer.from(bytes));
}

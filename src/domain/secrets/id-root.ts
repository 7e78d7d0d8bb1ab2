import { hkdfSync } from 'node:crypto';
import { keyIdOf, type Owner, SealedError, SecretBox } from './secret-box.ts';

const keyBytes = 32;
/** The owner it is encrypted for. */
export const idRootOwner = 'id root';

/**
 * The keys that submission ids are derived from. They stay the same when the encryption key is rotated, because a retry
 * must get the same id again; so they are stored encrypted, and not derived at each start.
 */
export interface IdRoot {
  readonly keyed: Buffer;
  readonly signed: Buffer;
}

/** A stored secret and its owner. */
export interface SealedSecret {
  readonly owner: Owner;
  readonly sealed: Buffer;
}

export function deriveIdRoot(encryptionKey: string): IdRoot {
  const derived = (purpose: string) => Buffer.from(hkdfSync('sha256', encryptionKey, '', purpose, keyBytes));
  return { keyed: derived('leadgate submission ids'), signed: derived('leadgate ids of signed submissions') };
}

/** The current key first. */
export type Keys = readonly [string, ...string[]];

/**
 * The root, if none is stored yet. Earlier versions derived it from their only key at each start and may still be
 * running: their key is the one that decrypts their secrets or, without secrets, their snapshot. Null if there are
 * secrets but none of our keys decrypts them.
 */
export function firstIdRoot(
  keys: Keys,
  secrets: readonly SealedSecret[],
  snapshot: SealedSecret | null = null,
): IdRoot | null {
  const [current, ...previous] = keys;
  const box = new SecretBox(current, previous);
  const keyOf = ({ sealed, owner }: SealedSecret) => keys[box.placeOf(sealed, owner) ?? keys.length];
  if (secrets.length === 0) return deriveIdRoot((snapshot === null ? undefined : keyOf(snapshot)) ?? current);
  // A value with a key id was encrypted by this version, perhaps with a newer key.
  for (const isEarlier of [true, false])
    for (const secret of secrets) {
      const key = (keyIdOf(secret.sealed) === null) === isEarlier ? keyOf(secret) : undefined;
      if (key !== undefined) return deriveIdRoot(key);
    }
  return null;
}

export function sealIdRoot(box: SecretBox, { keyed, signed }: IdRoot): Buffer {
  return box.seal(Buffer.concat([keyed, signed]), idRootOwner);
}

/** Throws if none of our keys decrypts it. */
export function openIdRoot(box: SecretBox, sealed: Buffer): IdRoot {
  const bytes = box.openBytes(sealed, idRootOwner);
  if (bytes.length !== 2 * keyBytes) throw new SealedError('The ID root has an unknown format.');
  return { keyed: bytes.subarray(0, keyBytes), signed: bytes.subarray(keyBytes) };
}

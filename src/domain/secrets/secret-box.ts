import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;
const keyIdBytes = 4;
/** Format byte, id of the key, nonce, tag, ciphertext. Version 0.1.0 wrote the same without the id. */
const format = 2;
const formatWithoutId = 1;
const headBytes = 1 + keyIdBytes;

interface SealingKey {
  /** Tells keys apart, and nothing else about them. */
  readonly id: Buffer;
  readonly key: Buffer;
}

/** A value that none of our keys opens. Its message is for whoever runs the service. */
export class SealedError extends Error {}

/**
 * Encrypts secrets at rest: AES-256-GCM under keys that never enter the database. The current key seals; the previous
 * ones only open what was sealed before a rotation.
 */
export class SecretBox {
  readonly #current: SealingKey;
  /** The current one first. */
  readonly #keys: readonly SealingKey[];

  constructor(encryptionKey: string, previousKeys: readonly string[] = []) {
    this.#current = sealingKey(encryptionKey);
    this.#keys = [this.#current, ...previousKeys.map(sealingKey)];
  }

  /** Of the key that seals, as people see it. */
  get keyId(): string {
    return this.#current.id.toString('hex');
  }

  get previousKeyIds(): string[] {
    return this.#keys.slice(1).map(({ id }) => id.toString('hex'));
  }

  /** What everything begins with that is sealed by the current key. */
  get head(): Buffer {
    return headOf(this.#current);
  }

  isCurrent(sealed: Buffer): boolean {
    return sealed.subarray(0, headBytes).equals(this.head);
  }

  /** `owner` is bound to the ciphertext, so that a row copied to another form does not decrypt there. */
  seal(secret: string | Buffer, owner: string): Buffer {
    const nonce = randomBytes(nonceBytes);
    const head = this.head;
    const cipher = createCipheriv('aes-256-gcm', this.#current.key, nonce).setAAD(boundTo(head, owner));
    const ciphertext = Buffer.concat([cipher.update(Buffer.from(secret)), cipher.final()]);
    return Buffer.concat([head, nonce, cipher.getAuthTag(), ciphertext]);
  }

  open(sealed: Buffer, owner: string): string {
    return this.openBytes(sealed, owner).toString('utf8');
  }

  /** Throws a SealedError when none of the keys opens it. */
  openBytes(sealed: Buffer, owner: string): Buffer {
    const found = this.#find(sealed, owner);
    if (found === null) throw new SealedError(this.#whyClosed(sealed));
    return found.bytes;
  }

  /** Which key opens it: 0 for the current one, then the previous ones in order; null for none. */
  placeOf(sealed: Buffer, owner: string): number | null {
    return this.#find(sealed, owner)?.place ?? null;
  }

  #find(sealed: Buffer, owner: string): { bytes: Buffer; place: number } | null {
    for (const [place, candidate] of this.#keys.entries()) {
      const head = headFor(candidate, sealed);
      const bytes = head === null ? null : opened(sealed, head, candidate.key, owner);
      if (bytes !== null) return { bytes, place };
    }
    return null;
  }

  #whyClosed(sealed: Buffer): string {
    const id = keyIdOf(sealed);
    if (id !== null && !this.#keys.some((key) => key.id.toString('hex') === id))
      return `It was sealed with key ${id}, which this service does not have. Its own: ${[this.keyId, ...this.previousKeyIds].join(', ')}.`;
    if (id !== null) return 'It was changed or moved since it was sealed.';
    return sealed[0] === formatWithoutId
      ? 'It was sealed with another key, or changed or moved since.'
      : 'It has an unknown format.';
  }
}

/** The id of the key that it says it was sealed with; null for what carries none. */
export function keyIdOf(sealed: Buffer): string | null {
  return sealed[0] === format && sealed.length >= headBytes
    ? sealed.subarray(1, headBytes).toString('hex')
    : null;
}

function sealingKey(encryptionKey: string): SealingKey {
  const derived = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', encryptionKey, '', purpose, bytes));
  return { id: derived('leadgate key id', keyIdBytes), key: derived('leadgate webhook secrets', 32) };
}

function headOf({ id }: SealingKey): Buffer {
  return Buffer.concat([Buffer.of(format), id]);
}

/** How it begins, if this key may have sealed it. */
function headFor(key: SealingKey, sealed: Buffer): Buffer | null {
  if (sealed[0] === formatWithoutId) return sealed.subarray(0, 1);
  const head = headOf(key);
  return sealed.subarray(0, headBytes).equals(head) ? head : null;
}

/** The head is bound as well. Only that of the first format, which says nothing, is not. */
function boundTo(head: Buffer, owner: string): Buffer {
  return head[0] === formatWithoutId ? Buffer.from(owner) : Buffer.concat([head, Buffer.from(owner)]);
}

function opened(sealed: Buffer, head: Buffer, key: Buffer, owner: string): Buffer | null {
  const nonceEnd = head.length + nonceBytes;
  const tagEnd = nonceEnd + tagBytes;
  const nonce = sealed.subarray(head.length, nonceEnd);
  try {
    // Without the length Node would take a shorter tag, which is easier to guess.
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
      .setAAD(boundTo(head, owner))
      .setAuthTag(sealed.subarray(nonceEnd, tagEnd));
    return Buffer.concat([decipher.update(sealed.subarray(tagEnd)), decipher.final()]);
  } catch {
    return null;
  }
}

import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;
const keyIdBytes = 4;
/** Format byte, key id, nonce, tag, ciphertext. Version 0.1.0 wrote the same without the key id. */
const format = 2;
const formatWithoutId = 1;
/** The same with a key of the workspace. */
const formatOfWorkspace = 3;
const headBytes = 1 + keyIdBytes;
const rememberedKeysMax = 1_000;

/**
 * What a value is bound to: it opens for nobody else. A value of a workspace has a key of its own, derived for the workspace:
 * there are many, and much of their content is chosen by strangers.
 */
export type Owner = string | WorkspaceOwner;

interface WorkspaceOwner {
  readonly workspaceId: string;
  readonly name: string;
}

interface SealingKey {
  /** Identifies a key and reveals nothing else about it. */
  readonly id: Buffer;
  readonly keyOf: (owner: Owner) => KeyObject;
}

/** A value that none of our keys decrypts. The message is for the operator. */
export class SealedError extends Error {}

/**
 * Encrypts secrets at rest: AES-256-GCM with keys that are never in the database. The current key encrypts; previous keys
 * only decrypt what was encrypted before a rotation.
 */
export class SecretBox {
  readonly #current: SealingKey;
  /** The current key first. */
  readonly #keys: readonly SealingKey[];

  constructor(encryptionKey: string, previousKeys: readonly string[] = []) {
    this.#current = sealingKey(encryptionKey);
    this.#keys = [this.#current, ...previousKeys.map(sealingKey)];
  }

  /** Id of the current key, as shown to people. */
  get keyId(): string {
    return this.#current.id.toString('hex');
  }

  get previousKeyIds(): string[] {
    return this.#keys.slice(1).map(({ id }) => id.toString('hex'));
  }

  isCurrent(sealed: Buffer): boolean {
    return keyIdOf(sealed) === this.keyId;
  }

  /** `owner` is authenticated, so that a row copied to another form does not open there. */
  seal(secret: string | Buffer, owner: Owner): Buffer {
    const nonce = randomBytes(nonceBytes);
    const head = headOf(this.#current, owner);
    const cipher = createCipheriv('aes-256-gcm', this.#current.keyOf(owner), nonce).setAAD(
      boundTo(head, owner),
    );
    const ciphertext = Buffer.concat([cipher.update(Buffer.from(secret)), cipher.final()]);
    return Buffer.concat([head, nonce, cipher.getAuthTag(), ciphertext]);
  }

  open(sealed: Buffer, owner: Owner): string {
    return this.openBytes(sealed, owner).toString('utf8');
  }

  /** Throws a SealedError if none of the keys decrypts it. */
  openBytes(sealed: Buffer, owner: Owner): Buffer {
    const found = this.#find(sealed, owner);
    if (found === null) throw new SealedError(this.#whyClosed(sealed));
    return found.bytes;
  }

  /** Which key decrypts it: 0 for the current one, then the previous ones in order; null for none. */
  placeOf(sealed: Buffer, owner: Owner): number | null {
    return this.#find(sealed, owner)?.place ?? null;
  }

  #find(sealed: Buffer, owner: Owner): { bytes: Buffer; place: number } | null {
    for (const [place, candidate] of this.#keys.entries()) {
      const head = headFor(candidate, sealed, owner);
      const bytes = head === null ? null : opened(sealed, head, candidate.keyOf(owner), owner);
      if (bytes !== null) return { bytes, place };
    }
    return null;
  }

  #whyClosed(sealed: Buffer): string {
    const id = keyIdOf(sealed);
    if (id !== null && !this.#keys.some((key) => key.id.toString('hex') === id))
      return `It was encrypted with key ${id}, which is not configured. Configured keys: ${[this.keyId, ...this.previousKeyIds].join(', ')}.`;
    if (id !== null) return 'It was changed or moved after it was encrypted.';
    return sealed[0] === formatWithoutId
      ? 'It was encrypted with another key, or changed or moved afterwards.'
      : 'It has an unknown format.';
  }
}

/** The id of the key it was encrypted with; null if it has none. */
export function keyIdOf(sealed: Buffer): string | null {
  const hasId = sealed[0] === format || sealed[0] === formatOfWorkspace;
  return hasId && sealed.length >= headBytes ? sealed.subarray(1, headBytes).toString('hex') : null;
}

/** Encrypted with a key of its workspace. */
export function isOfWorkspace(sealed: Buffer): boolean {
  return sealed[0] === formatOfWorkspace;
}

function sealingKey(encryptionKey: string): SealingKey {
  const derived = (salt: string, purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', encryptionKey, salt, purpose, bytes));
  const key = createSecretKey(derived('', 'leadgate webhook secrets', 32));
  // Deriving a key takes about as long as encrypting with it.
  const ofWorkspaces = new Map<string, KeyObject>();
  const keyOfWorkspace = (workspaceId: string) => {
    const known = ofWorkspaces.get(workspaceId);
    if (known !== undefined) return known;
    const found = createSecretKey(derived(workspaceId, 'leadgate values of a workspace', 32));
    if (ofWorkspaces.size >= rememberedKeysMax) ofWorkspaces.clear();
    ofWorkspaces.set(workspaceId, found);
    return found;
  };
  return {
    id: derived('', 'leadgate key id', keyIdBytes),
    keyOf: (owner) => (typeof owner === 'string' ? key : keyOfWorkspace(owner.workspaceId)),
  };
}

function headOf({ id }: SealingKey, owner: Owner): Buffer {
  return Buffer.concat([Buffer.of(typeof owner === 'string' ? format : formatOfWorkspace), id]);
}

/** The first bytes of a value that this key may have encrypted. */
function headFor(key: SealingKey, sealed: Buffer, owner: Owner): Buffer | null {
  if (sealed[0] === formatWithoutId) return sealed.subarray(0, 1);
  const head = headOf(key, owner);
  return sealed.subarray(0, headBytes).equals(head) ? head : null;
}

/** The header is authenticated too, except in the first format, where it carries nothing. */
function boundTo(head: Buffer, owner: Owner): Buffer {
  const name = Buffer.from(typeof owner === 'string' ? owner : owner.name);
  return head[0] === formatWithoutId ? name : Buffer.concat([head, name]);
}

function opened(sealed: Buffer, head: Buffer, key: KeyObject, owner: Owner): Buffer | null {
  const nonceEnd = head.length + nonceBytes;
  const tagEnd = nonceEnd + tagBytes;
  const nonce = sealed.subarray(head.length, nonceEnd);
  try {
    // Without the length, Node would accept a shorter tag, which is easier to guess.
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
      .setAAD(boundTo(head, owner))
      .setAuthTag(sealed.subarray(nonceEnd, tagEnd));
    return Buffer.concat([decipher.update(sealed.subarray(tagEnd)), decipher.final()]);
  } catch {
    return null;
  }
}

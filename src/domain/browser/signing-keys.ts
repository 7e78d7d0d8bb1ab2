import { createSecretKey, hash, hkdfSync, type KeyObject } from 'node:crypto';
import type { NamedKey } from './browser-token.ts';

type Purpose = 'tokens' | 'challenges';

const keyBytes = 32;
const rememberedMax = 2_000;

/**
 * Keys that sign challenges and tokens of this service, one per workspace and purpose. They follow from the encryption key,
 * so that every process and instance has them without storing any; previous encryption keys only verify.
 */
export class BrowserSigningKeys {
  readonly #currentKid: string;
  readonly #encryptionKeys: ReadonlyMap<string, string>;
  // Deriving one takes longer than verifying with it.
  readonly #remembered = new Map<string, KeyObject>();

  constructor(encryptionKey: string, previousKeys: readonly string[] = []) {
    this.#currentKid = kidOf(encryptionKey);
    this.#encryptionKeys = new Map([...previousKeys, encryptionKey].map((key) => [kidOf(key), key]));
  }

  current(purpose: Purpose, workspaceId: string): NamedKey {
    const key = this.find(purpose, workspaceId, this.#currentKid) as KeyObject;
    return { kid: this.#currentKid, key };
  }

  /** Null if the kid names none of the encryption keys. */
  find(purpose: Purpose, workspaceId: string, kid: string): KeyObject | null {
    const encryptionKey = this.#encryptionKeys.get(kid);
    if (encryptionKey === undefined) return null;
    const name = `${purpose} ${workspaceId} ${kid}`;
    const known = this.#remembered.get(name);
    if (known !== undefined) return known;
    const derived = hkdfSync(
      'sha256',
      encryptionKey,
      workspaceId,
      `leadgate browser ${purpose} ${kid}`,
      keyBytes,
    );
    const key = createSecretKey(Buffer.from(derived));
    if (this.#remembered.size >= rememberedMax) this.#remembered.clear();
    this.#remembered.set(name, key);
    return key;
  }
}

/** Identifies a key and reveals nothing else about it. */
function kidOf(encryptionKey: string): string {
  const id = hkdfSync('sha256', encryptionKey, '', 'leadgate browser key id', 4);
  return `k${Buffer.from(id).toString('hex')}`;
}

/** The key of a mint secret, which the customer's backend signs with. */
export function mintSecretKey(secret: string): NamedKey {
  const kid = `m${hash('sha256', secret, 'hex').slice(0, 16)}`;
  return { kid, key: createSecretKey(Buffer.from(secret)) };
}

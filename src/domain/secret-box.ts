import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;
const formatVersion = 1;

/** Encrypts secrets at rest: AES-256-GCM under a key that never enters the database. */
export class SecretBox {
  readonly #key: Buffer;

  constructor(encryptionKey: string) {
    this.#key = Buffer.from(hkdfSync('sha256', encryptionKey, '', 'leadgate webhook secrets', 32));
  }

  /** `owner` is bound to the ciphertext, so that a row copied to another form does not decrypt there. */
  seal(secret: string | Buffer, owner: string): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(owner));
    const ciphertext = Buffer.concat([cipher.update(Buffer.from(secret)), cipher.final()]);
    return Buffer.concat([Buffer.of(formatVersion), nonce, cipher.getAuthTag(), ciphertext]);
  }

  open(sealed: Buffer, owner: string): string {
    return this.openBytes(sealed, owner).toString('utf8');
  }

  openBytes(sealed: Buffer, owner: string): Buffer {
    if (sealed[0] !== formatVersion) throw new Error('A stored secret has an unknown format.');
    const nonce = sealed.subarray(1, 1 + nonceBytes);
    const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes);
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce)
      .setAAD(Buffer.from(owner))
      .setAuthTag(tag);
    const ciphertext = sealed.subarray(1 + nonceBytes + tagBytes);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
  }
}

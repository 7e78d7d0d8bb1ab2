import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Seals as version 0.1.0 did, without the id of the key. */
export function sealAsBefore(encryptionKey: string, secret: string | Buffer, owner: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', encryptionKey, '', 'leadgate webhook secrets', 32));
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
  const ciphertext = Buffer.concat([cipher.update(Buffer.from(secret)), cipher.final()]);
  return Buffer.concat([Buffer.of(1), nonce, cipher.getAuthTag(), ciphertext]);
}

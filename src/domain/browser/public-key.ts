import { isChecksummed, mintChecksummed } from '../secrets/checksummed.ts';

/** Names a form in the source of a web page. It is no secret and proves nothing. */
export const publicKeyPrefix = 'ingt_pub_';

export function newPublicKey(): string {
  return mintChecksummed(publicKeyPrefix);
}

export function isWellFormedPublicKey(text: string): boolean {
  return text.startsWith(publicKeyPrefix) && isChecksummed(text, publicKeyPrefix.length);
}

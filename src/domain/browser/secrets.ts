import { mintChecksummed } from '../secrets/checksummed.ts';

export const mintSecretPrefix = 'ingt_mint_';

/** A customer's backend signs tokens with it. */
export function newMintSecret(): string {
  return mintChecksummed(mintSecretPrefix);
}

/** What the encrypted values are bound to. */
export function mintSecretOwner(formId: string): string {
  return `browser mint secret ${formId}`;
}

export function captchaSecretOwner(formId: string): string {
  return `captcha secret ${formId}`;
}

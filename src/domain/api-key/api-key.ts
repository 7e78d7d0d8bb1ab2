import { hash } from 'node:crypto';
import { isChecksummed, mintChecksummed } from '../secrets/checksummed.ts';

/** An API key of a workspace is a checksummed secret: lgk_[0-9A-Za-z]{38} */
const apiKeyPrefix = 'lgk_';

export function mintApiKey(): string {
  return mintChecksummed(apiKeyPrefix);
}

/** Meant as an API key, whether or not it is one. */
export function looksLikeApiKey(text: string): boolean {
  return text.startsWith(apiKeyPrefix);
}

export function isWellFormedApiKey(text: string): boolean {
  return looksLikeApiKey(text) && isChecksummed(text, apiKeyPrefix.length);
}

/** The stored form. A plain hash is enough for 190 random bits. */
export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

import { hash } from 'node:crypto';
import { hintOf, isChecksummed, mintChecksummed } from './secrets/checksummed.ts';

/** An ingest token is a checksummed secret whose prefix names its type: ingt_(srv|br)_[0-9A-Za-z]{38} */
export const tokenPrefixes = { server: 'ingt_srv_', browser: 'ingt_br_' } as const;
export type TokenType = keyof typeof tokenPrefixes;
export const tokenTypes = Object.keys(tokenPrefixes) as [TokenType, ...TokenType[]];

export function mintToken(type: TokenType): string {
  return mintChecksummed(tokenPrefixes[type]);
}

export function isWellFormedToken(token: string): boolean {
  const from = prefixLength(token);
  return from !== 0 && isChecksummed(token, from);
}

function prefixLength(token: string): number {
  if (token.startsWith(tokenPrefixes.server)) return tokenPrefixes.server.length;
  return token.startsWith(tokenPrefixes.browser) ? tokenPrefixes.browser.length : 0;
}

/** The stored form. A plain hash is enough for 190 random bits. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** The hash as the key of a Map: one character per byte. */
export function tokenKey(token: string): string {
  return hash('sha256', token, 'binary');
}

/** The same key from the stored hash. */
export function tokenKeyOf(tokenHash: Buffer): string {
  return tokenHash.toString('latin1');
}

export function tokenHint(token: string): string {
  return hintOf(token);
}

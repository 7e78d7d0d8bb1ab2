import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * An ingest token is a prefix that names its type, 32 random base62 characters, and their CRC32 as 6 base62 characters.
 * The checksum detects a truncated token without a lookup, and lets scanners find leaked tokens:
 * ingt_(srv|br)_[0-9A-Za-z]{38}
 */
export const tokenPrefixes = { server: 'ingt_srv_', browser: 'ingt_br_' } as const;
export type TokenType = keyof typeof tokenPrefixes;
export const tokenTypes = Object.keys(tokenPrefixes) as [TokenType, ...TokenType[]];

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomCharacters = 32;
const checksumCharacters = 6;

export function mintToken(type: TokenType): string {
  let random = '';
  for (let i = 0; i < randomCharacters; i++) random += alphabet[randomInt(alphabet.length)];
  return tokenPrefixes[type] + random + checksum(random);
}

export function isWellFormedToken(token: string): boolean {
  const from = prefixLength(token);
  const checksumFrom = from + randomCharacters;
  if (from === 0 || token.length !== checksumFrom + checksumCharacters) return false;
  for (let i = from; i < checksumFrom; i++) if (digitAt(token, i) === undefined) return false;
  return numberIn(token, checksumFrom) === crc32(token.slice(from, checksumFrom));
}

function prefixLength(token: string): number {
  if (token.startsWith(tokenPrefixes.server)) return tokenPrefixes.server.length;
  return token.startsWith(tokenPrefixes.browser) ? tokenPrefixes.browser.length : 0;
}

/** NaN if a character is not in the alphabet. */
function numberIn(token: string, from: number): number {
  let number = 0;
  for (let i = from; i < token.length; i++)
    number = number * alphabet.length + (digitAt(token, i) ?? Number.NaN);
  return number;
}

const digits: (number | undefined)[] = Array.from({ length: 128 }, () => undefined);
for (let i = 0; i < alphabet.length; i++) digits[alphabet.charCodeAt(i)] = i;

function digitAt(token: string, at: number): number | undefined {
  return digits[token.charCodeAt(at)];
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

/** Enough to recognise a token in a list, too little to use it. */
export function tokenHint(token: string): string {
  const prefix = token.slice(0, token.lastIndexOf('_') + 1);
  return `${prefix}…${token.slice(-4)}`;
}

function checksum(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let i = 0; i < checksumCharacters; i++) {
    text = alphabet[rest % alphabet.length] + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}

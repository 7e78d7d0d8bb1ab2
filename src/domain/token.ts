import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * An ingest token is a prefix that names its type, 32 random base62 characters and 6 base62 characters of
 * their CRC32. The checksum tells a token that was cut off from one that does not exist without a look-up,
 * and lets scanners find leaked tokens: ingt_(srv|br)_[0-9A-Za-z]{38}
 */
export const tokenPrefixes = { server: 'ingt_srv_', browser: 'ingt_br_' } as const;
export type TokenType = keyof typeof tokenPrefixes;
export const tokenTypes = Object.keys(tokenPrefixes) as [TokenType, ...TokenType[]];

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomCharacters = 32;
const checksumCharacters = 6;
const shape = /^ingt_(?:srv|br)_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

export function mintToken(type: TokenType): string {
  let random = '';
  for (let i = 0; i < randomCharacters; i++) random += alphabet[randomInt(alphabet.length)];
  return tokenPrefixes[type] + random + checksum(random);
}

export function isWellFormedToken(token: string): boolean {
  const match = shape.exec(token);
  return match !== null && checksum(match[1] as string) === match[2];
}

/** What is stored and looked up, in hex. A plain hash is enough for 190 random bits. */
export function hashToken(token: string): string {
  // As text it costs a third of what a Buffer of its own memory would, and this is done for every request.
  return hash('sha256', token, 'hex');
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

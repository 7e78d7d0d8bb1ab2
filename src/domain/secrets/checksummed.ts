import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/*
 * A checksummed secret is a prefix that names its kind, 32 random base62 characters, and their CRC32 as 6 base62 characters.
 * The checksum detects a truncated secret without a lookup, and lets scanners find leaked ones. Ingest tokens and API keys are
 * such secrets; their prefixes differ, so that neither passes for the other.
 */

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomCharacters = 32;
const checksumCharacters = 6;

export function mintChecksummed(prefix: string): string {
  let random = '';
  for (let i = 0; i < randomCharacters; i++) random += alphabet[randomInt(alphabet.length)];
  return prefix + random + checksum(random);
}

/** Whether a text is a checksummed secret after a prefix of this length. */
export function isChecksummed(text: string, prefixLength: number): boolean {
  const checksumFrom = prefixLength + randomCharacters;
  if (text.length !== checksumFrom + checksumCharacters) return false;
  for (let i = prefixLength; i < checksumFrom; i++) if (digitAt(text, i) === undefined) return false;
  return numberIn(text, checksumFrom) === crc32(text.slice(prefixLength, checksumFrom));
}

/** NaN if a character is not in the alphabet. */
function numberIn(text: string, from: number): number {
  let number = 0;
  for (let i = from; i < text.length; i++)
    number = number * alphabet.length + (digitAt(text, i) ?? Number.NaN);
  return number;
}

const digits: (number | undefined)[] = Array.from({ length: 128 }, () => undefined);
for (let i = 0; i < alphabet.length; i++) digits[alphabet.charCodeAt(i)] = i;

function digitAt(text: string, at: number): number | undefined {
  return digits[text.charCodeAt(at)];
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

/** Enough to recognise a secret in a list, too little to use it. */
export function hintOf(secret: string): string {
  const prefix = secret.slice(0, secret.lastIndexOf('_') + 1);
  return `${prefix}…${secret.slice(-4)}`;
}

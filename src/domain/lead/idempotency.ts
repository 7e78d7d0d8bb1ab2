import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { dayMs } from '../../time/clock.ts';
import { isWellFormedApiKey } from '../api-key/api-key.ts';
import { mintSecretPrefix } from '../browser/secrets.ts';
import { isWebhookSecret } from '../destination/request/webhook-secret.ts';
import { isChecksummed } from '../secrets/checksummed.ts';
import { isWellFormedSigningSecret } from '../secrets/signing-secret.ts';
import { isWellFormedToken } from '../token.ts';

const keyCharactersMax = 255;
export const keyLifetimeMs = dayMs;
/** How long to keep a lead whose key belongs to a lead with another body: its sender got the other one's response. */
export const otherBodyKeptDays = 30;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The key of a header value, or null if it is malformed. Node decodes header bytes as latin1; the key is the UTF-8
 * text they encode, so that "é" is one character for every client library.
 */
export function parseIdempotencyKey(headerValue: string): string | null {
  const key = decodeHeader(headerValue);
  if (key === null || key === '') return null;
  if (key.length > keyCharactersMax && [...key].length > keyCharactersMax) return null;
  return key;
}

/**
 * Tells whether a retry has the body of the original, by checksum and length. It only decides about a note in the
 * diagnostics, so it need not resist attacks.
 */
export function fingerprintBody(body: Buffer): Buffer {
  const fingerprint = Buffer.allocUnsafe(8);
  fingerprint.writeUInt32BE(crc32(body), 0);
  fingerprint.writeUInt32BE(body.length, 4);
  return fingerprint;
}

/** Stored instead of the key: of fixed size, and the sender's text cannot be read back. */
export function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** Whether a key has the format of a credential that we hand out: then its sender took one for the other. */
export function isOwnSecret(key: string): boolean {
  if (key.startsWith(mintSecretPrefix)) return isChecksummed(key, mintSecretPrefix.length);
  return [isWellFormedToken, isWellFormedApiKey, isWellFormedSigningSecret, isWebhookSecret].some((is) =>
    is(key),
  );
}

const asciiShape = /^[\x20-\x7e]*$/;

function decodeHeader(value: string): string | null {
  if (asciiShape.test(value)) return value;
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return null;
  }
}

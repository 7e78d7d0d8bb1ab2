import { hash } from 'node:crypto';
import { dayMs } from '../clock.ts';

export const keyCharactersMax = 255;
export const keyLifetimeMs = dayMs;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The key of a header value, or null when it is malformed. Node hands header bytes over as latin1; the key is
 * the UTF-8 text they stand for, so that "é" is one character whatever the client library does.
 */
export function parseIdempotencyKey(headerValue: string): string | null {
  const key = decodeHeader(headerValue);
  if (key === null || key === '') return null;
  if (key.length > keyCharactersMax && [...key].length > keyCharactersMax) return null;
  return key;
}

/** Tells whether a repeat came with the body of the original. */
export function hashBody(body: Buffer): Buffer {
  return sha256(body);
}

/** Stored in place of the key: of fixed size, and nothing a sender put into it can be read back. */
export function hashKey(key: string): Buffer {
  return sha256(key);
}

function decodeHeader(value: string): string | null {
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return null;
  }
}

/** By way of hex: a Buffer straight from the hash has memory of its own, which costs more than the hash. */
function sha256(data: string | Buffer): Buffer {
  return Buffer.from(hash('sha256', data, 'hex'), 'hex');
}

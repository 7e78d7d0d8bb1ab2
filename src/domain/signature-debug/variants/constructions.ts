import { createHmac, getHashes, hash as hashOnce } from 'node:crypto';
import { right, type Variant, wrong } from './variant.ts';

/** How timestamp and body form the message. */
export type Layout = (timestamp: Buffer, body: Buffer) => Buffer[];

/** How key and message form the digest. Timestamp and body are passed for senders that hash them separately. */
export interface Construction {
  readonly digestBytes: number;
  digest(key: Buffer, message: Buffer[], timestamp: Buffer, body: Buffer): Buffer;
}

const joiners: [string, string][] = [
  [':', 'a colon'],
  ['\n', 'a newline'],
  ['|', '"|"'],
  [',', 'a comma'],
  [' ', 'a space'],
  ['-', 'a hyphen'],
  ['_', 'an underscore'],
  ['/', '"/"'],
  [';', 'a semicolon'],
  ['&', '"&"'],
  ['=', '"="'],
  ['..', 'two dots'],
  ['. ', 'a dot and a space'],
  ['\\n', 'the two characters \\n'],
];

export const layouts: readonly Variant<Layout>[] = [
  right((timestamp, body) => [timestamp, Buffer.from('.'), body]),
  wrong((_, body) => [body], 'timestamp_not_signed', 'the body was signed without the timestamp'),
  wrong(
    (timestamp, body) => [timestamp, body],
    'joiner_wrong',
    'timestamp and body were joined without a dot',
  ),
  ...joiners.map(([joiner, name]) =>
    wrong<Layout>(
      (timestamp, body) => [timestamp, Buffer.from(joiner), body],
      'joiner_wrong',
      `timestamp and body were joined with ${name} instead of a dot`,
    ),
  ),
  ...['v0:', 't=', 'v1.', 'v1:'].map((start) =>
    wrong<Layout>(
      (timestamp, body) => [Buffer.from(start), timestamp, Buffer.from(start === 'v0:' ? ':' : '.'), body],
      'joiner_wrong',
      `"${start}" was signed before the timestamp`,
    ),
  ),
  ...['.', '', ':', '\n'].map((joiner) =>
    wrong<Layout>(
      (timestamp, body) => [body, Buffer.from(joiner), timestamp],
      'order_wrong',
      'the body was signed before the timestamp',
    ),
  ),
];

function sha256(...parts: Buffer[]): Buffer {
  return hashOnce('sha256', Buffer.concat(parts), 'buffer');
}

function hmac(algorithm: string, key: Buffer, parts: readonly Buffer[]): Buffer {
  const hashing = createHmac(algorithm, key);
  for (const part of parts) hashing.update(part);
  return hashing.digest();
}

function sha256Construction(digest: Construction['digest']): Construction {
  return { digestBytes: 32, digest };
}

const blockBytes = 64;

/** The same as createHmac but several times as fast: a search computes thousands of them over short messages. */
function hmacSha256(key: Buffer, parts: readonly Buffer[]): Buffer {
  const short = key.length > blockBytes ? sha256(key) : key;
  const inner = Buffer.alloc(blockBytes, 0x36);
  const outer = Buffer.alloc(blockBytes, 0x5c);
  for (const [i, byte] of short.entries()) {
    inner[i] = byte ^ 0x36;
    outer[i] = byte ^ 0x5c;
  }
  return sha256(outer, sha256(inner, ...parts));
}

const hex = (bytes: Buffer) => Buffer.from(bytes.toString('hex'));

const otherAlgorithms: [string, string, number][] = [
  ['sha1', 'SHA-1', 20],
  ['sha512', 'SHA-512', 64],
  ['sha384', 'SHA-384', 48],
  ['sha224', 'SHA-224', 28],
  ['sha3-256', 'SHA3-256', 32],
  ['sha512-256', 'SHA-512/256', 32],
  ['md5', 'MD5', 16],
];

/**
 * Only a few lengths, far apart: anyone who has the start of a signature must not be able to find the rest one
 * character at a time.
 */
const cutLengths = [16, 20];

const withoutKey: Construction['digest'][] = [
  (_, message) => sha256(...message),
  (_key, _message, _timestamp, body) => sha256(body),
];

const dot = Buffer.from('.');
const withSecretInText: Construction['digest'][] = [
  (key, message) => sha256(key, ...message),
  (key, message) => sha256(...message, key),
  (key, message) => sha256(key, dot, ...message),
  (key, message) => sha256(...message, dot, key),
  (key, _, timestamp, body) => sha256(timestamp, key, body),
];

const swapped: Construction['digest'][] = [(key, message) => hmacSha256(Buffer.concat(message), [key])];

const twice: Construction['digest'][] = [
  (key, message) => hmacSha256(key, [hex(sha256(...message))]),
  (key, message) => hmacSha256(key, [sha256(...message)]),
  (key, _, timestamp, body) => hmacSha256(key, [timestamp, dot, hex(sha256(body))]),
  (key, _, timestamp, body) => hmacSha256(key, [timestamp, dot, sha256(body)]),
  (key, message) => sha256(hmacSha256(key, message)),
  (key, message) => sha256(hex(hmacSha256(key, message))),
  (key, message) => hmacSha256(key, [hmacSha256(key, message)]),
  (key, message) => hmacSha256(key, [hex(hmacSha256(key, message))]),
  (key, _, timestamp, body) => hmacSha256(hmacSha256(key, [timestamp]), [body]),
];

export const constructions: readonly Variant<Construction>[] = [
  right(sha256Construction(hmacSha256)),
  ...otherAlgorithms
    .filter(([algorithm]) => getHashes().includes(algorithm))
    .map(([algorithm, name, digestBytes]) =>
      wrong<Construction>(
        { digestBytes, digest: (key, message) => hmac(algorithm, key, message) },
        'algorithm_wrong',
        `it was signed with HMAC-${name}`,
      ),
    ),
  ...cutLengths.map((digestBytes) =>
    wrong<Construction>(
      { digestBytes, digest: (key, message) => hmacSha256(key, message).subarray(0, digestBytes) },
      'signature_cut_off',
      `the signature is truncated to ${digestBytes * 2} characters`,
    ),
  ),
  ...withoutKey.map((digest) =>
    wrong(sha256Construction(digest), 'hash_without_key', 'the signature is a plain SHA-256 without a key'),
  ),
  ...withSecretInText.map((digest) =>
    wrong(
      sha256Construction(digest),
      'hash_of_secret_and_message',
      'the signature is a plain SHA-256 of secret and message, not an HMAC',
    ),
  ),
  ...swapped.map((digest) =>
    wrong(sha256Construction(digest), 'key_and_message_swapped', 'key and message were swapped'),
  ),
  ...twice.map((digest) =>
    wrong(sha256Construction(digest), 'digest_of_digest', 'a digest was hashed once more'),
  ),
];

import { createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { hmacSha256 } from '../signature.ts';
import { type SenderKind, type SenderKindId, senderKinds } from './kinds.ts';

/** A request as it was sent. */
export interface SentCall {
  readonly rawHeaders: readonly string[];
  readonly method: string;
  /** As the sender called it. */
  readonly url: string;
  readonly body: Buffer;
}

/** A request that proves itself by the scheme of a known sender. */
export interface KnownCall {
  readonly sender: SenderKindId;
  /** The same for the same bytes, and for no others. */
  readonly digest: Buffer;
}

type Scheme = NonNullable<SenderKind['scheme']>;

const byHeader = new Map<string, { readonly id: SenderKindId; readonly scheme: Scheme }>(
  senderKinds.flatMap(({ id, scheme }) =>
    scheme === null ? [] : [[scheme.header, { id, scheme }] as const],
  ),
);

/** A header has a few signatures while a secret is rotated. */
const signaturesMax = 4;

/**
 * Null unless the request has the signature header of a known sender, and one of the keys made it. A request with such a header
 * costs one HMAC per key, whoever sent it. Anyone who has recorded a call can send it again, because most of these schemes sign
 * no time.
 */
export function recogniseCall(call: SentCall, keys: readonly KeyObject[]): KnownCall | null {
  for (let at = 0; at < call.rawHeaders.length; at += 2) {
    const known = byHeader.get((call.rawHeaders[at] as string).toLowerCase());
    if (known === undefined) continue;
    const digest = verify(known.scheme, call, keys);
    return digest && { sender: senderOf(known.id, call), digest };
  }
  return null;
}

/** GitHub signs as Meta does. */
function senderOf(id: SenderKindId, call: SentCall): SenderKindId {
  return id === 'meta' && headerOf(call, 'x-github-event') !== null ? 'github' : id;
}

function verify(scheme: Scheme, call: SentCall, keys: readonly KeyObject[]): Buffer | null {
  const value = headerOf(call, scheme.header);
  if (value === null) return null;
  const received = signaturesIn(value, scheme);
  const parts = signedParts(scheme, call, value);
  if (received.length === 0 || parts === null) return null;
  let verified: Buffer | null = null;
  for (const key of keys) {
    const digest = hmacSha256(scheme.key === 'whsec' ? decodedKey(key) : key, ...parts);
    if (received.some((one) => timingSafeEqual(one, digest))) verified ??= digest;
  }
  return verified;
}

function signaturesIn(value: string, { encoding, prefix = '', label, isList }: Scheme): Buffer[] {
  const texts = label === undefined ? (isList ? value.split(' ') : [value]) : labelledIn(value, label);
  return texts.slice(0, signaturesMax).flatMap((text) => {
    const bytes = Buffer.from(text.startsWith(prefix) ? text.slice(prefix.length) : text, encoding);
    return bytes.length === 32 ? bytes : [];
  });
}

/** In `t=1,v1=a,v1=b`. */
function labelledIn(value: string, label: string): string[] {
  return value.split(',').flatMap((part) => {
    const [name, text] = part.trim().split('=', 2);
    return name === label && text !== undefined ? text : [];
  });
}

/** Null if a header that is signed is missing or was sent twice. */
function signedParts({ signed }: Scheme, call: SentCall, value: string): Uint8Array[] | null {
  const parts: Uint8Array[] = [];
  for (const part of signed) {
    const bytes = part === 'body' ? call.body : textPart(part, call, value);
    if (bytes === null) return null;
    parts.push(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }
  return parts;
}

function textPart(part: Scheme['signed'][number], call: SentCall, value: string): string | null {
  if (part === 'method' || part === 'url') return call[part];
  if (part === 't') return labelledIn(value, 't')[0] ?? null;
  return part.startsWith('header:') ? headerOf(call, part.slice('header:'.length)) : part;
}

/** Null if it is missing or was sent twice: we never guess which is meant. */
function headerOf({ rawHeaders }: SentCall, name: string): string | null {
  let found: string | null = null;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if ((rawHeaders[at] as string).toLowerCase() !== name) continue;
    if (found !== null) return null;
    found = rawHeaders[at + 1] as string;
  }
  return found;
}

function decodedKey(key: KeyObject): KeyObject {
  const text = key.export().toString('utf8');
  const bytes = Buffer.from(text.replace(/^whsec_/, ''), 'base64');
  return createSecretKey(bytes);
}

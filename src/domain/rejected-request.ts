import type { SecretBox } from './secrets/secret-box.ts';

/** How long a rejected request can be debugged. */
export const rejectedRequestKeptDays = 3;
/** Of a larger body only the length is kept: debugging a signature needs all of it. */
export const rejectedBodyBytesMax = 16 * 1024;
/** Longer than any header that could be fixed; the rest is cut off. */
const headerCharactersMax = 512;

/** A header as it was sent, missing, or sent more than once. */
export type RecordedHeader = string | null | { readonly repeated: true };

/** What the signature debugger needs of a request with a rejected signature or timestamp. */
export interface RecordedRequest {
  readonly timestamp: RecordedHeader;
  readonly signature: RecordedHeader;
  readonly contentType: string | null;
  readonly bodyBytes: number;
  /** Null if it was too large to keep. */
  readonly body: Buffer | null;
}

/** Encrypted as one value, bound to its rejection: a line of JSON followed by the bytes of the body. */
export function sealRequest(box: SecretBox, rejectionId: string, request: RecordedRequest): Buffer {
  const { body, ...facts } = request;
  const head = {
    ...facts,
    timestamp: short(facts.timestamp),
    signature: short(facts.signature),
    hasBody: body !== null,
  };
  const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body ?? Buffer.alloc(0)]);
  return box.seal(bytes, rejectionOwner(rejectionId));
}

/** Throws if it was encrypted with another key or for another rejection. */
export function openRequest(box: SecretBox, rejectionId: string, sealed: Buffer): RecordedRequest {
  const bytes = box.openBytes(sealed, rejectionOwner(rejectionId));
  const lineEnd = bytes.indexOf('\n');
  const { hasBody, ...facts } = JSON.parse(bytes.toString('utf8', 0, lineEnd));
  return { ...facts, body: hasBody ? bytes.subarray(lineEnd + 1) : null };
}

/** The owner it is encrypted for. */
export function rejectionOwner(rejectionId: string): string {
  return `rejection ${rejectionId}`;
}

function short(header: RecordedHeader): RecordedHeader {
  return typeof header === 'string' ? header.slice(0, headerCharactersMax) : header;
}

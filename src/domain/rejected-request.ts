import type { SecretBox } from './secrets/secret-box.ts';

/** How long a rejected request can be debugged. */
export const rejectedRequestKeptDays = 3;
/** Of a larger body only the length is kept: a signature can only be debugged with all of it. */
export const rejectedBodyBytesMax = 16 * 1024;
/** More than any header that could be mended; the rest is cut off. */
const headerCharactersMax = 512;

/** A header: as it was sent, not sent, or sent more than once. */
export type RecordedHeader = string | null | { readonly repeated: true };

/** What the signature debugger needs of a request whose signature or timestamp was refused. */
export interface RecordedRequest {
  readonly timestamp: RecordedHeader;
  readonly signature: RecordedHeader;
  readonly contentType: string | null;
  readonly bodyBytes: number;
  /** Null when it was too large to be kept. */
  readonly body: Buffer | null;
}

/** Sealed as one piece: a line of JSON, and the bytes of the body after it. Bound to the rejection it belongs to. */
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

/** Throws when it was sealed under another key or for another rejection. */
export function openRequest(box: SecretBox, rejectionId: string, sealed: Buffer): RecordedRequest {
  const bytes = box.openBytes(sealed, rejectionOwner(rejectionId));
  const lineEnd = bytes.indexOf('\n');
  const { hasBody, ...facts } = JSON.parse(bytes.toString('utf8', 0, lineEnd));
  return { ...facts, body: hasBody ? bytes.subarray(lineEnd + 1) : null };
}

/** What it is bound to. */
export function rejectionOwner(rejectionId: string): string {
  return `rejection ${rejectionId}`;
}

function short(header: RecordedHeader): RecordedHeader {
  return typeof header === 'string' ? header.slice(0, headerCharactersMax) : header;
}

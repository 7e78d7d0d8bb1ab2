/** A header as it was sent: not at all, once, or several times, so that its value does not count. */
export interface SentHeader {
  readonly times: number;
  /** Null unless it was sent exactly once and its value was kept. */
  readonly value: string | null;
}

export const notSent: SentHeader = { times: 0, value: null };

export function sentOnce(value: string): SentHeader {
  return { times: 1, value };
}

/** A request to debug, from any source. */
export interface DebugRequest {
  readonly timestamp: SentHeader;
  readonly signature: SentHeader;
  readonly body: Buffer;
  /** Null if unknown. */
  readonly contentType: string | null;
  /** Facts that only a complete request has; null if it was entered in parts or recorded. */
  readonly whole: WholeRequest | null;
  /** The body that the sender claims to have sent, if it may differ from what arrived. */
  readonly claimedBody: Buffer | null;
}

export interface WholeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly Header[];
}

export interface Header {
  readonly name: string;
  readonly value: string;
}

export function headerNames(prefix: string): { readonly timestamp: string; readonly signature: string } {
  return { timestamp: `${prefix}Timestamp`, signature: `${prefix}Signature` };
}

/** Converts a parsed request for the debugger. */
export function wholeRequest(whole: WholeRequest, body: Buffer, prefix: string): DebugRequest {
  const names = headerNames(prefix);
  return {
    timestamp: sentHeader(whole.headers, names.timestamp),
    signature: sentHeader(whole.headers, names.signature),
    body,
    contentType: headerValue(whole.headers, 'Content-Type'),
    whole,
    claimedBody: null,
  };
}

/** The first value under a name, or null. */
export function headerValue(headers: readonly Header[], name: string): string | null {
  return headers.find((header) => header.name.toLowerCase() === name.toLowerCase())?.value ?? null;
}

function sentHeader(headers: readonly Header[], name: string): SentHeader {
  const values = headers.filter((header) => header.name.toLowerCase() === name.toLowerCase());
  return { times: values.length, value: values.length === 1 ? (values[0]?.value ?? null) : null };
}

/** The pasted text cannot be read; the message says what to paste instead. */
export class UnreadablePaste extends Error {}

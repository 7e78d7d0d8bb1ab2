/** A header as it was sent: not at all, once, or so often that its value counts for nothing. */
export interface SentHeader {
  readonly times: number;
  /** Null when it was not sent once, or when nobody kept what was sent. */
  readonly value: string | null;
}

export const notSent: SentHeader = { times: 0, value: null };

export function sentOnce(value: string): SentHeader {
  return { times: 1, value };
}

/** A request to be debugged, wherever it comes from. */
export interface DebugRequest {
  readonly timestamp: SentHeader;
  readonly signature: SentHeader;
  readonly body: Buffer;
  /** Null when it is not known. */
  readonly contentType: string | null;
  /** Facts that only a whole request has; null for one that was given in parts or recorded. */
  readonly whole: WholeRequest | null;
  /** What the sender says it sent, when that may differ from what arrived. */
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

/** Makes of a parsed request what can be debugged. */
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

/** What was pasted cannot be read; the message says what to paste instead. */
export class UnreadablePaste extends Error {}

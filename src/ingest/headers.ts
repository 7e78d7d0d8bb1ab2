import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** A header sent more than once. We never guess which value is meant: it is malformed. */
export const repeated = Symbol('repeated');
export type HeaderValue = string | undefined | typeof repeated;

/** The headers that matter to an ingest request. */
export class IngestHeaders {
  authorization: HeaderValue = undefined;
  timestamp: HeaderValue = undefined;
  signature: HeaderValue = undefined;
  idempotencyKey: HeaderValue = undefined;
  contentType: HeaderValue = undefined;
  contentEncoding: HeaderValue = undefined;
  transferEncoding: HeaderValue = undefined;
  contentLength: HeaderValue = undefined;
  expect: HeaderValue = undefined;
}

export type HeaderReader = (request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>) => IngestHeaders;

type Slot = keyof IngestHeaders;

/** Node lower-cases the names of headers; we lower-case the prefix. */
export function headerReader(prefix: string): HeaderReader {
  const own = prefix.toLowerCase();
  const timestampName = `${own}timestamp`;
  const signatureName = `${own}signature`;
  const keyName = `${own}idempotency-key`;
  const slots = slotsByName(own);

  return ({ headers, rawHeaders }) => {
    const found = new IngestHeaders();
    found.authorization = headers.authorization;
    found.timestamp = headers[timestampName] as string | undefined;
    found.signature = headers[signatureName] as string | undefined;
    found.idempotencyKey = headers[keyName] as string | undefined;
    found.contentType = headers['content-type'];
    found.contentEncoding = headers['content-encoding'];
    found.transferEncoding = headers['transfer-encoding'];
    found.contentLength = headers['content-length'];
    found.expect = headers.expect;
    if (hasRepeated(headers, rawHeaders)) markRepeated(found, rawHeaders, slots);
    return found;
  };
}

/** Node keeps one entry per name and silently drops or joins the others; the raw list keeps them all. */
function hasRepeated(headers: IncomingHttpHeaders, rawHeaders: readonly string[]): boolean {
  let names = 0;
  for (const _ in headers) names++;
  return names * 2 !== rawHeaders.length;
}

function markRepeated(found: IngestHeaders, rawHeaders: readonly string[], slots: Map<string, Slot>): void {
  const seen = new Set<Slot>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const slot = slots.get((rawHeaders[i] as string).toLowerCase());
    if (slot === undefined) continue;
    if (seen.has(slot)) found[slot] = repeated;
    seen.add(slot);
  }
}

function slotsByName(own: string): Map<string, Slot> {
  return new Map<string, Slot>([
    ['authorization', 'authorization'],
    [`${own}timestamp`, 'timestamp'],
    [`${own}signature`, 'signature'],
    [`${own}idempotency-key`, 'idempotencyKey'],
    ['content-type', 'contentType'],
    ['content-encoding', 'contentEncoding'],
    ['transfer-encoding', 'transferEncoding'],
    ['content-length', 'contentLength'],
    ['expect', 'expect'],
  ]);
}

export function isPlainEncoding({ contentEncoding, transferEncoding }: IngestHeaders): boolean {
  const identity = contentEncoding === undefined || isWord(contentEncoding, 'identity');
  return identity && (transferEncoding === undefined || isWord(transferEncoding, 'chunked'));
}

function isWord(value: HeaderValue, word: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === word;
}

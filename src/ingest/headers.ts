import type { IncomingMessage } from 'node:http';

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

export type HeaderReader = (request: Pick<IncomingMessage, 'rawHeaders'>) => IngestHeaders;

type Slot = keyof IngestHeaders;

/**
 * Reads the list of headers as they were sent: Node's object would silently drop or join those that were sent more than
 * once, and is only made when somebody asks for it.
 */
export function headerReader(prefix: string): HeaderReader {
  const slots = slotsByName(prefix.toLowerCase());
  return ({ rawHeaders }) => {
    const found = new IngestHeaders();
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const slot = slots.get((rawHeaders[at] as string).toLowerCase());
      if (slot === undefined) continue;
      found[slot] = found[slot] === undefined ? rawHeaders[at + 1] : repeated;
    }
    return found;
  };
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

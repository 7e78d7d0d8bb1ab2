/** Sent more than once: never guessed at, always malformed. */
export const repeated = Symbol('repeated');
export type HeaderValue = string | undefined | typeof repeated;

/** The headers that an ingest request can be judged by. */
export interface IngestHeaders {
  authorization: HeaderValue;
  timestamp: HeaderValue;
  signature: HeaderValue;
  idempotencyKey: HeaderValue;
  contentType: HeaderValue;
  contentEncoding: HeaderValue;
  transferEncoding: HeaderValue;
  contentLength: HeaderValue;
  expect: HeaderValue;
}

export type HeaderReader = (rawHeaders: readonly string[]) => IngestHeaders;

/** Reads the raw list: Node's parsed headers silently drop or join repeated ones. */
export function headerReader(prefix: string): HeaderReader {
  const own = prefix.toLowerCase();
  const slots = new Map<string, keyof IngestHeaders>([
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
  return (rawHeaders) => {
    const headers: IngestHeaders = {
      authorization: undefined,
      timestamp: undefined,
      signature: undefined,
      idempotencyKey: undefined,
      contentType: undefined,
      contentEncoding: undefined,
      transferEncoding: undefined,
      contentLength: undefined,
      expect: undefined,
    };
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const slot = slots.get((rawHeaders[i] as string).toLowerCase());
      if (slot !== undefined) headers[slot] = headers[slot] === undefined ? rawHeaders[i + 1] : repeated;
    }
    return headers;
  };
}

const jsonShape = /^application\/json[ \t]*(?:;|$)/i;
const charsetShape = /;[ \t]*charset[ \t]*=[ \t]*(?:"([^"]*)"|([^\s;]*))/gi;

export function isJsonContentType(value: HeaderValue): boolean {
  if (value === 'application/json') return true;
  if (typeof value !== 'string' || !jsonShape.test(value)) return false;
  return value.matchAll(charsetShape).every((match) => /^utf-?8$/i.test(match[1] ?? match[2] ?? ''));
}

export function isPlainEncoding({ contentEncoding, transferEncoding }: IngestHeaders): boolean {
  const identity = contentEncoding === undefined || isWord(contentEncoding, 'identity');
  return identity && (transferEncoding === undefined || isWord(transferEncoding, 'chunked'));
}

function isWord(value: HeaderValue, word: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === word;
}

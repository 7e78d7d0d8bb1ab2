import type { IncomingMessage } from 'node:http';
import { JoinedBytes } from '../domain/bytes/joined-bytes.ts';
import { bodyBytesMax } from '../domain/lead/lead.ts';
import type { Arrival } from './arrive.ts';
import { type IngestHeaders, isPlainEncoding } from './headers.ts';
import { Rejection, type RejectionDetail } from './rejection.ts';

/** How much of an oversized body beyond the limit is read and discarded before the connection is closed. */
const discardBytesMax = 8 * 1024 * 1024;

/** A request whose body was read completely. */
class Received {
  declare protected readonly stage: 'received';
  readonly arrival: Arrival;
  readonly body: Buffer;

  constructor(arrival: Arrival, body: Buffer) {
    this.arrival = arrival;
    this.body = body;
  }
}

export type { Received };

/** The same request with its body in another format. */
export function withBody({ arrival }: Received, body: Buffer): Received {
  return new Received(arrival, body);
}

/**
 * Checks method, size and encoding, in this order, before anything is authenticated. Calls back once the request is
 * complete or known to be too large, and never if the sender disconnects before. A callback, because a promise would add
 * noticeably to the cost of a rejection.
 */
export function receive(
  request: IncomingMessage,
  arrival: Arrival,
  onReceived: (received: Received | Rejection) => void,
): void {
  const finish = (body: Buffer | null) => onReceived(checkBody(arrival, body));
  if (isHopeless(arrival.headers)) finish(null);
  else if (isWorthKeeping(arrival)) readBody(request, true, finish);
  else if (isDeclaredSmall(arrival.headers)) skipBody(request, finish);
  else readBody(request, false, finish);
}

/** The same for a request that was read completely before anything was checked. */
export function receiveWhole(arrival: Arrival, body: Buffer): Received | Rejection {
  return checkBody(arrival, isWorthKeeping(arrival) ? body : emptyBody);
}

function checkBody(arrival: Arrival, body: Buffer | null): Received | Rejection {
  if (arrival.method !== 'POST') {
    return new Rejection('method_not_allowed', { method: arrival.method.slice(0, 20) });
  }
  if (body === null) return new Rejection('body_too_large', sizeDetail(arrival.headers));
  if (!isPlainEncoding(arrival.headers))
    return new Rejection('encoding_unsupported', encodingDetail(arrival.headers));
  return new Received(arrival, body);
}

function sizeDetail({ contentLength }: IngestHeaders): RejectionDetail {
  return typeof contentLength === 'string' ? { bytes: Number(contentLength) } : {};
}

const encodingCharactersMax = 40;

function encodingDetail({ contentEncoding, transferEncoding }: IngestHeaders): RejectionDetail {
  if (typeof contentEncoding === 'string')
    return { encoding: contentEncoding.slice(0, encodingCharactersMax) };
  return typeof transferEncoding === 'string'
    ? { transfer_encoding: transferEncoding.slice(0, encodingCharactersMax) }
    : {};
}

/**
 * Without a valid token, the body is only counted. A signature covers the body, so the webhook surface always needs it. On
 * the browser surface, the signature of a token was checked already.
 */
function isWorthKeeping({ surface, identity: { token, page } }: Arrival): boolean {
  if (page !== null) return page.rejection === null;
  return surface === 'webhook' || (token !== null && token.revokedAt === null && token.type === 'server');
}

/** Too large to be read and discarded, or too large and not sent yet (`Expect: 100-continue`). */
function isHopeless({ contentLength, expect }: IngestHeaders): boolean {
  const declared = typeof contentLength === 'string' ? Number(contentLength) : 0;
  return declared > bodyBytesMax && (expect !== undefined || declared > bodyBytesMax + discardBytesMax);
}

/** HTTP framing holds a sender to the declared length, so the bytes need no counting. */
function isDeclaredSmall({ contentLength, transferEncoding }: IngestHeaders): boolean {
  return (
    typeof contentLength === 'string' &&
    transferEncoding === undefined &&
    Number(contentLength) <= bodyBytesMax
  );
}

function skipBody(request: IncomingMessage, onBody: (body: Buffer) => void): void {
  request.on('end', () => onBody(emptyBody));
  request.resume();
}

const emptyBody = Buffer.alloc(0);

/**
 * Counts bytes as they arrive, whatever Content-Length says. The body is null when there are too many. The rest is then
 * read and discarded, because a sender that is still sending would not see the response.
 */
function readBody(request: IncomingMessage, keep: boolean, onBody: (body: Buffer | null) => void): void {
  const body = new JoinedBytes();
  let size = 0;
  let isDone = false;
  const finish = (received: Buffer | null) => {
    if (isDone) return;
    isDone = true;
    onBody(received);
  };
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= bodyBytesMax) {
      if (keep) body.add(chunk);
    } else {
      body.clear();
      if (size > bodyBytesMax + discardBytesMax) finish(null);
    }
  });
  request.on('end', () => finish(size > bodyBytesMax ? null : body.join()));
}

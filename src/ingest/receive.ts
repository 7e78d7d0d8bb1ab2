import type { IncomingMessage } from 'node:http';
import { bodyBytesMax } from '../domain/lead/lead.ts';
import type { Arrival } from './arrive.ts';
import { type IngestHeaders, isPlainEncoding } from './headers.ts';
import { Rejection } from './rejection.ts';

/** What an oversized body may send on top before the connection is closed on it; read and thrown away. */
const discardBytesMax = 8 * 1024 * 1024;

/** A request that has come in whole. */
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

/**
 * Method, size and encoding, in this order; only then is there a request worth authenticating. Calls back
 * once the request is complete, or known to be too large; for a sender that leaves before, never: there is nobody to answer. A callback
 * and not a promise, because a rejection costs little more than what happens here.
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

function checkBody(arrival: Arrival, body: Buffer | null): Received | Rejection {
  if (arrival.method !== 'POST') {
    return new Rejection('method_not_allowed', { method: arrival.method.slice(0, 20) });
  }
  if (body === null) return new Rejection('body_too_large');
  if (!isPlainEncoding(arrival.headers)) return new Rejection('encoding_unsupported');
  return new Received(arrival, body);
}

/** A body without a good token is only counted. Signatures cover the body, so those are always kept. */
function isWorthKeeping({ surface, identity: { token } }: Arrival): boolean {
  return surface === 'webhook' || (token !== null && token.revokedAt === null && token.type === 'server');
}

/** Declared so large that reading it is pointless, or announced by a sender that waits for our leave to send it. */
function isHopeless({ contentLength, expect }: IngestHeaders): boolean {
  const declared = typeof contentLength === 'string' ? Number(contentLength) : 0;
  return declared > bodyBytesMax && (expect !== undefined || declared > bodyBytesMax + discardBytesMax);
}

/** HTTP's framing holds a sender to the length it declares, so there is nothing to count. */
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
 * Counts bytes as they arrive, whatever Content-Length says. Null when there are too many: the rest is then
 * read without being kept, because a sender still busy sending would not see our answer.
 */
function readBody(request: IncomingMessage, keep: boolean, onBody: (body: Buffer | null) => void): void {
  let chunks: Buffer[] = [];
  let size = 0;
  let isDone = false;
  const finish = (body: Buffer | null) => {
    if (isDone) return;
    isDone = true;
    onBody(body);
  };
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= bodyBytesMax) {
      if (keep) chunks.push(chunk);
    } else {
      chunks = [];
      if (size > bodyBytesMax + discardBytesMax) finish(null);
    }
  });
  request.on('end', () => finish(size > bodyBytesMax ? null : joined(chunks)));
}

function joined(chunks: Buffer[]): Buffer {
  if (chunks.length === 1) return chunks[0] as Buffer;
  return chunks.length === 0 ? emptyBody : Buffer.concat(chunks);
}

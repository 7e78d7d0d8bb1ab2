import type { IncomingMessage } from 'node:http';
import { bodyBytesMax } from '../domain/lead.ts';
import { type IngestHeaders, isPlainEncoding } from './headers.ts';
import { type Arrival, type Received, Rejection } from './submission.ts';

/** The sender left before its request was complete: there is nobody to answer. */
export const senderGone = Symbol('sender gone');

/** What an oversized body may send on top before the connection is closed on it; read and thrown away. */
const discardBytesMax = 8 * 1024 * 1024;

/** Method, size and encoding, in this order; only then is there a request worth authenticating. */
export async function receive(
  request: IncomingMessage,
  arrival: Arrival,
): Promise<Received | Rejection | typeof senderGone> {
  const body = isHopeless(arrival.headers) ? null : await readBody(request, isWorthKeeping(arrival));
  if (body === senderGone) return body;
  if (arrival.method !== 'POST')
    return new Rejection('method_not_allowed', { method: arrival.method.slice(0, 20) });
  if (body === null) return new Rejection('body_too_large');
  if (!isPlainEncoding(arrival.headers)) return new Rejection('encoding_unsupported');
  return { arrival, body };
}

/** A body without a good token is only counted. Signatures cover the body, so those are always kept. */
function isWorthKeeping({ surface, identity }: Arrival): boolean {
  return surface === 'webhook' || (identity.token !== null && identity.token.revokedAt === null);
}

/** Declared so large that reading it is pointless, or announced by a sender that waits for our leave to send it. */
function isHopeless({ contentLength, expect }: IngestHeaders): boolean {
  const declared = typeof contentLength === 'string' ? Number(contentLength) : 0;
  return declared > bodyBytesMax && (expect !== undefined || declared > bodyBytesMax + discardBytesMax);
}

const emptyBody = Buffer.alloc(0);

/**
 * Counts bytes as they arrive, whatever Content-Length says. Null when there are too many: the rest is then
 * read without being kept, because a sender still busy sending would not see our answer.
 */
function readBody(request: IncomingMessage, keep: boolean): Promise<Buffer | null | typeof senderGone> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bodyBytesMax) {
        if (keep) chunks.push(chunk);
      } else {
        chunks = [];
        if (size > bodyBytesMax + discardBytesMax) resolve(null);
      }
    });
    request.on('end', () => {
      if (size > bodyBytesMax) resolve(null);
      else
        resolve(
          chunks.length === 1
            ? (chunks[0] as Buffer)
            : chunks.length === 0
              ? emptyBody
              : Buffer.concat(chunks),
        );
    });
    request.on('close', () => resolve(senderGone));
  });
}

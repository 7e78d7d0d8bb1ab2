import type { IncomingMessage } from 'node:http';
import { JoinedBytes } from '../../../domain/bytes/joined-bytes.ts';

/** Of a request for a challenge or a token. A challenge has up to 1,500 characters, a response of a captcha some thousand. */
const bodyBytesMax = 8 * 1024;
/** How much of an oversized body is read and discarded before the connection is closed. */
const discardBytesMax = 1024 * 1024;

/**
 * Reads a body and parses it as JSON, whatever its content type says: a page may send text/plain to avoid a preflight. Calls
 * back with null for anything but an object, and never if the sender disconnects before the body is complete.
 */
export function readSmallBody(
  request: IncomingMessage,
  onBody: (body: Readonly<Record<string, unknown>> | null) => void,
): void {
  const body = new JoinedBytes();
  let size = 0;
  let isDone = false;
  const finish = (bytes: Buffer | null) => {
    if (isDone) return;
    isDone = true;
    onBody(bytes === null ? null : objectIn(bytes));
  };
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= bodyBytesMax) body.add(chunk);
    else {
      body.clear();
      if (size > discardBytesMax) finish(null);
    }
  });
  request.on('end', () => finish(size > bodyBytesMax ? null : body.join()));
}

function objectIn(bytes: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

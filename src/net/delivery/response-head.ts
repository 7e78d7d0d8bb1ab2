import type { IncomingMessage } from 'node:http';
import { JoinedBytes } from '../../domain/bytes/joined-bytes.ts';

/** How much of a response is read, and how much of that is kept. */
export interface HeadLimits {
  readonly readBytesMax: number;
  readonly keptBytesMax: number;
}

export const headBytesMax = 2_048;
export const headLimits: HeadLimits = { readBytesMax: 64 * 1024, keptBytesMax: headBytesMax };
/** Of an API that the service knows: what it says about each of many records. */
export const apiLimits: HeadLimits = { readBytesMax: 1024 * 1024, keptBytesMax: 64 * 1024 };

/** The headers that help to find out why a receiver refuses a delivery. */
const shown = ['content-type', 'location', 'retry-after', 'server'];

/**
 * Reads a response, so that its connection can be used again, and keeps its beginning: some headers, an empty line and the
 * body. Closes the connection if the response is too long. Never rejects: what arrived is kept.
 */
export function readHead(
  message: IncomingMessage,
  { readBytesMax, keptBytesMax }: HeadLimits = headLimits,
): Promise<Buffer> {
  const { headers } = message;
  const lines = shown.flatMap((name) => (headers[name] === undefined ? [] : [`${name}: ${headers[name]}\n`]));
  const kept = new JoinedBytes();
  kept.add(Buffer.from(`${lines.join('')}\n`));
  // Nobody asked for an encoding, and its bytes say nothing to people.
  const isReadable = (headers['content-encoding'] ?? 'identity') === 'identity';
  let bodyBytes = 0;
  return new Promise((resolve) => {
    message.on('data', (chunk: Buffer) => {
      bodyBytes += chunk.length;
      if (isReadable && kept.length < keptBytesMax) kept.add(chunk);
      if (bodyBytes > readBytesMax) message.destroy();
    });
    message.on('error', () => {});
    message.on('close', () => resolve(kept.join().subarray(0, keptBytesMax)));
  });
}

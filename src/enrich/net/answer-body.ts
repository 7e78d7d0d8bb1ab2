import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

export type AnswerBody =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  /** There was more than may be read: only the beginning is here. */
  | { readonly kind: 'cut'; readonly bytes: Buffer }
  | { readonly kind: 'encoding_unsupported' };

const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** What we understand, for the request to say. */
export const acceptEncoding = 'gzip, br';

/**
 * Reads a body up to a number of bytes, counted as they come out of the decoder: a few bytes on the wire may stand
 * for gigabytes. Rejects when the connection breaks or the bytes do not decode.
 */
export async function readAnswerBody(message: IncomingMessage, bytesMax: number): Promise<AnswerBody> {
  const encoding = message.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  // A chain of encodings is a way to make a little into very much, and nobody means well by it.
  const decoder = decoders[encoding]?.();
  if (decoder === undefined && encoding !== 'identity' && encoding !== '') {
    message.destroy();
    return { kind: 'encoding_unsupported' };
  }
  if (decoder === undefined) return collect(message, bytesMax);
  message.on('error', (error) => decoder.destroy(error));
  message.pipe(decoder);
  try {
    return await collect(decoder, bytesMax);
  } finally {
    message.destroy();
  }
}

async function collect(stream: Readable, bytesMax: number): Promise<AnswerBody> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Leaving the loop early destroys the stream, and the connection with it.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > bytesMax) return { kind: 'cut', bytes: Buffer.concat(chunks).subarray(0, bytesMax) };
  }
  return { kind: 'whole', bytes: Buffer.concat(chunks) };
}

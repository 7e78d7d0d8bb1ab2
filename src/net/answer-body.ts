import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { JoinedBytes } from '../domain/bytes/joined-bytes.ts';

export type AnswerBody =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  /** The body exceeds the limit; only its beginning is here. */
  | { readonly kind: 'cut'; readonly bytes: Buffer }
  | { readonly kind: 'encoding_unsupported' };

const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Supported encodings, for the request header. */
export const acceptEncoding = 'gzip, br';

/**
 * Reads a body up to a number of decoded bytes: a few bytes on the wire can decode to gigabytes. Rejects if the
 * connection breaks or decoding fails.
 */
export async function readAnswerBody(message: IncomingMessage, bytesMax: number): Promise<AnswerBody> {
  const encoding = message.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  // Chained encodings are only good for decompression bombs.
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
  const body = new JoinedBytes();
  // Leaving the loop early destroys the stream and the connection.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    body.add(chunk);
    if (body.length > bytesMax) return { kind: 'cut', bytes: body.join().subarray(0, bytesMax) };
  }
  return { kind: 'whole', bytes: body.join() };
}

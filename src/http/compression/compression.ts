import { pipeline, Readable, type Transform } from 'node:stream';
import type { ReadableStream as NodeWebStream } from 'node:stream/web';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { chosenEncoding, type Encoding } from './encoding.ts';

export interface CompressionLimits {
  /** Smaller responses fit in one packet anyway. */
  readonly bytesMin: number;
  /** Each takes memory until its reader has everything. Further responses are sent as they are. */
  readonly inProgressMax: number;
}

const compressionLimits: CompressionLimits = { bytesMin: 1_024, inProgressMax: 64 };

// Events must reach their reader one by one.
const compressibleType = /^(?:text\/(?!event-stream\b)|application\/(?:[^;]+\+)?(?:json|x-ndjson)\b)/i;

// What is written is sent at once: a reader does not wait for the rest of an export to see its beginning. Small windows
// cost little in size and keep the memory of a stream below a megabyte and a half.
const streams: Readonly<Record<Encoding, () => Transform>> = {
  br: () =>
    createBrotliCompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 4,
        [constants.BROTLI_PARAM_LGWIN]: 18,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      },
    }),
  gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH, level: 6 }),
};

/**
 * Compresses responses for callers who accept it. Whoever uses it decides which responses may be compressed: the size of a
 * compressed response tells something about its content, so one with a secret never is.
 *
 * The work is done in Node's thread pool, a chunk at a time: a long export holds up neither the event loop nor, for longer
 * than one chunk, others who need the pool.
 */
export class Compression {
  readonly #limits: CompressionLimits;
  #inProgress = 0;

  constructor(limits: CompressionLimits = compressionLimits) {
    this.#limits = limits;
  }

  get inProgress(): number {
    return this.#inProgress;
  }

  /** The response to `request`, compressed if that is possible and worth it. */
  async of(response: Response, request: Request): Promise<Response> {
    const { body, headers } = response;
    if (body === null || headers.has('content-encoding')) return response;
    if (!compressibleType.test(headers.get('content-type') ?? '')) return response;
    headers.append('vary', 'Accept-Encoding');
    const encoding = chosenEncoding(request.headers.get('accept-encoding'));
    if (encoding === null || request.method === 'HEAD') return response;
    if (this.#inProgress >= this.#limits.inProgressMax) return response;
    const start = await startOf(body, this.#limits.bytesMin);
    if (start.isWhole) return new Response(Buffer.concat(start.chunks), response);
    const answer = new Response(this.#compressed(start, encoding), response);
    answer.headers.delete('content-length');
    answer.headers.set('content-encoding', encoding);
    return answer;
  }

  /** Errors, and a reader who leaves, pass through in both directions. */
  #compressed({ chunks, rest }: Start, encoding: Encoding): ReadableStream<Uint8Array> {
    this.#inProgress++;
    const source = Readable.from(chunksOf(chunks, rest), { objectMode: false, highWaterMark: 1 });
    const stream = streams[encoding]().once('close', () => {
      this.#inProgress--;
    });
    pipeline(source, stream, () => {});
    return Readable.toWeb(stream) as NodeWebStream as ReadableStream<Uint8Array>;
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

interface Start {
  readonly chunks: readonly Uint8Array[];
  readonly isWhole: boolean;
  readonly rest: Reader;
}

/** The first chunks of a body, up to the one that reaches `bytesMin`. */
async function startOf(body: ReadableStream<Uint8Array>, bytesMin: number): Promise<Start> {
  const rest = body.getReader();
  const chunks: Uint8Array[] = [];
  for (let bytes = 0; bytes < bytesMin; ) {
    const { done, value } = await rest.read();
    if (done) return { chunks, isWhole: true, rest };
    chunks.push(value);
    bytes += value.length;
  }
  return { chunks, isWhole: false, rest };
}

async function* chunksOf(start: readonly Uint8Array[], rest: Reader): AsyncGenerator<Uint8Array> {
  try {
    yield* start;
    for (;;) {
      const { done, value } = await rest.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Does nothing at the end of the body.
    await rest.cancel();
  }
}

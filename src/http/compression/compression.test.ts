import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { Compression } from './compression.ts';

const json = { 'content-type': 'application/json' };
const long = JSON.stringify(Array.from({ length: 500 }, (_, n) => ({ n, text: 'the same in each' })));
const unpack = { br: brotliDecompressSync, gzip: gunzipSync };

function asking(accepted: string, method = 'GET'): Request {
  return new Request('http://localhost/', { method, headers: { 'accept-encoding': accepted } });
}

function streamed(chunks: AsyncGenerator<Uint8Array>): Response {
  return new Response(ReadableStream.from(chunks) as ReadableStream<Uint8Array>, { headers: json });
}

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

test.each(['br', 'gzip'] as const)('a response in %s is smaller and the same', async (encoding) => {
  const compression = new Compression();
  const headers = { ...json, 'content-length': String(long.length), 'x-kept': 'yes' };
  const answer = await compression.of(new Response(long, { status: 201, headers }), asking(encoding));
  expect(answer.status).toBe(201);
  expect(Object.fromEntries(answer.headers)).toEqual({
    ...json,
    'content-encoding': encoding,
    vary: 'Accept-Encoding',
    'x-kept': 'yes',
  });
  const bytes = await bytesOf(answer);
  expect(bytes.length).toBeLessThan(long.length / 5);
  expect(unpack[encoding](bytes).toString()).toBe(long);
});

test.each([
  ['a short body', new Response('{"short":true}', { headers: json }), 'br', 'GET'],
  ['a caller who does not accept it', new Response(long, { headers: json }), 'identity', 'GET'],
  ['a HEAD request', new Response(long, { headers: json }), 'br', 'HEAD'],
])(
  '%s is not compressed, and caches learn that it depends on the caller',
  async (_, response, accepted, method) => {
    const text = await response.clone().text();
    const answer = await new Compression().of(response, asking(accepted, method));
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    expect(await answer.text()).toBe(text);
  },
);

test.each([
  ['events', { 'content-type': 'text/event-stream' }],
  ['a picture', { 'content-type': 'image/webp' }],
  ['unknown bytes', { 'content-type': 'application/octet-stream' }],
  ['what is already compressed', { ...json, 'content-encoding': 'gzip' }],
])('%s stays as it is', async (_, headers) => {
  const response = new Response(long, { headers });
  expect(await new Compression().of(response, asking('br'))).toBe(response);
  expect(response.headers.has('vary')).toBe(false);
});

test.each(['br', 'gzip'])(
  'in %s, what has been written arrives before the rest is there',
  async (encoding) => {
    const { promise: rest, resolve: release } = Promise.withResolvers<void>();
    async function* chunks() {
      yield Buffer.from(long);
      await rest;
      yield Buffer.from(long);
    }
    const answer = await new Compression().of(streamed(chunks()), asking(encoding));
    const reader = answer.body
      ?.pipeThrough(new DecompressionStream(encoding === 'br' ? 'brotli' : 'gzip'))
      .getReader();
    let text = '';
    while (text.length < long.length) text += Buffer.from((await reader?.read())?.value ?? []);
    expect(text).toBe(long);
    release();
    await reader?.cancel();
  },
);

test('a reader who leaves ends the source, and a source that fails breaks the response', async () => {
  const compression = new Compression();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  async function* endless() {
    try {
      for (;;) yield Buffer.from(long);
    } finally {
      end();
    }
  }
  const left = await compression.of(streamed(endless()), asking('gzip'));
  expect(compression.inProgress).toBe(1);
  const reader = left.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await ended;
  async function* broken() {
    yield Buffer.from(long);
    throw new Error('broken');
  }
  const failed = await compression.of(streamed(broken()), asking('gzip'));
  await expect(failed.arrayBuffer()).rejects.toThrow('broken');
  await expect.poll(() => compression.inProgress).toBe(0);
});

test('while as many responses as allowed are compressed, others are sent as they are', async () => {
  const compression = new Compression({ bytesMin: 0, inProgressMax: 1 });
  const answers = [];
  for (let n = 0; n < 2; n++)
    answers.push(await compression.of(new Response(long, { headers: json }), asking('br')));
  expect(answers.map(({ headers }) => headers.get('content-encoding'))).toEqual(['br', null]);
  for (const answer of answers) await answer.arrayBuffer();
  await expect.poll(() => compression.inProgress).toBe(0);
  const later = await compression.of(new Response(long, { headers: json }), asking('br'));
  expect(later.headers.get('content-encoding')).toBe('br');
  await later.arrayBuffer();
});

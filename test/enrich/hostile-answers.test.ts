import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LookupProvider } from '../../src/enrich/providers/provider.ts';
import { site } from '../../src/enrich/providers/site/site.ts';
import { TestInternet } from '../support/egress.ts';
import { ask, expectWellFormed, someExternal } from './asking.ts';

let internet: TestInternet;

beforeAll(async () => {
  internet = await new TestInternet().start();
  internet.addHost('acme-public.com', 'www.acme-public.com', 'api.provider-public.com');
});
afterAll(() => internet.stop());

const megabyte = 1_048_576;
// Long enough for a busy machine, short enough to wait for.
const timeoutMs = 1_500;
const kinds = {
  site: { provider: { ...site, timeoutMs }, type: 'text/html' },
  external: { provider: { ...someExternal, timeoutMs }, type: 'application/json' },
} as const;

type Answer = (response: ServerResponse, type: string) => void;
const body =
  (bytes: string | Buffer, headers: Record<string, string> = {}): Answer =>
  (response, type) =>
    response.writeHead(200, { 'content-type': type, ...headers }).end(bytes);
const raw =
  (bytes: string): Answer =>
  (response) => {
    response.socket?.end(bytes, 'latin1');
  };

/** Writes for as long as the other side reads, and counts. */
function endless(chunk: Buffer, headers: Record<string, string> = {}): Answer & { written: number } {
  const answer: Answer & { written: number } = Object.assign(
    (response: ServerResponse, type: string) => {
      response.writeHead(200, { 'content-type': type, ...headers });
      const write = () => {
        do answer.written += chunk.length;
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', write);
      write();
    },
    { written: 0 },
  );
  return answer;
}

const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
const zeros = Buffer.alloc(64 * megabyte, 0x20);

const hostile: [string, Answer][] = [
  ['an unexpected content type', body('x', { 'content-type': 'image/png' })],
  ['no content type', (response) => response.writeHead(200).end('x')],
  ['nothing', body('')],
  ['bytes that are not UTF-8', body(Buffer.from([0xff, 0xfe, 0x80, 0x3c, 0x74, 0xc3, 0x28]))],
  ['an unknown charset', body('<title>x', { 'content-type': 'text/html; charset=klingon' })],
  ['NUL bytes and lone surrogates', body('<title>A\u0000\ufffe</title>{"name":"\\u0000\\ud800"}')],
  ['JSON with NUL and lone surrogates', body('{"name":"a\\u0000b\\ud800","phones":["\\udfff"]}')],
  ['JSON as deep as possible', body(deep('[', ']', 100_000))],
  ['objects as deep as possible', body(`${'{"name":'.repeat(20_000)}1${'}'.repeat(20_000)}`)],
  ['elements as deep as possible', body(deep('<div>', '</div>', 40_000))],
  ['a name that is an object', body('{"name":{"a":{"b":[]}},"phones":{"0":"1"},"address":[]}')],
  ['JSON that names prototypes', body('{"__proto__":{"name":"x"},"constructor":{"name":"y"}}')],
  ['JSON that is not an object', body('null')],
  ['half of a JSON document', body('{"name":"Ac')],
  ['deep JSON-LD', body(`<script type="application/ld+json">${deep('[', ']', 30_000)}</script>`)],
  [
    'JSON-LD with many nodes',
    body(`<script type="application/ld+json">[${'{"@graph":[]},'.repeat(4_000)}null]</script>`),
  ],
  ['thousands of attributes', body(`<html ${'a=b '.repeat(80_000)}><title>x</title>`)],
  ['a million links', body('<a href="https://x.com/acme">'.repeat(15_000))],
  ['an element that never ends', body(`<title>${'x'.repeat(400_000)}`)],
  ['a gzip bomb', body(gzipSync(zeros), { 'content-encoding': 'gzip' })],
  ['a brotli bomb', body(brotliCompressSync(zeros), { 'content-encoding': 'br' })],
  ['invalid gzip', body('not gzip at all', { 'content-encoding': 'gzip' })],
  [
    'truncated gzip',
    body(gzipSync(Buffer.from('<title>x</title>')).subarray(0, 12), { 'content-encoding': 'gzip' }),
  ],
  ['a chain of encodings', body(gzipSync(gzipSync(zeros)), { 'content-encoding': 'gzip, gzip' })],
  ['an unknown encoding', body('x', { 'content-encoding': 'zstd' })],
  ['endless headers', raw(`HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(50_000)}\r\n`)],
  ['a header of a megabyte', raw(`HTTP/1.1 200 OK\r\nX-A: ${'b'.repeat(megabyte)}\r\n\r\n`)],
  ['another protocol', raw('SSH-2.0-OpenSSH_9.9\r\n')],
  ['binary noise', raw('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03')],
  ['a hundred provisional responses', raw('HTTP/1.1 102 Processing\r\n\r\n'.repeat(100))],
  [
    'a protocol upgrade',
    raw('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  ],
  ['a wrong length', raw('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9999\r\n\r\n<ti')],
  ['two lengths', raw('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx')],
  [
    'a broken chunk',
    raw('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n'),
  ],
  ['a status that does not exist', raw('HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n')],
  ['no content', (response) => response.writeHead(204).end()],
  ['a redirect to an invalid URL', (response) => response.writeHead(302, { location: 'http://[' }).end()],
  ['a redirect without a URL', (response) => response.writeHead(302).end()],
  ['a closed connection', (response) => response.socket?.destroy()],
  ['a 403', (response) => response.writeHead(403).end()],
  ['trouble', (response) => response.writeHead(503, { 'retry-after': 'x'.repeat(5_000) }).end()],
];

async function askFor(provider: LookupProvider, type: string, answer: Answer) {
  internet.handler = (_, response) => answer(response, type);
  return ask(provider, internet);
}

for (const [name, { provider, type }] of Object.entries(kinds)) {
  test.each(hostile)(`${name}: a response with %s does no harm`, async (_, answer) => {
    const result = await askFor(provider, type, answer);
    expectWellFormed(result);
    expect(({} as Record<string, unknown>).name).toBeUndefined();
  });

  test(`${name}: an endless body is read up to the limit and no further`, async () => {
    const answer = endless(Buffer.alloc(65_536, 0x20));
    const result = await askFor({ ...provider, timeoutMs: 120_000 }, type, answer);
    expectWellFormed(result);
    expect(result.kind).toBe(name === 'site' ? 'found' : 'fail');
    // The buffers of two sockets come on top of what was read.
    expect(answer.written).toBeLessThan(32 * megabyte);
  });

  test(`${name}: a body that drips forever ends at the timeout`, async () => {
    const result = await askFor(provider, type, (response, contentType) => {
      response.writeHead(200, { 'content-type': contentType });
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    });
    expect(result).toEqual({ kind: 'retry', why: 'timed out' });
  });

  test(`${name}: headers that never come end at the timeout`, async () => {
    expect(await askFor(provider, type, () => {})).toEqual({ kind: 'retry', why: 'timed out' });
  });
}

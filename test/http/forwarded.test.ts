import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aloneOnHost } from '../../src/start/host.ts';
import { scratchFolder } from '../support/scratch.ts';
import { operatorKey, startTestService, type TestService } from '../support/service.ts';

let first: TestService;
let second: TestService;

beforeAll(async () => {
  const path = join(scratchFolder(), 'first.sock');
  const several = { ...aloneOnHost, workerCount: 2 };
  first = await startTestService({ host: { ...several, ownSocketPath: path } });
  const { databaseUrl } = first;
  second = await startTestService({
    databaseUrl,
    host: { ...several, isFirst: false, firstSocketPath: () => path },
  });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

interface Raw {
  readonly line: string;
  readonly headers?: readonly string[];
  readonly body?: string;
}

const key = `Authorization: Bearer ${operatorKey}`;
const json = 'Content-Type: application/json';

// One character per byte.
function raw({ line, headers = [], body = '' }: Raw): string {
  const lines = [line.includes('HTTP/') ? line : `${line} HTTP/1.1`, 'Host: localhost', key, ...headers];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** A request with a body, and another behind it. */
function withBody(line: string, bytes: number): string {
  const headers = [json, `Content-Length: ${bytes}`];
  return raw({ line, headers, body: 'x'.repeat(bytes) }) + get('/livez');
}

function get(target: string, ...headers: string[]): string {
  return raw({ line: `GET ${target}`, headers: [...headers, 'Connection: close'] });
}

function post(headers: readonly string[], body: string): string {
  return raw({ line: 'POST /api/v1/workspaces', headers: [json, 'Connection: close', ...headers], body });
}

const list = '/api/v1/workspaces';
const chunkedBody = '2;extension=1\r\n{}\r\n0\r\nX-Trailer: 1\r\n\r\n';
const lead = raw({ line: 'POST /api/v1/ingest', headers: [json, 'Content-Length: 2'], body: '{}' });

const requests: Record<string, string> = {
  ...Object.fromEntries(
    ['HEAD', 'OPTIONS', 'TRACE', 'DELETE', 'PROPFIND'].map((method) => [
      method,
      raw({ line: `${method} ${list}`, headers: ['Connection: close'] }),
    ]),
  ),
  'OPTIONS of everything': raw({ line: 'OPTIONS *', headers: ['Connection: close'] }),
  'the page': get('/'),
  'a missing page of the API': get('/api/v1/nothing'),
  'an absolute target': get('http://elsewhere.example/api/v1/nothing?a=b'),
  'a target with bytes above 0x7f': get('/api/v1/\u00e9'),
  'a header with bytes above 0x7f': get(list, 'X-Name: \u00e9'),
  'several cookies': get('/api/v1/me', 'Cookie: a=1', 'cookie: b=2'),
  'headers that name others as hop-by-hop': get(
    list,
    'Connection: Leadgate-Peer, X-Forwarded-For',
    'Leadgate-Peer: 203.0.113.9',
  ),
  'an upgrade': get(list, 'Connection: Upgrade', 'Upgrade: websocket'),
  'the announcement of a trailer that does not follow': get(list, 'Trailer: X-Trailer'),
  // Node allows 16 KB of headers.
  ...Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => {
      const bytes = 16_384 - 160 + at * 8;
      return [`a header of ${bytes} bytes`, get('/api/v1/nothing', `A: ${'b'.repeat(bytes)}`)];
    }),
  ),
  'HTTP/1.0': raw({ line: `GET ${list} HTTP/1.0` }),
  'HTTP/1.0 that keeps the connection': raw({
    line: 'GET /api/v1/nothing HTTP/1.0',
    headers: ['Connection: keep-alive'],
  }),
  'a POST without a body': post([], ''),
  'a POST with an empty body': post(['Content-Length: 0'], ''),
  'a chunked body with an extension and a trailer': post(['Transfer-Encoding: chunked'], chunkedBody),
  'a chunked body in other letters': post(['tRANSFER-eNCODING: Chunked'], chunkedBody),
  'a compressed body': post(['Transfer-Encoding: gzip, chunked'], chunkedBody),
  'both lengths': post(['Content-Length: 2', 'Transfer-Encoding: chunked'], chunkedBody),
  'two lengths': post(['Content-Length: 2', 'Content-Length: 2'], '{}'),
  'two encodings': post(['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], chunkedBody),
  'a malformed chunk': post(['Transfer-Encoding: chunked'], '2\r\n{}x'),
  'a folded header': get(list, 'X-Name: a\r\n b'),
  'Expect: 100-continue': post(['Expect: 100-continue', 'Content-Length: 2'], '{}'),
  'another expectation': post(['Expect: banana', 'Content-Length: 2'], '{}'),
  'a body that is cut off': post(['Content-Length: 20'], '{}'),
  'a GET with a body': withBody(`GET ${list}`, 600_000),
  'a body that nobody reads': withBody('POST /', 600_000),
  'a body one byte too large': post(['Content-Length: 1000001'], 'x'.repeat(1_000_001)),
  'leads and other requests on one connection':
    raw({ line: `GET ${list}` }) + lead + raw({ line: 'GET /api/v1/nothing' }) + lead + get('/'),
  'twenty requests on one connection': raw({ line: `GET ${list}` }).repeat(20),
};

/** Sends a request, hangs up right behind it as some senders do, and reads until the service closes. */
function talk(url: string, request: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.setEncoding('latin1').on('data', (part) => {
      received += part;
    });
    socket.on('error', () => {}).on('close', () => resolve(received));
    socket.end(request, 'latin1');
  });
}

/** Without what differs between any two responses. */
function comparable(received: string): string {
  return (
    received
      .replaceAll(/(\r\ndate: )[^\r]+/gi, '$1')
      .replaceAll(/(\r\nx-request-id: )[^\r]+/gi, '$1')
      // Its place among the headers differs.
      .replaceAll(/\r\nconnection: close/gi, '')
      .replaceAll(/^leadgate_.*$/gm, '')
  );
}

test.each(Object.entries(requests))(
  '%s gets the same response through another process',
  async (_, request) => {
    const direct = await talk(first.url, request);
    const forwarded = await talk(second.url, request);
    expect(comparable(forwarded)).toBe(comparable(direct));
  },
);

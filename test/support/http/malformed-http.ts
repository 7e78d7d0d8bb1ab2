import { chunkCases, contentLengthCases, transferEncodingCases } from './malformed-framing.ts';
import { crlf, head, hidden, lead, type MalformedTarget, whole } from './raw-request.ts';

/**
 * Requests to the ingest path that break HTTP in every way we could think of, based on public lists of parser differences
 * and smuggling techniques. Where the framing is ambiguous, the bytes that could be read as a second request hold a valid
 * lead with the word "smuggled", which must never be stored.
 */
export interface MalformedCase {
  readonly name: string;
  readonly bytes: Buffer;
}

export function malformedCases(target: MalformedTarget): MalformedCase[] {
  const groups: Record<string, [string, string][]> = {
    'transfer encoding': transferEncodingCases(target),
    'content length': contentLengthCases(target),
    chunk: chunkCases(target),
    'request line': requestLines(target),
    header: headers(target),
    'not HTTP': otherProtocols(target),
    pipeline: pipelines(target),
  };
  return Object.entries(groups).flatMap(([group, cases]) =>
    cases.map(([name, text]) => ({
      name: `${group}: ${printable(name)}`,
      bytes: Buffer.from(text, 'latin1'),
    })),
  );
}

function printable(text: string): string {
  return JSON.stringify(text).slice(1, 61);
}

function requestLines(target: MalformedTarget): [string, string][] {
  const { path } = target;
  const rest = whole(target).slice(whole(target).indexOf(crlf));
  const methods = [
    'GET',
    'HEAD',
    'PUT',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'PATCH',
    'PROPFIND',
    'M-SEARCH',
    'QUERY',
    'post',
    'Post',
    'P',
    'POSTS',
    'PO\0ST',
    '\x80POST',
    'PRI',
    'SOURCE',
    'A'.repeat(9_000),
  ].map((method) => `${method} ${path} HTTP/1.1`);
  const lines = [
    ...methods,
    `POST ${path}`,
    `POST ${path} `,
    ...[
      'HTTP/0.9',
      'HTTP/1.2',
      'HTTP/2.0',
      'HTTP/3',
      'HTTP/1',
      'HTTP/1.1.1',
      'HTTP/11',
      'http/1.1',
      'HTTPS/1.1',
      'HTTP /1.1',
      'ICE/1.0',
      'RTSP/1.0',
      'HTTP/1.1 x',
      'HTTP/-1.1',
      'HTTP/\xb2.0',
    ].map((version) => `POST ${path} ${version}`),
    `POST  ${path} HTTP/1.1`,
    `POST\t${path}\tHTTP/1.1`,
    ` POST ${path} HTTP/1.1`,
    `\r\n\r\nPOST ${path} HTTP/1.1`,
    `\nPOST ${path} HTTP/1.1`,
    `POST ${path}\0 HTTP/1.1`,
    `POST ${path}/\xc3\xa9 HTTP/1.1`,
    `POST ${path}/a b HTTP/1.1`,
    `POST ${path}/%0d%0aX-Injected:%20yes HTTP/1.1`,
    `POST ${path}/%00 HTTP/1.1`,
    `POST ${path}/${'%41'.repeat(4_000)} HTTP/1.1`,
    `POST ${path}/${'../'.repeat(50)} HTTP/1.1`,
    `POST ${path}?${'a=b&'.repeat(3_000)} HTTP/1.1`,
    `POST ${path}#fragment HTTP/1.1`,
    `POST http://[::1]:99999${path} HTTP/1.1`,
    `POST HTTP://user:pass@localhost${path} HTTP/1.1`,
    `POST ${path.slice(1)} HTTP/1.1`,
    'CONNECT localhost:443 HTTP/1.1',
  ];
  return [
    ...lines.map((line): [string, string] => [line, line + rest]),
    ['bare LFs', whole(target).replaceAll(crlf, '\n')],
    ['bare CRs', whole(target).replaceAll(crlf, '\r')],
  ];
}

function headers(target: MalformedTarget): [string, string][] {
  const controls = [...Array(0x20).keys(), 0x7f].filter((code) => code !== 0x09);
  const lines = [
    ...controls.map((code) => `X: a${String.fromCharCode(code)}b`),
    ...controls.map((code) => `X${String.fromCharCode(code)}Y: a`),
    ...[...'"(),/:;<=>?@[\\]{} \x80\xff'].map((character) => `X${character}Y: a`),
    ': no name',
    'no value',
    'no value:',
    ' folded: a',
    'X: a\r\n folded',
    'Transfer_Encoding: chunked',
    '__proto__: x',
    'constructor: x',
    'Host: a',
    'Host: \0',
    'Host: a b',
    'Connection: close, keep-alive, upgrade',
    'Connection: Content-Length',
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA',
    'Expect: 100-continue\r\nExpect: 100-continue',
    'Expect: ',
    'Content-Encoding: gzip',
    'TE: trailers, chunked;q=0',
    'Keep-Alive: timeout=-1, max=x',
    `Cookie: ${'a=b; '.repeat(2_500)}`,
    `X: ${'a'.repeat(1_000_000)}`,
    `${'X'.repeat(70_000)}: a`,
    Array.from({ length: 20_000 }, (_, number) => `X${number}: a`).join(crlf),
  ];
  return lines.map((line) => [line, head(target, [line, `Content-Length: ${lead.length}`]) + lead]);
}

function otherProtocols(target: MalformedTarget): [string, string][] {
  const noise = (seed: number) =>
    Array.from({ length: 400 }, (_, at) => String.fromCharCode((seed * 2_654_435_761 * (at + 1)) % 251)).join(
      '',
    );
  return [
    ['HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'],
    [
      'HTTP/2 preface after a request',
      `${whole(target)}PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0`,
    ],
    [
      'TLS ClientHello',
      '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\0\0\x02\x13\x01',
    ],
    ['SSH', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['SMTP', 'EHLO localhost\r\nMAIL FROM:<a@b>\r\n'],
    ['SOCKS 5', '\x05\x01\x00'],
    ['PROXY protocol 1', `PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n${whole(target)}`],
    ['PROXY protocol 2', `\r\n\r\n\0\r\nQUIT\n\x21\x11\x00\x0c${'a'.repeat(12)}${whole(target)}`],
    ['an HTTP answer', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['JSON alone', lead],
    ['zeros', '\0'.repeat(65_536)],
    ['line ends', crlf.repeat(20_000)],
    ['spaces', ' '.repeat(65_536)],
    ...Array.from({ length: 12 }, (_, seed): [string, string] => [`noise ${seed}`, noise(seed + 1)]),
  ];
}

function pipelines(target: MalformedTarget): [string, string][] {
  const good = whole(target);
  const bad = head(target, ['Content-Length: x']);
  return [
    ['forty good ones', good.repeat(40)],
    ['forty bad ones', bad.repeat(40)],
    ['good, malformed, hidden', good + bad + hidden(target)],
    ['good, half a head', good + good.slice(0, 40)],
    ['good, half a body', good + good.slice(0, -5)],
    [
      'closing, then hidden',
      head(target, ['Connection: close', `Content-Length: ${lead.length}`]) + lead + hidden(target),
    ],
    ['HTTP/1.0, then hidden', good.replace('HTTP/1.1', 'HTTP/1.0') + hidden(target)],
    [
      'refused expectation, then good',
      head(target, ['Expect: 100-continue', 'Content-Length: 200000']) + good,
    ],
    ['GET with a body, then good', good.replace('POST', 'GET') + good],
    ['retired, then good', good.replace('/api/v1/ingest', '/api/ingest/x') + good],
  ];
}

/**
 * Requests to the ingest path that break HTTP in every way we could think of, written after the public lists of
 * parser differences and smuggling techniques. Where framing is in doubt the bytes that one reading would take for a
 * second request hold a valid lead with the word "smuggled": it must never be stored.
 */
export interface MalformedCase {
  readonly name: string;
  readonly bytes: Buffer;
}

export const smuggledMark = 'smuggled';
const lead = '{"name":"Ada"}';
const crlf = '\r\n';

export interface MalformedTarget {
  readonly path: string;
  readonly token: string;
}

export function malformedCases(target: MalformedTarget): MalformedCase[] {
  const groups: Record<string, [string, string][]> = {
    'transfer encoding': transferEncodings(target),
    'content length': contentLengths(target),
    chunk: chunks(target),
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

function head({ path, token }: MalformedTarget, lines: readonly string[]): string {
  return [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    ...lines,
    '',
    '',
  ].join(crlf);
}

function whole(target: MalformedTarget, body = lead): string {
  return head(target, [`Content-Length: ${body.length}`]) + body;
}

function hidden(target: MalformedTarget): string {
  return whole(target, `{"name":"${smuggledMark}"}`);
}

function chunked(body: string): string {
  return `${body.length.toString(16)}${crlf}${body}${crlf}0${crlf}${crlf}`;
}

/** Each spelling with a length that hides a second request (CL.TE) and with one that cuts the chunks short (TE.CL). */
function transferEncodings(target: MalformedTarget): [string, string][] {
  const values = [
    'chunked, identity',
    'identity, chunked',
    'chunked, chunked',
    'gzip, chunked',
    'chunked, gzip',
    'xchunked',
    'chunkedx',
    'x chunked',
    'chunked;q=1',
    '"chunked"',
    'Chunked',
    'CHUNKED',
    '\tchunked',
    'chunked\t',
    '\x0bchunked',
    'chunked\x0b',
    'chun\0ked',
    'chunked\x85',
    '\xa0chunked',
    'chunked,',
    ',chunked',
    ',',
    '',
    'identity',
    'deflate',
    'chunked\r\n identity',
    '\r\n chunked',
    '\nchunked',
    '\rchunked',
  ];
  const names = [
    'Transfer-Encoding ',
    ' Transfer-Encoding',
    'Transfer-Encoding\0',
    'Transfer-Encoding\t',
    'Transfer\x0bEncoding',
    'X: y\nTransfer-Encoding',
    'X: y\rTransfer-Encoding',
    'X: y\r\n\rTransfer-Encoding',
    'transfer-encoding',
  ];
  const lines = [
    ...values.map((value) => `Transfer-Encoding: ${value}`),
    ...names.map((name) => `${name}: chunked`),
    `Transfer-Encoding: chunked${crlf}Transfer-Encoding: identity`,
    `Transfer-Encoding: identity${crlf}Transfer-Encoding: chunked`,
  ];
  return lines.flatMap((line): [string, string][] => {
    const tail = `0${crlf}${crlf}${hidden(target)}`;
    return [
      [`${line} (length over all)`, head(target, [`Content-Length: ${tail.length}`, line]) + tail],
      [
        `${line} (length over the first line)`,
        head(target, [line, 'Content-Length: 4']) + chunked(hidden(target)),
      ],
      [`${line} (no length)`, head(target, [line]) + chunked(lead)],
    ];
  });
}

function contentLengths(target: MalformedTarget): [string, string][] {
  const size = String(lead.length);
  const values = [
    `+${size}`,
    `-${size}`,
    '-0',
    `0x${lead.length.toString(16)}`,
    `${size}.0`,
    `${size}e0`,
    `0${size}`,
    `000000000000000000000000${size}`,
    `${size}${size}${size}${size}${size}${size}${size}${size}${size}${size}${size}`,
    '18446744073709551616',
    '9223372036854775808',
    '9007199254740993',
    '4294967310',
    `${size}, ${size}`,
    `${size},15`,
    `${size};`,
    `${size} ${size}`,
    `\t${size}`,
    `${size}\t`,
    `${size}\x0b`,
    `${size}\0`,
    `"${size}"`,
    '',
    ' ',
    'NaN',
    'Infinity',
    '\xb2',
    `${size}\r\n 5`,
    `\r\n ${size}`,
  ];
  const lines = [
    ...values.map((value) => [`Content-Length: ${value}`]),
    [`Content-Length: ${size}`, `Content-Length: ${size}`],
    [`Content-Length: ${size}`, 'Content-Length: 0'],
    ['Content-Length: 0', `Content-Length: ${size}`],
    [`Content-Length : ${size}`],
    [`Content_Length: ${size}`],
    [`Content-Length\0: ${size}`],
    [`X: y\nContent-Length: ${size}`],
    [`X: y\rContent-Length: ${size}`],
    [`Content-Length ${size}`],
  ];
  return lines.map((each) => [each.join(' and '), head(target, each) + lead]);
}

function chunks(target: MalformedTarget): [string, string][] {
  const size = lead.length.toString(16);
  const sizes = [
    `-${size}`,
    `+${size}`,
    `0x${size}`,
    `${size} `,
    ` ${size}`,
    `${size}\t`,
    `0${size}`,
    `0000000000000000000000${size}`,
    `${size};`,
    `${size};a=b`,
    `${size};a="b\r\n"`,
    `${size};\0`,
    `${size};${'a'.repeat(20_000)}`,
    `${size} ${size}`,
    `${size}\0`,
    '',
    'g',
    'ffffffffffffffff',
    '10000000000000000',
    '7fffffffffffffff',
    '100000000',
    '20001',
  ];
  const start = head(target, ['Transfer-Encoding: chunked']);
  const end = `${crlf}0${crlf}${crlf}`;
  const trailers = [
    'Content-Length: 5',
    'Transfer-Encoding: chunked',
    'no colon',
    ': empty',
    'A: b\0c',
    'A: b\nC: d',
  ];
  return [
    ...sizes.map((each): [string, string] => [`size ${each}`, `${start}${each}${crlf}${lead}${end}`]),
    ['a bare LF after the size', `${start}${size}\n${lead}${end}`],
    ['a bare CR after the size', `${start}${size}\r${lead}${end}`],
    ['a bare LF after the data', `${start}${size}${crlf}${lead}\n0${crlf}${crlf}`],
    ['no line end after the data', `${start}${size}${crlf}${lead}0${crlf}${crlf}`],
    ['more data than the size says', `${start}${size}${crlf}${lead}${lead}${end}`],
    ['less data than the size says', `${start}ff${crlf}${lead}${end}`],
    ['bare LFs everywhere', `${start}${size}\n${lead}\n0\n\n`],
    [
      'one byte per chunk',
      `${start}${[...lead].map((byte) => `1${crlf}${byte}${crlf}`).join('')}0${crlf}${crlf}`,
    ],
    ['a chunk after the last', `${start}0${crlf}${crlf}${size}${crlf}${lead}${end}`],
    ...trailers.map((line): [string, string] => [
      `trailer ${line}`,
      `${start}${size}${crlf}${lead}${crlf}0${crlf}${line}${crlf}${crlf}`,
    ]),
    [
      'two thousand trailers',
      `${start}${size}${crlf}${lead}${crlf}0${crlf}${'A: b\r\n'.repeat(2_000)}${crlf}`,
    ],
  ];
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

import { Random } from '../../../../src/time/random.ts';

/** What one sender does on one connection: packets, with or without a pause before each, and how it ends. */
export interface PlainCase {
  readonly packets: readonly { readonly bytes: Buffer; readonly isAwaited: boolean }[];
  readonly hangsUp: boolean;
}

/** Requests like those that senders send, and every way that we know to get them wrong, the same for the same seed. */
export function plainCase(seed: number): PlainCase {
  const random = new Random(seed);
  const count = random.pick([1, 1, 1, 2, 3]);
  let bytes: Buffer[] = Array.from({ length: count }, () => Buffer.from(request(random), 'latin1'));
  if (random.chance(0.2)) bytes = bytes.map((one) => (random.chance(0.5) ? damaged(one, random) : one));
  const packets = arranged(bytes, random).map((one) => ({ bytes: one, isAwaited: random.chance(0.7) }));
  return { packets, hangsUp: random.chance(0.5) };
}

function request(random: Random): string {
  const body = bodyOf(random);
  const lines = [requestLine(random), ...headersOf(random, body.length)];
  const end = random.chance(0.97) ? '\r\n' : random.pick(['\n', '\r', '\r\n ', '\r\n\t', '\n\r', '']);
  return `${lines.join(end)}${end}${random.chance(0.98) ? '\r\n' : random.pick(['\n', '\r', ''])}${body}`;
}

function requestLine(random: Random): string {
  if (random.chance(0.85)) return `POST ${random.pick(usualPaths)} HTTP/1.1`;
  const space = random.chance(0.9) ? ' ' : random.pick(['  ', '\t', '']);
  return [random.pick(methods), random.pick(paths), random.pick(versions)].join(space);
}

const usualPaths = ['/api/v1/ingest', '/api/v1/ingest', '/api/v1/ingest/contact-form'];
const methods = [
  'POST',
  'POST',
  'post',
  'GET',
  'PUT',
  'HEAD',
  'OPTIONS',
  'CONNECT',
  'PRI',
  'POS T',
  '\r\nPOST',
  '',
];
const paths = [
  ...usualPaths,
  '/api/v1/ingest/',
  '/api/v1/ingest/a%20b',
  '/api/v1/ingest/%zz',
  '/api/v1/ingest/a/b',
  '/api/v1/ingest?x=1',
  '/api/v1/ingest#x',
  'http://host/api/v1/ingest',
  '/api/v1/Ingest',
  '//api/v1/ingest',
  '/api/ingest',
  '/',
  '*',
  `/api/v1/ingest/${'s'.repeat(120)}`,
  '/api/v1/ingest/\u00e9',
];
const versions = [
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/1.2',
  'HTTP/2.0',
  'HTTP/1.1 ',
  'http/1.1',
  'HTTP/1.',
  '',
];

function headersOf(random: Random, length: number): string[] {
  const headers = [
    'Host: leads.example',
    'Authorization: Bearer ingt_srv_x',
    'Content-Type: application/json',
  ];
  if (random.chance(0.97)) headers.push(`Content-Length: ${length}`);
  while (random.chance(0.5)) headers.push(oddHeader(random, length));
  if (random.chance(0.1)) headers.splice(random.integer(0, headers.length - 1), 1);
  if (random.chance(0.3)) headers.push(headers.splice(random.integer(0, headers.length - 1), 1)[0] as string);
  return headers.map((header) => (random.chance(0.03) ? swapCase(header) : header));
}

function oddHeader(random: Random, length: number): string {
  const name = random.chance(0.1) ? random.pick(oddNames) : random.pick(names);
  const colon = random.chance(0.9) ? ': ' : random.pick([':', ':  ', ':\t', ' : ', ' :', '']);
  const isLength = name.toLowerCase() === 'content-length';
  const value = isLength ? lengthText(random, length) : random.pick(values);
  return `${name}${colon}${value}${random.chance(0.05) ? random.pick([' ', '\t', '  ']) : ''}`;
}

const names = [
  ...[
    'X-SVC-Idempotency-Key',
    'X-SVC-Timestamp',
    'X-SVC-Signature',
    'User-Agent',
    'Accept',
    'X-Forwarded-For',
  ],
  ...[
    'Content-Length',
    'content-length',
    'Transfer-Encoding',
    'Connection',
    'Proxy-Connection',
    'Keep-Alive',
  ],
  ...[
    'Expect',
    'Upgrade',
    'Trailer',
    'TE',
    'Content-Encoding',
    'Host',
    'Authorization',
    'Content-Type',
    'Cookie',
  ],
];
const oddNames = [
  '',
  ' X',
  'X Y',
  'X\u00e9',
  'X(y)',
  "X!#$%&'*+.^`|~",
  '_x',
  'X\0',
  ' Content-Length',
  'Content-Length\0',
  'x'.repeat(300),
];
const values = [
  ...['keep-alive', 'Keep-Alive', 'close', 'upgrade', 'keep-alive, upgrade', 'close, keep-alive', 'TE'],
  ...[
    'chunked',
    'identity',
    'gzip, chunked',
    'chunked, identity',
    'xchunked',
    '100-continue',
    'websocket',
    'h2c',
  ],
  ...[
    '5',
    'abc',
    '',
    ' ',
    'application/json',
    'text/plain',
    'a, b',
    '10.0.0.1',
    '"quoted"',
    'caf\u00e9',
    'tab\there',
  ],
  ...[
    'nul\0',
    'bell\u0007',
    'del\u007f',
    'cr\rx',
    'lf\nx',
    'x\r\n folded',
    'v'.repeat(5_000),
    'w'.repeat(20_000),
  ],
];

function lengthText(random: Random, length: number): string {
  const wrong = [length + 1, Math.max(0, length - 1), 0, 131_072, 131_073, 9_999_999];
  return random.pick([
    ...[String(length), `+${length}`, `-${length}`, `0${length}`, `${length}.0`, `${length}, ${length}`],
    ...[
      `0x${length.toString(16)}`,
      `${length} `,
      `${length}a`,
      '',
      '1e2',
      '99999999999999999999',
      ...wrong.map(String),
    ],
  ]);
}

function bodyOf(random: Random): string {
  return random.pick([
    ...[
      '{"email":"a@example.com"}',
      '{"a":1}',
      '',
      '{}',
      '0\r\n\r\n',
      '5\r\n{"a":\r\n0\r\n\r\n',
      '\r\n',
      '\u00ff\0',
    ],
    'POST /api/v1/ingest HTTP/1.1\r\nContent-Length: 0\r\n\r\n',
    `{"text":"${'x'.repeat(random.integer(0, 3_000))}"}`,
  ]);
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

/** One to four bytes are changed, added, removed or repeated. */
function damaged(bytes: Buffer, random: Random): Buffer {
  let text = bytes.toString('latin1');
  for (let times = random.integer(1, 4); times > 0 && text.length > 0; times--) {
    const at = random.integer(0, text.length - 1);
    const byte = random.chance(0.5)
      ? String.fromCharCode(random.integer(0, 255))
      : random.pick(['\r', '\n', ' ', ':', '\t', '\0', '/', '0', ',']);
    const kept = random.pick([0, 1, 1, 2]);
    text = text.slice(0, at) + (random.chance(0.8) ? byte : '') + text.slice(at + kept);
  }
  return Buffer.from(text, 'latin1');
}

/** Each request in its packet, all in one, or cut anywhere. */
function arranged(requests: readonly Buffer[], random: Random): Buffer[] {
  const way = random.integer(0, 9);
  if (way < 6) return [...requests];
  const all = Buffer.concat(requests);
  if (way < 8) return [all];
  const cuts = Array.from({ length: way - 7 }, () => random.integer(0, all.length)).toSorted((a, b) => a - b);
  const packets = [0, ...cuts].map((from, place) => all.subarray(from, cuts[place] ?? all.length));
  return packets.filter(({ length }) => length > 0);
}

import { chunked, crlf, head, hidden, lead, type MalformedTarget } from './raw-request.ts';

/** Each spelling with a length that hides a second request (CL.TE) and with one that truncates the chunks (TE.CL). */
export function transferEncodingCases(target: MalformedTarget): [string, string][] {
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

export function contentLengthCases(target: MalformedTarget): [string, string][] {
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

export function chunkCases(target: MalformedTarget): [string, string][] {
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

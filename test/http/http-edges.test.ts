import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually, leadsOf } from '../support/diagnostics.ts';
import { exchange, spokenAndEnded, statusesIn } from '../support/http/wire.ts';
import { createSender, post, rejectedBody, type Sender, someLead } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let sender: Sender;

beforeAll(async () => {
  service = await startTestService();
  sender = await createSender(service);
});
afterAll(() => service.stop());

const ingest = '/api/v1/ingest';

/** A request as raw text, one line per header. */
function rawRequest(
  target: string,
  headers: string[],
  body = '',
  method = 'POST',
  version = 'HTTP/1.1',
): string {
  return [`${method} ${target} ${version}`, ...headers, '', body].join('\r\n');
}

function validHeaders(length = someLead.length): string[] {
  return [
    'Host: localhost',
    `Authorization: Bearer ${sender.token}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
  ];
}

const malformed: [string, () => string][] = [
  ['a header line without a colon', () => rawRequest(ingest, ['Host: x', 'nonsense'])],
  ['a space in a header name', () => rawRequest(ingest, ['Host: x', 'Bad Header: 1'])],
  ['a NUL in a header', () => rawRequest(ingest, ['Host: x', 'A: b\0c'])],
  [
    'two Content-Length headers',
    () => rawRequest(ingest, [...validHeaders(), 'Content-Length: 1'], someLead),
  ],
  ['a Content-Length that is no number', () => rawRequest(ingest, ['Host: x', 'Content-Length: ten'], '{}')],
  ['a negative Content-Length', () => rawRequest(ingest, ['Host: x', 'Content-Length: -1'], '{}')],
  [
    'Content-Length and Transfer-Encoding',
    () => rawRequest(ingest, [...validHeaders(), 'Transfer-Encoding: chunked'], `2\r\n{}\r\n0\r\n\r\n`),
  ],
  ['an unknown transfer coding', () => rawRequest(ingest, ['Host: x', 'Transfer-Encoding: rot13'], someLead)],
  [
    'a chunk size that is no number',
    () => rawRequest(ingest, ['Host: x', 'Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'),
  ],
  [
    'a chunk longer than it says',
    () => rawRequest(ingest, ['Host: x', 'Transfer-Encoding: chunked'], '1\r\n{}\r\n0\r\n\r\n'),
  ],
  ['headers of 20 KB', () => rawRequest(ingest, ['Host: x', `A: ${'b'.repeat(20_000)}`])],
  ['a URL of 20 KB', () => rawRequest(`${ingest}/${'a'.repeat(20_000)}`, ['Host: x'])],
  [
    'two thousand headers',
    () =>
      rawRequest(
        ingest,
        Array.from({ length: 2_000 }, (_, i) => `A${i}: ${i}`),
      ),
  ],
];

describe('a malformed but complete request gets the opaque 200, and the connection closes', () => {
  test.each(malformed)('%s', async (_, request) => {
    const received = await exchange(service.url, request());
    expect(statusesIn(received)).toEqual([200]);
    expect(received).toMatch(/connection: close/i);
    expect(received.endsWith(rejectedBody)).toBe(true);
    expect(received).toMatch(/x-request-id: [0-9a-f-]{36}/i);
  });

  test('and operators find it by the ID in its response', async () => {
    const received = await exchange(service.url, rawRequest(ingest, ['Host: x', 'no colon']));
    const requestId = /x-request-id: ([0-9a-f-]{36})/i.exec(received)?.[1];
    const found = await eventually(
      async () => (await service.api('GET', `/operator/unattributed?request_id=${requestId}`)).json,
      ({ total }) => total > 0,
    );
    expect(found.items).toMatchObject([{ reason: 'encoding_unsupported', count: 1 }]);
  });
});

describe('a request that Node would refuse by default is served normally', () => {
  test('no Host header', async () => {
    const headers = validHeaders().filter((line) => !line.startsWith('Host'));
    expect(statusesIn(await exchange(service.url, rawRequest(ingest, headers, someLead)))).toEqual([202]);
  });

  test('an unknown expectation', async () => {
    const received = await exchange(
      service.url,
      rawRequest(ingest, [...validHeaders(), 'Expect: banana'], someLead),
    );
    expect(statusesIn(received)).toEqual([202]);
  });

  test('Expect: 100-continue gets 100, unless the body is declared too large', async () => {
    const good = rawRequest(ingest, [...validHeaders(), 'Expect: 100-continue'], someLead);
    expect(statusesIn(await exchange(service.url, good))).toEqual([100, 202]);
    const large = rawRequest(ingest, [...validHeaders(131_073), 'Expect: 100-continue']);
    expect(statusesIn(await exchange(service.url, large))).toEqual([200]);
  });

  test('HTTP/1.0', async () => {
    const received = await exchange(
      service.url,
      rawRequest(ingest, validHeaders(), someLead, 'POST', 'HTTP/1.0'),
    );
    expect(statusesIn(received)).toEqual([202]);
  });

  test('an absolute request target', async () => {
    const received = await exchange(
      service.url,
      rawRequest(`http://leads.example${ingest}`, validHeaders(), someLead),
    );
    expect(statusesIn(received)).toEqual([202]);
  });

  test('an upgrade to something else', async () => {
    const headers = [...validHeaders(), 'Connection: Upgrade', 'Upgrade: websocket'];
    expect(statusesIn(await exchange(service.url, rawRequest(ingest, headers, someLead)))).toEqual([202]);
  });
});

test.each([
  [
    'a body shorter than Content-Length',
    () => rawRequest(ingest, validHeaders(someLead.length + 1), someLead),
  ],
  ['a head without its end', () => `POST ${ingest} HTTP/1.1\r\nHost: x\r\n`],
  [
    'a chunked body without its end',
    () =>
      rawRequest(
        ingest,
        [...validHeaders().slice(0, 3), 'Transfer-Encoding: chunked'],
        `${someLead.length.toString(16)}\r\n${someLead}\r\n`,
      ),
  ],
])('%s, ended by the sender, is closed without a response and stores nothing', async (_, request) => {
  const own = await createSender(service);
  expect(await spokenAndEnded(service.url, request().replaceAll(sender.token, own.token))).toBe('');
  expect(await leadsOf(service, own)).toEqual([]);
});

test('a complete request is answered although its sender has half-closed the connection', async () => {
  const own = await createSender(service);
  const request = rawRequest(ingest, validHeaders(), someLead).replaceAll(sender.token, own.token);
  const received = await spokenAndEnded(service.url, request);
  expect(statusesIn(received)).toEqual([202]);
  const [stored] = await leadsOf(service, own);
  expect(received).toContain(`{"submission_id":"${stored.submission_id}"}`);
});

test('bytes beyond Content-Length get no response, and the connection closes', async () => {
  const received = await exchange(
    service.url,
    rawRequest(ingest, validHeaders(), `${someLead}GARBAGE\r\n\r\n`),
    2,
  );
  expect(statusesIn(received)).toEqual([202]);
});

test('pipelined requests are answered in order although a malformed one behind them closes the connection', async () => {
  const good = rawRequest(ingest, validHeaders(), someLead);
  const received = await exchange(
    service.url,
    `${good}${good}${rawRequest(ingest, ['Host: x', 'no colon'])}`,
    3,
  );
  expect(statusesIn(received)).toEqual([202, 202]);
});

test.each([
  ['half a request and the end', `POST ${ingest} HTTP/1.1\r\nHos`],
  ['a CONNECT to somewhere else', 'CONNECT localhost:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
])('a lead followed by %s is still answered', async (_, rest) => {
  const received = await spokenAndEnded(service.url, rawRequest(ingest, validHeaders(), someLead) + rest);
  expect(statusesIn(received)).toEqual([202]);
});

test('a lead with "Connection: close" is answered although more follows', async () => {
  const last = rawRequest(ingest, [...validHeaders(), 'Connection: close'], someLead);
  expect(statusesIn(await exchange(service.url, last + last, 2))).toEqual([202]);
});

test('a CONNECT behind pipelined requests is answered last', async () => {
  const good = rawRequest(ingest, validHeaders(), someLead);
  const tunnel = rawRequest(ingest, ['Host: x'], '', 'CONNECT');
  expect(statusesIn(await exchange(service.url, good + tunnel, 1_500))).toEqual([202, 200]);
});

test('a connection is kept after a rejection', async () => {
  const bad = rawRequest(ingest, ['Host: x', 'Content-Length: 2'], '{}');
  const received = await exchange(service.url, bad + rawRequest(ingest, validHeaders(), someLead), 2);
  expect(statusesIn(received)).toEqual([200, 202]);
});

test.each([ingest, `${ingest}/contact`])('CONNECT %s gets the opaque 200', async (path) => {
  const received = await exchange(service.url, rawRequest(path, ['Host: x'], '', 'CONNECT'), 1_500);
  expect(statusesIn(received)).toEqual([200]);
  expect(received.endsWith(rejectedBody)).toBe(true);
});

describe('paths', () => {
  test.each([
    '/api/v1/ingests',
    '//api/v1/ingest',
    '/api/v1/Ingest',
    '/api/v2/ingest',
    '/api/v1/../v1/ingest',
  ])('%s is not an ingest path', async (path) => {
    const received = await exchange(service.url, rawRequest(path, validHeaders(), someLead));
    expect(statusesIn(received)).toEqual([404]);
  });
});

describe('the retired path answers 410 to everything', () => {
  test('CONNECT', async () => {
    const received = await exchange(
      service.url,
      rawRequest('/api/ingest/contact', ['Host: x'], '', 'CONNECT'),
    );
    expect(statusesIn(received)).toEqual([410]);
  });

  test.each(['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('%s', async (method) => {
    const answer = await post(service, sender, 'server', someLead, { method, path: '/api/ingest/contact' });
    expect(answer.status).toBe(410);
  });

  test.each(['/api/ingest/', '/api/ingest', '/api/ingest/a/b?c=d', '/api/ingest/%zz'])('%s', async (path) => {
    expect((await post(service, sender, 'server', someLead, { path })).status).toBe(410);
  });

  test('a body of 2 MB, and a malformed request', async () => {
    const large = await post(service, sender, 'server', 'x'.repeat(2_000_000), {
      path: '/api/ingest/contact',
    });
    expect(large.status).toBe(410);
    const received = await exchange(service.url, rawRequest('/api/ingest/contact', ['Host: x', 'no colon']));
    expect(statusesIn(received)).toEqual([410]);
  });
});

test('after all of this the service accepts leads as before', async () => {
  expect((await post(service, sender, 'server')).status).toBe(202);
  expect((await post(service, sender, 'webhook')).status).toBe(202);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hostileBodies } from '../../chaos/hostile/bodies.ts';
import { malformedCases } from '../support/http/malformed-http.ts';
import { statusesIn } from '../support/http/wire.ts';
import {
  type RelayProcess,
  relayFile,
  speak,
  startRelay,
  typeformInit,
  webflowInit,
} from './relay-process.ts';

const secret = 'a-secret';
const event = (token: string) =>
  JSON.stringify({ form_response: { token, hidden: { email: 'ada@example.com' } } });

/** Replaces Leadgate, which has its own tests for hostile requests. */
let leadgate: Server;
let leads: string[] = [];
let relay: RelayProcess;
const slow: Socket[] = [];
let slowGone: Promise<unknown>;

beforeAll(async () => {
  leadgate = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    leads.push(body);
    response.writeHead(202).end('{"submission_id":"id"}');
  });
  await new Promise<void>((resolve) => leadgate.listen(0, '127.0.0.1', resolve));
  const { port } = leadgate.address() as AddressInfo;
  relay = await startRelay({
    LEADGATE_URL: `http://127.0.0.1:${port}`,
    LEADGATE_TOKEN: 'ingt_srv_x',
    TYPEFORM_SECRET: secret,
    WEBFLOW_SECRET: secret,
  });
  // Open during all tests: the relay gives each of them up to twenty seconds.
  const starts = [
    'POST /form HT',
    'POST /form HTTP/1.1\r\nX: ',
    'POST /form HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\na',
  ];
  for (let count = 0; count < 20; count++) for (const start of starts) open(start, slow);
  slowGone = Promise.all(slow.map((socket) => closeOf(socket)));
});
afterAll(async () => {
  for (const socket of slow) socket.destroy();
  await relay.stop();
  leadgate.close().closeAllConnections();
});

const opened: Socket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});

async function expectAlive(after = ''): Promise<void> {
  const answer = await fetch(`${relay.url}/typeform`, typeformInit(event('alive'), secret));
  expect([relay.child.exitCode, answer.status], after).toEqual([null, 200]);
}

/** Stays open until the end of the test, unless another list owns it. */
function open(text: string, list = opened): Socket {
  const { hostname, port } = new URL(relay.url);
  const socket = connect(Number(port), hostname, () => socket.write(text));
  list.push(socket.on('error', () => {}).resume());
  return socket;
}

const closeOf = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));

describe('the relay survives and serves the next request after', () => {
  test('malformed HTTP, to each of its paths in turn', async () => {
    const paths = ['/form', '/typeform', '/webflow'];
    const cases = paths.flatMap((path, turn) =>
      malformedCases({ path, token: 'x' }).filter((_, number) => number % paths.length === turn),
    );
    expect(cases.length).toBeGreaterThan(300);
    for (const [number, { name, bytes }] of cases.entries()) {
      const cut = (number * 7) % bytes.length;
      const heard = await Promise.all([
        speak(relay.url, [bytes]),
        speak(relay.url, [bytes.subarray(0, cut), bytes.subarray(cut)]),
      ]);
      for (const received of heard) {
        const foreign = statusesIn(received).filter((status) => status >= 500 && status !== 503);
        expect(foreign, name).toEqual([]);
        expect(received, name).toMatch(/^(?:HTTP\/1\.1 |$)/);
      }
      if (number % 10 === 0) await expectAlive(name);
    }
    await expectAlive();
  });

  test('TRACE, and other methods and URLs that Request does not accept', async () => {
    const lines = [
      'TRACE /typeform',
      'TRACE *',
      'OPTIONS *',
      'POST http://[x',
      'POST //',
      'PURGE /form',
      'CONNECT a:1',
    ];
    for (const line of lines) {
      const received = await speak(relay.url, [Buffer.from(`${line} HTTP/1.1\r\nHost: a\r\n\r\n`)]);
      for (const status of statusesIn(received)) expect([400, 404], line).toContain(status);
      await expectAlive(line);
    }
  });

  test('requests that end in the head, in the body and while they are forwarded', async () => {
    const head = `POST /typeform HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n`;
    const ends = [head.slice(0, 30), head, `${head}{"form_response":`, `${head}${' '.repeat(1000)}`];
    for (const how of ['destroy', 'resetAndDestroy', 'end'] as const) {
      for (const bytes of ends) {
        const sockets = Array.from({ length: 10 }, () => open(bytes));
        await Promise.all(sockets.map((socket) => once(socket, 'connect')));
        const closed = Promise.all(sockets.map((socket) => closeOf(socket)));
        for (const socket of sockets) socket[how]();
        await closed;
      }
      await expectAlive(how);
    }
  });

  test('endless bodies, which get a 413 or are cut off', async () => {
    const socket = open('POST /form HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`;
    const write = () => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on('drain', write);
    socket.once('connect', write);
    await closeOf(socket);
    expect(received).toMatch(/^(?:HTTP\/1\.1 413 |$)/);
    await expectAlive();
  });

  test('a body at the size limit, and one byte more', async () => {
    const padded = (size: number) => {
      const body = event('padded');
      return body + ' '.repeat(size - body.length);
    };
    const statusOf = async (size: number) =>
      (await fetch(`${relay.url}/typeform`, typeformInit(padded(size), secret))).status;
    expect([await statusOf(131_072), await statusOf(131_073), await statusOf(900_000)]).toEqual([
      200, 413, 413,
    ]);
  });

  const numbered = Object.entries(hostileBodies).map(([name, make], place) => [name, make, place] as const);
  test.each(numbered)('128 KB of %s', async (name, make, place) => {
    const body = make().toString('latin1');
    const inside = body.slice(0, 130_900);
    // Replaces a different part of the event for each body, and is cut to fit even if that breaks the JSON.
    const events = [
      `{"form_response":{"token":"t","hidden":${inside}}}`,
      `{"form_response":{"token":"t","answers":[{"type":"x","x":${inside},"field":{"id":"a"}}]}}`,
      `{"form_response":{"token":"t","definition":{"fields":${inside}},"answers":${inside.slice(0, 9)}}}`,
      `{"triggerType":"form_submission","payload":{"id":"i","data":${inside}}}`,
    ];
    for (const text of [body, events[place % events.length] as string]) {
      const bytes = Buffer.from(text.slice(0, 131_072), 'latin1');
      const answers = await Promise.all([
        fetch(`${relay.url}/typeform`, typeformInit(bytes, secret)),
        fetch(`${relay.url}/webflow`, webflowInit(bytes, secret)),
        fetch(`${relay.url}/form`, {
          method: 'POST',
          body: new URLSearchParams([[inside.slice(0, 40_000), '']]),
        }),
      ]);
      for (const { status } of answers) expect([200, 400, 413]).toContain(status);
    }
    await expectAlive(name);
  });

  test('forms with very many fields and parts', async () => {
    const many = (part: (n: number) => string) =>
      Array.from({ length: 20_000 }, (_, n) => part(n))
        .join('')
        .slice(0, 131_000);
    const parts = 'content-disposition: form-data; name="';
    const cases: [string, string][] = [
      ['application/x-www-form-urlencoded', many((n) => `${n.toString(36)}&`)],
      ['application/x-www-form-urlencoded', many(() => 'a&')],
      ['application/x-www-form-urlencoded', many(() => '%01')],
      ['multipart/form-data; boundary=b', many((n) => `--b\r\n${parts}${n}"\r\n\r\n\r\n`)],
      ['multipart/form-data; boundary=b', many(() => '--b\r\n')],
      ['multipart/form-data; boundary=b', many(() => '\r\n--b')],
      ['multipart/form-data', '--b\r\n'],
      ['multipart/form-data; boundary=', '--\r\n'],
    ];
    for (const [type, body] of cases) {
      const init = { method: 'POST', headers: { 'content-type': type }, body };
      expect([200, 400, 413]).toContain((await fetch(`${relay.url}/form`, init)).status);
      await expectAlive(type);
    }
  });

  const corpus = join(import.meta.dirname, '../../../shared/data/corpora/json-test-suite/test_parsing');
  test.runIf(existsSync(corpus))('every file of the JSON test suite', async () => {
    for (const name of readdirSync(corpus)) {
      const body = readFileSync(join(corpus, name));
      const bodies = [
        body,
        Buffer.concat([Buffer.from('{"form_response":{"token":"t","hidden":'), body, Buffer.from('}}')]),
      ];
      for (const bytes of bodies) {
        const answer = await fetch(`${relay.url}/typeform`, typeformInit(bytes, secret));
        expect([200, 400, 413], name).toContain(answer.status);
      }
    }
    await expectAlive();
  });
});

test('senders that disconnect early count towards the requests in progress', async () => {
  // Accepts connections and never responds.
  const silent = createTcpServer((socket) => void waiting.push(socket.on('error', () => {}).resume()));
  const waiting: Socket[] = [];
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const busy = await startRelay({
    LEADGATE_URL: `http://127.0.0.1:${port}`,
    LEADGATE_TOKEN: 'x',
    TYPEFORM_SECRET: secret,
    // The relay waits for as long as the test needs to send them all.
    NODE_OPTIONS: '--import=data:text/javascript,AbortSignal.timeout=()=>new%20AbortController().signal',
  });
  const send = (signal?: AbortSignal) =>
    fetch(`${busy.url}/typeform`, { ...typeformInit(event('left'), secret), ...(signal ? { signal } : {}) });
  const leave = new AbortController();
  const left = Promise.allSettled(Array.from({ length: 200 }, () => send(leave.signal)));
  await expect.poll(() => waiting.length).toBe(200);
  leave.abort();
  await left;
  const answer = await send();
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain('Too many requests in progress');
  expect(busy.child.exitCode).toBeNull();
  await busy.stop();
  for (const socket of waiting) socket.destroy();
  silent.close();
});

test('fields called __proto__ or constructor arrive as fields', async () => {
  leads = [];
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  const fields = `{${names.map((name) => `"${name}":"${name} too"`).join()}}`;
  const body = new URLSearchParams(names.map((name): [string, string] => [name, `${name} too`]));
  await fetch(`${relay.url}/form`, { method: 'POST', body });
  const response = `{"form_response":{"token":"names","hidden":${fields}}}`;
  await fetch(`${relay.url}/typeform`, typeformInit(response, secret));
  const payload = `{"triggerType":"form_submission","payload":{"id":"names","data":${fields}}}`;
  await fetch(`${relay.url}/webflow`, webflowInit(payload, secret));
  expect(leads).toEqual([fields, fields, fields]);
});

test('without a URL or a token it does not start, and says what to set', async () => {
  const usable = { LEADGATE_URL: 'http://127.0.0.1:1', LEADGATE_TOKEN: 'ingt_srv_x', PORT: '0' };
  for (const change of [
    { LEADGATE_URL: '' },
    { LEADGATE_URL: 'leads' },
    { LEADGATE_TOKEN: '' },
    { LEADGATE_TOKEN: 'a\nb' },
  ]) {
    const child = spawn(process.execPath, [relayFile], { env: { ...usable, ...change } });
    let text = '';
    child.stderr.on('data', (chunk) => {
      text += chunk;
    });
    const [code] = await once(child, 'close');
    expect([code, text]).toEqual([1, expect.stringContaining('LEADGATE_URL')]);
    expect(text).not.toContain('a\nb');
  }
});

test('slow senders are cut off, and do not delay others', async () => {
  await slowGone;
  await expectAlive();
});

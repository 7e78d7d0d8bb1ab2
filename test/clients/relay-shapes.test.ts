import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { relayFile, typeformInit, webflowInit } from './relay-process.ts';

const worker: { fetch(request: Request, env: object): Promise<Response> } = (await import(relayFile)).default;
const secret = 'a-secret';

const servers: Server[] = [];
beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
afterAll(() => {
  for (const server of servers) server.close();
});

async function listening(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function call(url: string, path: string, init: RequestInit): Promise<Response> {
  const env = {
    LEADGATE_URL: url,
    LEADGATE_TOKEN: 'ingt_srv_x',
    TYPEFORM_SECRET: secret,
    WEBFLOW_SECRET: secret,
  };
  return worker.fetch(new Request(`https://relay.example${path}`, init), env);
}

const typeformEvent = {
  form_response: {
    token: 'a1',
    hidden: { utm_source: 'news' },
    definition: { fields: [{ id: 'f1', title: 'Your email' }] },
    answers: [
      { type: 'email', email: 'ada@example.com', field: { id: 'f1', ref: 'email' } },
      { type: 'choice', choice: { label: 'Price' }, field: { id: 'f2', ref: '2e644ba6-3a52' } },
      { type: 'choices', choices: { labels: ['Price', 'Demo'], other: 'More' }, field: { id: 'f3' } },
    ],
  },
};
const webflowEvent = {
  triggerType: 'form_submission',
  payload: { name: 'Contact', id: 'i', data: { email: 'a@b.c' } },
};

/** Copies of the value, each with one part missing or replaced. */
function* changed(value: unknown): Generator<string> {
  const others = [
    'null',
    '0',
    '-1e999',
    '""',
    '"x"',
    '"__proto__"',
    'true',
    '[]',
    '[null]',
    '[[]]',
    '{}',
    '{"__proto__":{}}',
  ];
  yield* others;
  if (typeof value !== 'object' || value === null) return;
  const members = Object.entries(value).map(([name, member]) => [name, member] as const);
  const join = (parts: string[]) => (Array.isArray(value) ? `[${parts}]` : `{${parts}}`);
  const write = (name: string, text: string) =>
    Array.isArray(value) ? text : `${JSON.stringify(name)}:${text}`;
  for (const [place, [, member]] of members.entries()) {
    const others = members
      .filter((_, at) => at !== place)
      .map(([name, each]) => write(name, JSON.stringify(each)));
    yield join(others);
    for (const text of changed(member))
      yield join(members.map(([name, each], at) => write(name, at === place ? text : JSON.stringify(each))));
  }
}

describe('an event with any part missing or invalid is a lead or a 400', () => {
  test.each([
    ['/typeform', typeformEvent, typeformInit],
    ['/webflow', webflowEvent, webflowInit],
  ] as const)('%s', async (path, event, initOf) => {
    const seen: { key: string; body: string }[] = [];
    const url = await listening(
      createServer(async (request: IncomingMessage, response: ServerResponse) => {
        let body = '';
        for await (const chunk of request) body += chunk;
        seen.push({ key: String(request.headers['x-svc-idempotency-key']), body });
        response.writeHead(202).end('{"submission_id":"id"}');
      }),
    );
    const texts = [JSON.stringify(event), ...changed(event)];
    const statuses = new Map<number, number>();
    for (const text of texts) {
      const { status } = await call(url, path, initOf(text, secret));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(texts.length).toBeGreaterThan(path === '/typeform' ? 400 : 60);
    expect([...statuses.keys()].toSorted()).toEqual([200, 400]);
    for (const { key, body } of seen) {
      expect(key).not.toMatch(/undefined|null|object|NaN/);
      expect(JSON.parse(body)).toEqual(expect.any(Object));
      expect(body).not.toMatch(/^\[|undefined|\[object/);
    }
  });

  test('a Typeform answer without its field is a 400, and nothing is stored', async () => {
    const { form_response: response } = typeformEvent;
    const { field, ...answer } = response.answers[0] as { field: object };
    const body = JSON.stringify({ form_response: { ...response, answers: [answer] } });
    expect((await call('http://127.0.0.1:1', '/typeform', typeformInit(body, secret))).status).toBe(400);
  });

  test('two submissions whose ids are not plain text have different keys', async () => {
    const keys: string[] = [];
    const url = await listening(
      createServer((request, response) => {
        keys.push(String(request.headers['x-svc-idempotency-key']));
        request.resume().on('end', () => response.writeHead(202).end('{"submission_id":"id"}'));
      }),
    );
    for (const token of ['é\n1', 'é\n2', 'x'.repeat(5_000), 'plain-1', 7]) {
      const body = JSON.stringify({ form_response: { token, hidden: { a: 1 } } });
      expect((await call(url, '/typeform', typeformInit(body, secret))).status).toBe(200);
    }
    expect(new Set(keys).size).toBe(5);
    expect(keys.slice(3)).toEqual(['typeform-plain-1', 'typeform-7']);
    for (const key of keys) expect(key.length).toBeLessThanOrEqual(255);
  });
});

describe('until Leadgate accepts the lead, the sender gets a 503 and retries', () => {
  const tcp = (speak: (socket: import('node:net').Socket) => void) =>
    listening(createTcpServer((socket) => speak(socket.on('error', () => {}))));
  const http = (answer: (request: IncomingMessage, response: ServerResponse) => void) =>
    listening(
      createServer((request, response) => request.resume().on('end', () => answer(request, response))),
    );
  const elsewhere = http((_request, response) =>
    response.writeHead(202).end('{"submission_id":"elsewhere"}'),
  );

  const upstreams: Record<string, () => Promise<string>> = {
    'is down': async () => 'http://127.0.0.1:1',
    'has an invalid URL': async () => 'leads.example.com',
    'closes the connection': () => tcp((socket) => socket.end()),
    'resets the connection': () => tcp((socket) => socket.once('data', () => socket.resetAndDestroy())),
    'never responds': () => tcp((socket) => socket.resume()),
    'does not speak HTTP': () => tcp((socket) => socket.end('SSH-2.0-x\r\n\r\n')),
    'disconnects in its head': () =>
      tcp((socket) => socket.once('data', () => socket.end('HTTP/1.1 202 Acc'))),
    'disconnects in its body': () =>
      tcp((socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 202 OK\r\nContent-Length: 99\r\n\r\n{"sub')),
      ),
    'sends an endless body': () =>
      http((_request, response) => {
        response.writeHead(202);
        const more = () => {
          while (!response.destroyed && response.write('a'.repeat(65_536)));
        };
        response.on('drain', more);
        more();
      }),
    'sends 202 with a page': () => http((_request, response) => response.writeHead(202).end('<html>')),
    'sends 200 with a page': () => http((_request, response) => response.end('<html>')),
    'sends 200 with an id': () => http((_request, response) => response.end('{"submission_id":"id"}')),
    'rejects it': () => http((_request, response) => response.end('{"status":"rejected"}')),
    'sends 500': () => http((_request, response) => response.writeHead(500).end()),
    'sends 429': () => http((_request, response) => response.writeHead(429).end()),
    'sends 503 every time': () => http((_request, response) => response.writeHead(503).end()),
    'redirects to a host that sends 202': () =>
      http(async (_request, response) => response.writeHead(307, { Location: await elsewhere }).end()),
  };

  describe('when it', () => {
    // Shorter time limits: three attempts of four seconds each would prove no more.
    beforeAll(() => {
      const real = AbortSignal.timeout;
      vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => real(ms / 8));
    });
    afterAll(() => void vi.mocked(AbortSignal.timeout).mockRestore());

    test.concurrent.each(Object.entries(upstreams))('%s', async (_name, start) => {
      const url = await start();
      const answers = await Promise.all([
        call(url, '/form', { method: 'POST', body: new URLSearchParams({ email: 'ada@example.com' }) }),
        call(url, '/typeform', typeformInit(JSON.stringify(typeformEvent), secret)),
        call(url, '/webflow', webflowInit(JSON.stringify(webflowEvent), secret)),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    });
  });

  test('after a 503 from a proxy, the lead is retried with the same key', async () => {
    const keys: unknown[] = [];
    const url = await http((request, response) => {
      keys.push(request.headers['x-svc-idempotency-key']);
      if (keys.length < 3) response.writeHead(502).end('<html>502 Bad Gateway</html>');
      else response.writeHead(202).end('{"submission_id":"id"}');
    });
    expect((await call(url, '/typeform', typeformInit(JSON.stringify(typeformEvent), secret))).status).toBe(
      200,
    );
    expect(keys).toEqual(['typeform-a1', 'typeform-a1', 'typeform-a1']);
  });
});

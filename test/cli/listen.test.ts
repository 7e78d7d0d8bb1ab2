import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { cliScript, warmLeadgate } from '../support/command-line/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { eventually } from '../support/diagnostics.ts';
import { createSender, post, type Sender, someLead, submissionIdOf } from '../support/sender.ts';
import { operatorKey, startTestService, type TestService } from '../support/service.ts';

const env = { DELIVER_ALLOW: '127.0.0.1' };
let database: TestDatabase;
let service: TestService;
let sender: Sender;
let key: string;

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startTestService({ databaseUrl: database.url, env });
  sender = await createSender(service);
  const { json } = await service.api('POST', `/workspaces/${sender.workspaceId}/api-keys`, {
    name: 'Laptop',
    scopes: ['events:read', 'leads:read', 'forms:read'],
  });
  key = json.key;
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.stop();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

interface Request {
  readonly headers: Record<string, string>;
  readonly body: string;
}

const servers: Server[] = [];

/** The server that somebody develops, on a port of its own or on a given one. */
async function startReceiver(status = 200, port = 0) {
  const requests: Request[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    requests.push({ headers: request.headers as Record<string, string>, body });
    response.writeHead(status).end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return { requests, port: own, url: `http://127.0.0.1:${own}/hook` };
}

interface Line {
  readonly event: string;
  readonly submission_id: string;
  readonly status: number | null;
  readonly skipped: string | null;
}

/** A command that runs until it is stopped. */
class Listener {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly texts: string[] = [];
  stderr = '';

  constructor(words: readonly string[]) {
    this.#child = spawn(process.execPath, [cliScript, ...words], {
      env: { PATH: process.env.PATH ?? '', LEADGATE_URL: service.url, LEADGATE_KEY: key },
    });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.texts.push(line));
    this.#child.stderr.setEncoding('utf8').on('data', (text) => {
      this.stderr += text;
    });
  }

  get lines(): Line[] {
    return this.texts.map((text) => JSON.parse(text));
  }

  async says(part: string): Promise<void> {
    await eventually(
      async () => this.stderr,
      (text) => text.includes(part),
    );
    expect(this.stderr).toContain(part);
  }

  async secret(): Promise<string> {
    await this.says('signing secret of this run: whsec_');
    return /whsec_\S+/.exec(this.stderr)?.[0] as string;
  }

  /** As Ctrl-C does. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGINT');
    await exited;
  }
}

const listeners: Listener[] = [];

function start(...words: string[]): Listener {
  const listener = new Listener(words);
  listeners.push(listener);
  return listener;
}

const listen = (url: string, ...words: string[]) => start('listen', '--forward', url, ...words);

const count = (items: readonly unknown[], wanted: number) =>
  eventually(
    async () => items.length,
    (length) => length >= wanted,
  );

test('each new lead arrives once, signed, as a destination would send it, and gets a line', async () => {
  await post(service, sender, 'server', '{"email":"before@analytical.engine"}');
  await eventually(feed, (events) => events.length > 0);
  const receiver = await startReceiver();
  const listener = listen(receiver.url, '--json');
  const webhook = new Webhook(await listener.secret());
  const lead = submissionIdOf(
    await post(service, sender, 'server', '{"email":"ada@analytical.engine","id":1234567890123456789}'),
  );
  await count(listener.texts, 1);
  expect(listener.lines).toEqual([
    expect.objectContaining({ event: 'lead.accepted', submission_id: lead, status: 200, skipped: null }),
  ]);
  expect(receiver.requests).toHaveLength(1);
  const [{ body, headers }] = receiver.requests as [Request];
  expect(webhook.verify(body, headers)).toMatchObject({
    type: 'lead.accepted',
    data: {
      submission_id: lead,
      form: { id: sender.formId, slug: sender.slug },
      fields: { email: 'ada@analytical.engine' },
      test: false,
    },
  });
  expect(body).toContain('"id":"1234567890123456789"');
  const event = (await feed()).find(({ submission_id }) => submission_id === lead);
  expect(headers['webhook-id']).toBe(`msg_${event?.id}`);
});

test('the body is that of a destination, byte for byte', async () => {
  const [local, remote] = [await startReceiver(), await startReceiver()];
  const { json } = await service.api('POST', `/workspaces/${sender.workspaceId}/destinations`, {
    name: 'The same',
    kind: 'webhook',
    url: remote.url,
    events: ['lead.enriched'],
  });
  const listener = listen(local.url, '--events', 'lead.enriched');
  await listener.secret();
  const fields = '{"email":"ada@analytical.engine","amount":10.50,"note":"5 < 6 – ✓"}';
  const lead = submissionIdOf(await post(service, sender, 'webhook', fields));
  // Leads of earlier tests may be enriched only now.
  const aboutLead = (requests: readonly Request[]) => requests.find(({ body }) => body.includes(lead));
  const isSent = async () => [local, remote].map(({ requests }) => aboutLead(requests));
  const [mine, theirs] = (await eventually(isSent, (found) => !found.includes(undefined))) as [
    Request,
    Request,
  ];
  await service.api('DELETE', `/workspaces/${sender.workspaceId}/destinations/${json.id}`);
  expect(mine.body).toBe(theirs.body);
  expect(mine.headers['webhook-id']).toBe(theirs.headers['webhook-id']);
});

test('while the local server is down it says so, and the lead arrives once it is up', async () => {
  const receiver = await startReceiver();
  const listener = listen(receiver.url, '--format', 'flat');
  await listener.secret();
  const [server] = servers as [Server];
  await new Promise((resolve) => server.close(resolve).closeAllConnections());
  const lead = submissionIdOf(await post(service, sender, 'server', '{"email":"late@analytical.engine"}'));
  await listener.says(`${receiver.url} does not respond (ECONNREFUSED). Start your server`);
  const back = await startReceiver(500, receiver.port);
  await count(listener.texts, 1);
  expect(listener.texts).toEqual([
    expect.stringMatching(new RegExp(`^\\S+Z lead\\.accepted ${lead} 500 \\d+ ms$`)),
  ]);
  const [{ body }] = back.requests as [Request];
  expect(JSON.parse(body)).toMatchObject({
    email: 'late@analytical.engine',
    _leadgate: { type: 'lead.accepted' },
  });
});

test('a restart of the service loses no lead and sends none twice', async () => {
  const receiver = await startReceiver();
  const listener = listen(receiver.url, '--json');
  await listener.secret();
  const first = submissionIdOf(await post(service, sender, 'server'));
  await count(listener.texts, 1);
  const { port } = new URL(service.url);
  await service.stop();
  await listener.says('Waiting for it.');
  service = await startTestService({ databaseUrl: database.url, env: { ...env, PORT: port } });
  const second = submissionIdOf(await post(service, sender, 'server'));
  await count(listener.texts, 2);
  expect(listener.lines.map(({ submission_id }) => submission_id)).toEqual([first, second]);
  expect(receiver.requests).toHaveLength(2);
});

test('events --follow prints each event as it happens', async () => {
  const before = (await feed()).at(-1);
  const follower = start('events', '--follow', '--after', before?.cursor ?? '0');
  const lead = submissionIdOf(await post(service, sender, 'server'));
  const told = await eventually(
    async () => follower.lines.map(({ submission_id }) => submission_id),
    (ids) => ids.includes(lead),
  );
  expect(told).toContain(lead);
});

test('from the start, past events of the chosen form and types are sent; others are not', async () => {
  const own = await createSender(service);
  const other = await service.api('POST', `/workspaces/${own.workspaceId}/forms`, { name: 'Other' });
  const token = await service.api('POST', `/workspaces/${own.workspaceId}/tokens`, {
    name: 'Other',
    form_id: other.json.id,
  });
  const lead = submissionIdOf(await post(service, own, 'server'));
  const foreign = submissionIdOf(
    await post(service, { ...own, token: token.json.token }, 'server', someLead),
  );
  const erased = submissionIdOf(await post(service, own, 'server', '{"email":"gone@analytical.engine"}'));
  await eventually(
    () => feed(own),
    (events) => events.some(({ submission_id }) => submission_id === erased),
  );
  await service.api('DELETE', `/workspaces/${own.workspaceId}/leads/${erased}`);
  await eventually(
    () => feed(own),
    (events) => events.some(({ type }) => type === 'lead.erased'),
  );
  key = operatorKey;
  const receiver = await startReceiver();
  const words = ['--workspace', own.workspaceId, '--form', own.slug, '--from-start', '--json'];
  const listener = listen(receiver.url, ...words, '--events', 'lead.accepted', 'lead.erased');
  await count(listener.texts, 4);
  const told = listener.lines.map(({ event, submission_id, status, skipped }) => [
    event,
    submission_id,
    status ?? skipped,
  ]);
  expect(told).toEqual(
    expect.arrayContaining([
      ['lead.accepted', lead, 200],
      ['lead.accepted', foreign, 'another form'],
      ['lead.accepted', erased, 'the lead was erased'],
      ['lead.erased', erased, 200],
    ]),
  );
  expect(receiver.requests).toHaveLength(2);
});

test('what is not a URL is refused before anything is asked', async () => {
  const { code, stderr } = await warmLeadgate(['listen', '--forward', 'localhost:3000'], {
    env: { LEADGATE_URL: 'http://127.0.0.1:1', OPERATOR_KEY: operatorKey },
  });
  expect(code).toBe(2);
  expect(stderr).toContain('is not a URL');
});

async function feed({
  workspaceId,
} = sender): Promise<{ id: string; cursor: string; type: string; submission_id: string }[]> {
  return (await service.api('GET', `/workspaces/${workspaceId}/events`)).json.items;
}

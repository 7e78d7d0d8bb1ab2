import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { leadgate, operatorOf } from '../../support/command-line/command-line.ts';
import { eventually } from '../../support/diagnostics.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { createSender, post, type Sender, submissionIdOf } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';

interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

interface Listed {
  readonly id: string;
  readonly state: string;
  readonly attempts: number;
}

let service: TestService;
let operator: ReturnType<typeof operatorOf>;
let sender: Sender;
let receiver: Server;
let url: string;
let received: Received[] = [];
let status = 204;

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    received.push({ headers: request.headers, body });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  service = await startTestService({ env: { DELIVER_ALLOW: '127.0.0.1' } });
  operator = operatorOf(service);
});
afterAll(async () => {
  await service.stop();
  receiver.close().closeAllConnections();
});
beforeEach(async () => {
  sender = await createSender(service);
  received = [];
  status = 204;
});

const run = (...words: string[]) => operator([...words, '--workspace', sender.workspaceId]);
/** Every lead at once, whatever its verdict. */
const everything = join(scratchFolder('filters'), 'all.json');
writeFileSync(everything, '{"all":[]}');
const create = (...words: string[]) =>
  run(
    'destination',
    'create',
    'CRM',
    '--url',
    url,
    '--send-when',
    'accepted',
    '--filter-file',
    everything,
    ...words,
  );

const deliveries = async (...words: string[]) =>
  (await run('delivery', 'list', '--json', ...words)).json as Listed[];

test('a destination is created with a secret that is printed alone, tested, listed and deleted', async () => {
  const headers = join(scratchFolder('headers'), 'headers.json');
  writeFileSync(headers, '{"X-Api-Key":"a key of the receiver"}');
  const made = await create('--form', sender.slug, '--headers-file', headers, '--per-second', '5');
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^whsec_\S+\n$/) });
  const tested = await run('destination', 'test', 'CRM');
  expect(tested.stdout).toMatch(/^delivered: status 204 after \d+ ms\n$/);
  const [sample] = received as [Received];
  const event = new Webhook(made.stdout.trim()).verify(sample.body, sample.headers as Record<string, string>);
  expect(event).toMatchObject({ type: 'test', data: { test: true } });
  expect(sample.headers['x-api-key']).toBe('a key of the receiver');
  const listed = await run('destination', 'list');
  expect(listed.stdout).toMatch(/^ID +NAME +KIND +STATUS +DELIVERED +WAITING +DEAD +PLACE\n/);
  expect(listed.stdout).toMatch(/ CRM +webhook +active +0 +0 +0 +http/);
  expect(listed.stdout + tested.stdout).not.toContain('whsec_');
  const unsure = await run('destination', 'delete', 'CRM');
  expect(unsure).toMatchObject({ code: 2, stdout: '' });
  expect((await run('destination', 'delete', 'CRM', '--yes')).code).toBe(0);
  expect((await run('destination', 'list', '--json')).json).toEqual([]);
});

test('a test that fails exits with 1 and says why', async () => {
  await create();
  status = 500;
  const tested = await run('destination', 'test', 'CRM');
  expect(tested).toMatchObject({ code: 1, stdout: expect.stringMatching(/^failed: status 500 /) });
  expect(tested.stderr).not.toBe('');
});

test('a URL that is not allowed, and a filter that is not JSON, are refused with a sentence', async () => {
  const refused = await run('destination', 'create', 'CRM', '--url', 'https://10.0.0.1/');
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('DELIVER_ALLOW');
  writeFileSync(everything.replace('all', 'bad'), '{');
  const bad = await create('--filter-file', everything.replace('all', 'bad'));
  expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining('is not JSON') });
});

test('a paused destination collects deliveries, which are sent once it is resumed', async () => {
  await create();
  expect((await run('destination', 'pause', 'CRM')).stdout).toBe('CRM is paused.\n');
  await post(service, sender, 'server');
  const [waiting] = await eventually(
    () => deliveries(),
    (found) => found.length === 1,
  );
  expect(waiting).toMatchObject({ state: 'pending', attempts: 0 });
  expect(received).toEqual([]);
  expect((await run('destination', 'resume', 'CRM')).stdout).toBe('CRM is active.\n');
  const found = await eventually(
    () => deliveries('--state', 'delivered'),
    ({ length }) => length === 1,
  );
  expect(found).toHaveLength(1);
  expect(received).toHaveLength(1);
});

test('a delivery is found by its lead, shown with its attempt, and sent again with the same webhook-id', async () => {
  await create();
  const lead = submissionIdOf(await post(service, sender, 'server', '{"email":"ada@analytical.engine"}'));
  await eventually(
    () => deliveries('--state', 'delivered'),
    ({ length }) => length === 1,
  );
  const [delivery] = (await deliveries('--lead', lead, '--destination', 'CRM')) as [Listed];
  const shown = await run('delivery', 'show', delivery.id);
  expect(shown.stdout).toContain(`Lead         ${lead}`);
  expect(shown.stdout).toMatch(/State +delivered\n\nAttempt 1 at \S+: 204 after \d+ ms\n/);
  expect(shown.stdout).toContain('ada@analytical.engine');
  const again = await run('delivery', 'replay', delivery.id);
  expect(again.stdout).toMatch(/^[0-9a-f-]{36}\n$/);
  await eventually(
    async () => received.length,
    (count) => count === 2,
  );
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

test('many deliveries are counted first, and sent again only after a confirmation', async () => {
  await create();
  for (let i = 0; i < 3; i++) await post(service, sender, 'server');
  await eventually(
    () => deliveries('--state', 'delivered'),
    ({ length }) => length === 3,
  );
  const replay = ['destination', 'replay', 'CRM', '--state', 'delivered'];
  const counted = await run(...replay, '--dry-run');
  expect(counted.stdout).toBe('3 deliveries of CRM would be sent again.\n');
  expect(await run(...replay)).toMatchObject({ code: 2, stdout: '' });
  expect((await run(...replay, '--yes')).stdout).toBe('3 deliveries will be sent to CRM again.\n');
  await eventually(
    async () => received.length,
    (count) => count === 6,
  );
  expect(received).toHaveLength(6);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
});

test('a rotated secret is printed alone, and requests are signed with both', async () => {
  const first = (await create()).stdout.trim();
  const rotated = await run('destination', 'rotate', 'CRM', '--overlap', '1h');
  expect(rotated.stdout).toMatch(/^whsec_\S+\n$/);
  expect(rotated.stderr).toContain('both secrets until');
  await run('destination', 'test', 'CRM');
  const [{ body, headers }] = received as [Received];
  for (const secret of [first, rotated.stdout.trim()])
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'test',
    });
});

test('events prints the feed as lines of JSON, and continues after a cursor', async () => {
  for (let i = 0; i < 3; i++) await post(service, sender, 'server');
  const lines = async (...words: string[]) => {
    const { stdout } = await run('events', ...words);
    return stdout === ''
      ? []
      : stdout
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line));
  };
  const all = await eventually(
    () => lines(),
    ({ length }) => length >= 3,
  );
  expect(all.slice(0, 3).map(({ type }) => type)).toEqual(Array(3).fill('lead.accepted'));
  const later = await lines('--after', all[0].cursor);
  expect(later.slice(0, 2)).toEqual(all.slice(1, 3));
});

test('without a URL nothing is created', async () => {
  const { code, stderr } = await leadgate(['destination', 'create', 'CRM'], {
    env: { LEADGATE_URL: service.url },
  });
  expect(code).toBe(2);
  expect(stderr).toContain('--url');
});

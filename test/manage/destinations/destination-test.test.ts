import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../support/clocks.ts';
import { TestInternet } from '../../support/egress.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createForm, createWorkspace, Seed } from '../leads/seed.ts';
import { createDestination } from './some-deliveries.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;
let internet: TestInternet;
let seed: Seed;
let workspaceId: string;

beforeAll(async () => {
  internet = await new TestInternet().start();
  // Only tests are sent.
  service = await startTestService({ clock, egress: internet, env: { ROLE: 'manage' } });
  seed = new Seed(service);
});
beforeEach(async () => {
  workspaceId = await createWorkspace(service);
  internet.requests.length = 0;
  internet.handler = (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('thanks');
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
  await internet.stop();
});

const send = (id: string) => service.api('POST', `/workspaces/${workspaceId}/destinations/${id}/test`);

test('a test sends a marked sample with the headers of the owner, and returns what the receiver responded', async () => {
  const form = await createForm(service, workspaceId);
  const { id } = await createDestination(service, workspaceId, { headers: { 'X-Key': 'value' } });
  const { status, json } = await send(id);
  expect([status, json.delivered, json.status, json.error]).toEqual([200, true, 200, null]);
  expect(json.response_head).toContain('content-type: text/plain');
  expect(json.response_head).toContain('thanks');
  const [request] = internet.requests;
  expect(request?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-key': 'value',
    'webhook-id': expect.stringMatching(/^msg_[0-9a-f]{32}$/),
    'webhook-signature': expect.stringMatching(/^v1,/),
  });
  expect(JSON.parse(request?.body ?? '')).toMatchObject({
    type: 'test',
    data: { test: true, form: { id: form.id }, fields: { email: 'ada@example.com' } },
  });
  expect(json.request.body).toBe(request?.body);
  expect(json.request.headers['X-Key']).toBe('…');
});

test('each test has its own webhook-id, so that no receiver takes it for a retry', async () => {
  const { id } = await createDestination(service, workspaceId);
  await send(id);
  await send(id);
  const ids = internet.requests.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(2);
});

test.each([
  ['fails', 500, /500/],
  ['redirects', 301, /redirect/i],
  ['wants no more', 410, /410/],
])('a receiver that %s is shown as such, and the destination stays as it is', async (_, code, error) => {
  internet.handler = (__, response) => response.writeHead(code, { location: 'http://127.0.0.1/' }).end('no');
  const { id } = await createDestination(service, workspaceId);
  await service.api('POST', `/workspaces/${workspaceId}/destinations/${id}/pause`);
  const { json } = await send(id);
  expect(json).toMatchObject({ delivered: false, status: code, error: expect.stringMatching(error) });
  const [{ consecutive_failures, last_error }] = await seed.query(
    'select * from destination_health where destination_id = $1',
    [id],
  );
  expect([consecutive_failures, last_error]).toEqual([0, null]);
  const read = await service.api('GET', `/workspaces/${workspaceId}/destinations/${id}`);
  expect(read.json.status).toBe('paused');
  expect(internet.requests).toHaveLength(1);
});

test('a host that has no address is shown as such', async () => {
  const { id } = await createDestination(service, workspaceId, { url: 'https://nowhere-public.com/' });
  const { json } = await send(id);
  expect(json).toMatchObject({ delivered: false, status: null, error: expect.stringContaining('host name') });
});

test('what the receiver responds is text that changes nothing around it', async () => {
  internet.handler = (_, response) => response.writeHead(400).end('\u001b[31m\u0000\u202e<script>é');
  const { id } = await createDestination(service, workspaceId);
  const { json } = await send(id);
  expect(json.response_head).toMatch(/�\[31m��<script>é$/);
});

test('a workspace can send ten tests a minute', async () => {
  const { id } = await createDestination(service, workspaceId);
  for (let n = 0; n < 10; n++) expect((await send(id)).status).toBe(200);
  const refused = await send(id);
  expect([refused.status, refused.json.code]).toEqual([429, 'too_many_calls']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  clock.advance(60_000);
  expect((await send(id)).status).toBe(200);
});

test('where the operator has turned deliveries off, a test says so', async () => {
  const off = await startTestService({
    egress: internet,
    databaseUrl: service.databaseUrl,
    env: { ROLE: 'manage', DELIVER_NETWORK: 'off' },
  });
  const { id } = await createDestination(off, workspaceId);
  const { json } = await off.api('POST', `/workspaces/${workspaceId}/destinations/${id}/test`);
  await off.stop();
  expect(json).toMatchObject({ delivered: false, error: expect.stringContaining('DELIVER_NETWORK') });
  expect(internet.requests).toEqual([]);
});

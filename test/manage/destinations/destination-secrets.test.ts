import { Writable } from 'node:stream';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../support/clocks.ts';
import { TestInternet } from '../../support/egress.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createWorkspace, Seed } from '../leads/seed.ts';
import { addDelivery, createDestination, newDestination } from './some-deliveries.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
const ownSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const headerValue = 'the-key-of-the-owner';
let logged = '';
const log = pino(
  { level: 'trace' },
  new Writable({
    write(chunk, _, done) {
      logged += chunk;
      done();
    },
  }),
);
let service: TestService;
let internet: TestInternet;
let seed: Seed;
let workspaceId: string;
let path: string;

beforeAll(async () => {
  internet = await new TestInternet().start();
  internet.handler = (_, response) => response.writeHead(200).end('thanks');
  // Only tests are sent.
  service = await startTestService({ clock, egress: internet, log, env: { ROLE: 'manage' } });
  seed = new Seed(service);
});
beforeEach(async () => {
  workspaceId = await createWorkspace(service);
  path = `/workspaces/${workspaceId}/destinations`;
  internet.requests.length = 0;
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
  await internet.stop();
});

/** What the receiver would accept: the body of the last request, checked with this secret. */
async function verifiedBy(destinationId: string, secret: string): Promise<boolean> {
  const { json } = await service.api('POST', `${path}/${destinationId}/test`);
  expect(json.status).toBe(200);
  const sent = internet.requests.at(-1);
  const headers = sent?.headers as unknown as Record<string, string>;
  // The published library compares with the time of this machine.
  const real = Date.now;
  Date.now = () => clock.now();
  try {
    new Webhook(secret).verify(sent?.body ?? '', headers);
    return true;
  } catch {
    return false;
  } finally {
    Date.now = real;
  }
}

test('the secret is in no response but that of the call which creates it, and neither in the log nor in the database', async () => {
  const headers = { Authorization: `Bearer ${headerValue}` };
  const created = await createDestination(service, workspaceId, { secret: ownSecret, headers });
  expect(created.secret).toBe(ownSecret);
  const lead = await seed.lead(workspaceId, {});
  const delivery = await addDelivery(seed, workspaceId, created.id, { submission_id: lead, state: 'dead' });
  const rotated = await service.api('POST', `${path}/${created.id}/secret-rotation`, {});
  const secrets = [ownSecret, rotated.json.secret, headerValue].flatMap((secret) => [
    secret,
    secret.replace('whsec_', ''),
  ]);
  const ofWorkspace = `/workspaces/${workspaceId}`;
  const answers = [
    await service.api('GET', path),
    await service.api('GET', `${path}/${created.id}`),
    await service.api('PATCH', `${path}/${created.id}`, { name: 'Other' }),
    await service.api('POST', `${path}/${created.id}/pause`),
    await service.api('POST', `${path}/${created.id}/resume`),
    await service.api('POST', `${path}/${created.id}/test`),
    await service.api('POST', `${path}/${created.id}/dry-run`, {}),
    await service.api('GET', `${ofWorkspace}/deliveries`),
    await service.api('GET', `${ofWorkspace}/deliveries/${delivery}`),
    await service.api('POST', `${ofWorkspace}/deliveries/${delivery}/replay`),
    await service.api('GET', `${ofWorkspace}/leads/${lead}/deliveries`),
    await service.api('GET', `${ofWorkspace}/events`),
    await service.api('GET', `${ofWorkspace}/audit`),
    await service.api('POST', path, { ...newDestination, headers, secret: `${ownSecret}!` }),
  ];
  for (const { text, status } of answers) {
    expect([200, 202, 422]).toContain(status);
    for (const secret of secrets) expect(text).not.toContain(secret);
  }
  expect(JSON.stringify(rotated.json)).not.toContain(ownSecret);
  const rows = await seed.query('select * from destinations where id = $1', [created.id]);
  for (const column of ['secret_ciphertext', 'previous_secret_ciphertext', 'headers_ciphertext'])
    for (const secret of secrets) expect(rows[0][column].includes(secret)).toBe(false);
  for (const secret of secrets) expect(logged).not.toContain(secret);
  expect(logged).toContain('secretShown');
});

test('the audit log says to which host a destination sends, and nothing else of its URL', async () => {
  const { id } = await createDestination(service, workspaceId, {
    url: 'https://one.example.com/hooks/secret-path',
  });
  clock.advance(1);
  await service.api('PATCH', `${path}/${id}`, {
    url: 'https://two.example.com:8443/hooks/secret-path?key=secret',
  });
  const { text, json } = await service.api('GET', `/workspaces/${workspaceId}/audit`);
  const hosts = json.items.flatMap((entry: { changes: { url?: string } }) => entry.changes.url ?? []);
  expect(hosts).toEqual(['two.example.com:8443', 'one.example.com']);
  expect(text).not.toContain('secret-path');
});

test('a rotation signs with both secrets until the overlap ends', async () => {
  const { id, secret: first } = await createDestination(service, workspaceId);
  const { json } = await service.api('POST', `${path}/${id}/secret-rotation`, { overlap_seconds: 60 });
  expect(json.previous_secret_valid_until).toBe(new Date(clock.now() + 60_000).toISOString());
  expect(json.secret).not.toBe(first);
  expect([await verifiedBy(id, first), await verifiedBy(id, json.secret)]).toEqual([true, true]);
  clock.advance(60_000);
  expect([await verifiedBy(id, first), await verifiedBy(id, json.secret)]).toEqual([false, true]);
  expect((await service.api('GET', `${path}/${id}`)).json.previous_secret_valid_until).toBeNull();
});

test('of a secret that is rotated twice within a minute, the first ends with the second rotation', async () => {
  const { id, secret: first } = await createDestination(service, workspaceId);
  const rotate = async (body: object) =>
    (await service.api('POST', `${path}/${id}/secret-rotation`, body)).json.secret;
  const second = await rotate({});
  clock.advance(30_000);
  const third = await rotate({});
  expect([await verifiedBy(id, first), await verifiedBy(id, second), await verifiedBy(id, third)]).toEqual([
    false,
    true,
    true,
  ]);
  const fourth = await rotate({ secret: ownSecret, overlap_seconds: 0 });
  expect(fourth).toBe(ownSecret);
  expect([await verifiedBy(id, third), await verifiedBy(id, ownSecret)]).toEqual([false, true]);
});

test('a rotation that is wrong is refused', async () => {
  const { id } = await createDestination(service, workspaceId);
  for (const body of [
    { overlap_seconds: 8 * 86_400 },
    { overlap_seconds: -1 },
    { secret: 'whsec_x' },
    { no: 1 },
  ]) {
    const { status } = await service.api('POST', `${path}/${id}/secret-rotation`, body);
    expect(status).toBe(422);
  }
});

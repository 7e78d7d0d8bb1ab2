import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { minuteMs } from '../../src/time/clock.ts';
import { ManualClock } from '../support/clocks.ts';
import { diagnosticsOf, eventually, leadsOf } from '../support/diagnostics.ts';
import {
  type Answer,
  createSender,
  expectRejected,
  type PostOptions,
  post,
  rejectedBody,
  type Sender,
  senderSurfaces,
  someLead,
} from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

const clock = new ManualClock(Date.UTC(2026, 5, 1, 12));
let service: TestService;
let second: TestService;

beforeAll(async () => {
  service = await startTestService({ clock });
  second = await startTestService({ clock, databaseUrl: service.databaseUrl });
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});

const asText = { headers: { 'Content-Type': 'text/plain' } };

async function switchOff({ workspaceId, formId }: Sender): Promise<void> {
  const { status } = await service.api('PATCH', `/workspaces/${workspaceId}/forms/${formId}`, {
    active: false,
  });
  expect(status).toBe(200);
}

/** On the instance that did not switch the form off, once it knows. */
async function isOffOnSecond(sender: Sender): Promise<void> {
  await eventually(
    () => post(second, sender, 'server'),
    ({ body }) => body === rejectedBody,
  );
}

describe.each(senderSurfaces)('on the %s surface', (surface) => {
  test('a repeat under the key of a stored lead gets its 202 after the form was switched off, on every instance', async () => {
    const sender = await createSender(service);
    const first = await post(service, sender, surface, someLead, { key: 'k' });
    expect(first.status).toBe(202);
    await switchOff(sender);
    expect(await post(service, sender, surface, someLead, { key: 'k' })).toMatchObject({
      status: 202,
      body: first.body,
    });
    await isOffOnSecond(sender);
    expect((await post(second, sender, surface, someLead, { key: 'k' })).body).toBe(first.body);
    expect((await post(second, sender, surface, someLead, { key: 'k', ...asText })).body).toBe(first.body);
  });

  test('a repeat under the key of a stored lead gets its 202 whatever its content type', async () => {
    const sender = await createSender(service);
    const first = await post(service, sender, surface, someLead, { key: 'k' });
    const without = { key: 'k', without: ['Content-Type'] };
    const repeats = [{ key: 'k', ...asText }, without].map((own) =>
      post(service, sender, surface, someLead, own),
    );
    for (const { status, body } of await Promise.all(repeats))
      expect({ status, body }).toEqual({ status: 202, body: first.body });
  });

  test('new leads are rejected as before, with a key or without, and nothing of them is stored', async () => {
    const sender = await createSender(service);
    await post(service, sender, surface, someLead, { key: 'k' });
    expectRejected(await post(service, sender, surface, someLead, { key: 'new', ...asText }));
    expectRejected(await post(service, sender, surface, '{"n":1}', asText));
    await switchOff(sender);
    expectRejected(await post(service, sender, surface, someLead, { key: 'new' }));
    expectRejected(await post(service, sender, surface, '{"n":2}'));
    const { by_reason } = await eventually(
      () => diagnosticsOf(service, sender),
      ({ totals }) => totals.other === 4,
    );
    expect(by_reason.map(({ reason, count }: { reason: string; count: number }) => [reason, count])).toEqual(
      expect.arrayContaining([
        ['form_inactive', 2],
        ['content_type_unsupported', 2],
      ]),
    );
    expect(await leadsOf(service, sender)).toHaveLength(1);
  });

  test('of 300 repeats at once each gets the 202 of its own lead', async () => {
    const sender = await createSender(service);
    const keys = Array.from({ length: 300 }, (_, n) => `key ${n}`);
    const sendAll = () => Promise.all(keys.map((key) => post(service, sender, surface, someLead, { key })));
    const firsts = await sendAll();
    await switchOff(sender);
    const repeats = await sendAll();
    expect(repeats.map(({ body }) => body)).toEqual(firsts.map(({ body }) => body));
    expect(new Set(firsts.map(({ body }) => body)).size).toBe(300);
  });

  test.each<[string, (sender: Sender) => Promise<unknown> | PostOptions]>([
    ['an empty key', () => ({ key: '' })],
    ['another method', () => ({ method: 'PUT' })],
    ['a compressed body', () => ({ headers: { 'Content-Encoding': 'gzip' } })],
    [
      'a wrong credential',
      () => ({ secret: 'x'.repeat(40), headers: { Authorization: 'Bearer ingt_srv_x' } }),
    ],
    [
      'a suspended workspace',
      ({ workspaceId }) => service.api('PATCH', `/workspaces/${workspaceId}`, { status: 'suspended' }),
    ],
    [
      'a deleted form',
      ({ workspaceId, formId }) => service.api('DELETE', `/workspaces/${workspaceId}/forms/${formId}`),
    ],
  ])('%s is rejected, although the key has a stored lead', async (_, change) => {
    const sender = await createSender(service);
    expect((await post(service, sender, surface, someLead, { key: 'k' })).status).toBe(202);
    const made = await change(sender);
    const own = typeof made === 'object' && made !== null && !('status' in made) ? (made as PostOptions) : {};
    expectRejected(await post(service, sender, surface, someLead, { key: 'k', ...own }));
  });

  test('a key of another workspace, or one that has expired, has no stored lead', async () => {
    const [sender, other] = [await createSender(service), await createSender(service)];
    expect((await post(service, sender, surface, someLead, { key: 'mine' })).status).toBe(202);
    expectRejected(await post(service, other, surface, someLead, { key: 'mine', ...asText }));
    clock.advance(24 * 60 * minuteMs);
    expectRejected(await post(service, sender, surface, someLead, { key: 'mine', ...asText }));
  });
});

describe('a signed request', () => {
  const repeated = (sender: Sender, own: PostOptions = {}): Promise<Answer> => {
    const timestamp = String(Math.floor(clock.now() / 1000));
    return post(service, sender, 'webhook', someLead, { timestamp, ...own });
  };

  test('that repeats a stored lead without a key gets its 202 after the form was switched off', async () => {
    const sender = await createSender(service);
    const first = await repeated(sender);
    expect(first.status).toBe(202);
    expect((await repeated(sender, asText)).body).toBe(first.body);
    await switchOff(sender);
    expect((await repeated(sender)).body).toBe(first.body);
    expectRejected(await repeated(sender, { timestamp: String(Math.floor(clock.now() / 1000) - 1) }));
  });

  test('that is late is rejected, for it proves nothing any more', async () => {
    const sender = await createSender(service);
    const timestamp = String(Math.floor(clock.now() / 1000));
    expect((await repeated(sender, { timestamp })).status).toBe(202);
    await switchOff(sender);
    clock.advance(6 * minuteMs);
    expectRejected(await repeated(sender, { timestamp }));
  });

  test('is another submission where the owner turned replay protection off', async () => {
    const sender = await createSender(service);
    const path = `/workspaces/${sender.workspaceId}/forms/${sender.formId}`;
    expect((await repeated(sender)).status).toBe(202);
    await service.api('PATCH', path, { replay_protection: 'off' });
    expectRejected(await repeated(sender, asText));
  });

  test('under another key is the same submission where signatures count across all keys', async () => {
    const sender = await createSender(service);
    const path = `/workspaces/${sender.workspaceId}/forms/${sender.formId}`;
    await service.api('PATCH', path, { replay_protection: 'all' });
    const first = await repeated(sender, { key: 'one' });
    await switchOff(sender);
    expect((await repeated(sender, { key: 'two' })).body).toBe(first.body);
    expect((await repeated(sender)).body).toBe(first.body);
  });
});

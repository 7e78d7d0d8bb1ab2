import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayMs } from '../../src/time/clock.ts';
import { ManualClock } from '../support/clocks.ts';
import { diagnosticsOf, eventually, leadsOf } from '../support/diagnostics.ts';
import {
  createSender,
  post,
  rejectedBody,
  type Sender,
  senderSurfaces,
  someLead,
  submissionIdOf,
} from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

const clock = new ManualClock(Date.UTC(2026, 5, 1, 12));
let service: TestService;
let second: TestService;
let sender: Sender;

beforeAll(async () => {
  service = await startTestService({ clock });
  second = await startTestService({ clock, databaseUrl: service.databaseUrl });
  sender = await createSender(service);
  await eventually(
    () => post(second, sender, 'server', someLead),
    ({ status }) => status === 202,
  );
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});

describe.each(senderSurfaces)('on the %s surface', (surface) => {
  test('a retry with the same key gets the original response and makes no second lead', async () => {
    const own = await createSender(service);
    const first = await post(service, own, surface, someLead, { key: 'order-1' });
    const retry = await post(service, own, surface, someLead, { key: 'order-1' });
    expect(first.status).toBe(202);
    expect(retry).toMatchObject({ status: first.status, body: first.body });
    expect((await leadsOf(service, own)).length).toBe(1);
  });

  test('another body under the same key gets the original response and leaves a note for the owner', async () => {
    const own = await createSender(service);
    const first = await post(service, own, surface, someLead, { key: 'order-2' });
    const other = await post(service, own, surface, '{"email":"other@analytical.engine"}', {
      key: 'order-2',
    });
    expect(other.body).toBe(first.body);
    const { notes } = await eventually(
      () => diagnosticsOf(service, own),
      (answer) => answer.notes.length > 0,
    );
    expect(notes[0]).toMatchObject({
      kind: 'idempotency_body_differs',
      submission_id: submissionIdOf(first),
    });
  });

  test('a retry is recognised before the body is checked', async () => {
    const first = await post(service, sender, surface, someLead, { key: `checked-${surface}` });
    const retry = await post(service, sender, surface, 'no json at all', { key: `checked-${surface}` });
    expect(retry).toMatchObject({ status: 202, body: first.body });
  });

  test('a rejection is not remembered: the next request with the key is checked again', async () => {
    const key = `retry-${surface}`;
    expect((await post(service, sender, surface, 'no json', { key })).body).toBe(rejectedBody);
    expect((await post(service, sender, surface, someLead, { key })).status).toBe(202);
  });

  test('a key is the same on every instance', async () => {
    const key = `instances-${surface}`;
    const first = await post(service, sender, surface, someLead, { key });
    expect((await post(second, sender, surface, someLead, { key })).body).toBe(first.body);
  });

  test.each([
    ['one character', 'k'],
    ['255 characters', 'k'.repeat(255)],
    ['255 characters that take four bytes each', Buffer.from('🦊'.repeat(255)).toString('latin1')],
  ])('a key of %s is accepted', async (_, key) => {
    expect((await post(service, sender, surface, someLead, { key })).status).toBe(202);
  });

  test.each([
    ['an empty key', ''],
    ['a key of spaces', '   '],
    ['256 characters', 'k'.repeat(256)],
    ['a key that is not UTF-8', '\xff\xfe'],
  ])('%s is rejected', async (_, key) => {
    expect(await post(service, sender, surface, someLead, { key })).toMatchObject({
      status: 200,
      body: rejectedBody,
    });
  });

  test('two key headers are rejected', async () => {
    const answer = await post(service, sender, surface, someLead, {
      headers: { 'X-SVC-Idempotency-Key': ['a', 'b'] },
    });
    expect(answer).toMatchObject({ status: 200, body: rejectedBody });
  });
});

test('a key is scoped to the workspace: both surfaces share it, another workspace does not', async () => {
  const first = await post(service, sender, 'server', someLead, { key: 'shared' });
  expect((await post(service, sender, 'webhook', someLead, { key: 'shared' })).body).toBe(first.body);
  const other = await createSender(service);
  const foreign = await post(service, other, 'server', someLead, { key: 'shared' });
  expect(foreign.status).toBe(202);
  expect(foreign.body).not.toBe(first.body);
});

test('a key is remembered for 24 hours from its acceptance and can then be used again', async () => {
  const own = await createSender(service);
  const again = () => post(service, own, 'server', someLead, { key: 'daily' });
  const first = await again();
  clock.advance(dayMs - 1);
  expect((await again()).body).toBe(first.body);
  clock.advance(1);
  const renewed = await again();
  expect(renewed.status).toBe(202);
  expect(renewed.body).not.toBe(first.body);
  expect((await again()).body).toBe(renewed.body);
  expect((await leadsOf(service, own)).length).toBe(2);
});

test('50 concurrent requests with one key across two instances: one lead, identical bytes', async () => {
  const own = await createSender(service);
  await eventually(
    async () => (await post(second, own, 'server', someLead)).status,
    (status) => status === 202,
  );
  const before = (await leadsOf(service, own)).length;
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      post(i % 2 === 0 ? service : second, own, i % 3 === 0 ? 'webhook' : 'server', someLead, {
        key: 'race',
      }),
    ),
  );
  expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(202);
  expect((await leadsOf(service, own)).length).toBe(before + 1);
});

test('many keys racing across two instances: one lead per key', async () => {
  const own = await createSender(service);
  await eventually(
    async () => (await post(second, own, 'server', someLead)).status,
    (status) => status === 202,
  );
  const requests = Array.from({ length: 400 }, (_, i) => ({
    key: `race-${i % 50}`,
    on: i % 2 ? service : second,
  }));
  const answers = await Promise.all(
    requests.map(async ({ key, on }) => ({
      key,
      body: (await post(on, own, 'server', someLead, { key })).body,
    })),
  );
  const bodies = Map.groupBy(answers, ({ key }) => key);
  for (const [, group] of bodies) expect(new Set(group.map(({ body }) => body)).size).toBe(1);
  expect(new Set(answers.map(({ body }) => body)).size).toBe(50);
  expect((await leadsOf(service, own, '?limit=200')).length).toBe(51);
});

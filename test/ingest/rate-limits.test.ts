import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { submissionsPerDayMax, submissionsPerMinuteMax } from '../../src/domain/rate-window.ts';
import { dayMs, minuteMs } from '../../src/time/clock.ts';
import { ManualClock } from '../support/clocks.ts';
import { diagnosticsOf, eventually } from '../support/diagnostics.ts';
import {
  type Answer,
  createSender,
  post,
  rejectedBody,
  type Sender,
  senderSurfaces,
  someLead,
} from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { useUp } from '../support/used-limits.ts';

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

const accepted = (answers: Answer[]) => answers.filter(({ status }) => status === 202).length;

function burst(count: number, one: (index: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => one(index)));
}

async function isKnownToBoth(sender: Sender): Promise<void> {
  const known = () => post(second, sender, 'server', someLead, { key: 'known' });
  await eventually(known, ({ status }) => status === 202);
}

describe.each(senderSurfaces)('on the %s surface', (surface) => {
  test('the 1,001st submission within a minute is rejected, and a new window starts after 60 seconds', async () => {
    const sender = await createSender(service);
    await useUp(service, sender, surface, { minute: 950 });
    const answers = await burst(51, (n) => post(service, sender, surface, `{"n":${n}}`));
    expect(accepted(answers)).toBe(50);
    expect(answers.find(({ status }) => status !== 202)).toMatchObject({ status: 200, body: rejectedBody });
    clock.advance(minuteMs - 1);
    expect((await post(service, sender, surface)).body).toBe(rejectedBody);
    clock.advance(1);
    expect((await post(service, sender, surface)).status).toBe(202);
  });

  test('a used-up limit affects neither the other surface nor other workspaces', async () => {
    const [busy, calm] = [await createSender(service), await createSender(service)];
    await useUp(service, busy, surface, { minute: submissionsPerMinuteMax });
    expect((await post(service, busy, surface)).body).toBe(rejectedBody);
    const other = surface === 'server' ? 'webhook' : 'server';
    expect((await post(service, busy, other)).status).toBe(202);
    expect((await post(service, calm, surface)).status).toBe(202);
  });
});

test('the limit is exact when two instances race for the rest of it', async () => {
  const sender = await createSender(service);
  await isKnownToBoth(sender);
  // Starts a new window, because the last one was used to wait until both instances know the sender.
  clock.advance(dayMs);
  await useUp(service, sender, 'server', { minute: submissionsPerMinuteMax - 100 });
  const answers = await burst(200, (i) => post(i % 2 ? service : second, sender, 'server'));
  expect(accepted(answers)).toBe(100);
});

test('the limits count across all tokens of the workspace', async () => {
  const sender = await createSender(service);
  const body = { name: 'Second', form_id: sender.formId };
  const { json } = await service.api('POST', `/workspaces/${sender.workspaceId}/tokens`, body);
  const other = { ...sender, token: json.token };
  await useUp(service, sender, 'server', { minute: submissionsPerMinuteMax - 50 });
  const answers = await burst(80, (i) => post(service, i % 2 ? sender : other, 'server'));
  expect(accepted(answers)).toBe(50);
});

test('rejections and duplicates do not count against the limit', async () => {
  const sender = await createSender(service);
  await useUp(service, sender, 'server', { minute: submissionsPerMinuteMax - 11 });
  await burst(30, () => post(service, sender, 'server', 'no json'));
  await burst(30, () => post(service, sender, 'webhook', someLead, { secret: 'wrong' }));
  await burst(30, () => post(service, sender, 'server', someLead, { key: 'same' }));
  expect(accepted(await burst(10, () => post(service, sender, 'server')))).toBe(10);
  expect((await post(service, sender, 'server')).body).toBe(rejectedBody);
});

test('a duplicate is answered even when the limit is used up', async () => {
  const sender = await createSender(service);
  await useUp(service, sender, 'server', { minute: submissionsPerMinuteMax - 1 });
  const first = await post(service, sender, 'server', someLead, { key: 'early' });
  expect((await post(service, sender, 'server')).body).toBe(rejectedBody);
  expect((await post(service, sender, 'server', someLead, { key: 'early' })).body).toBe(first.body);
});

test('a key that was rejected by the limit can be used again', async () => {
  const sender = await createSender(service);
  await useUp(service, sender, 'server', { minute: submissionsPerMinuteMax });
  expect((await post(service, sender, 'server', someLead, { key: 'late' })).body).toBe(rejectedBody);
  clock.advance(minuteMs);
  expect((await post(service, sender, 'server', someLead, { key: 'late' })).status).toBe(202);
});

test('the 50,001st submission within a day is rejected, and a new window starts after 24 hours', async () => {
  const sender = await createSender(service);
  await isKnownToBoth(sender);
  clock.advance(dayMs);
  await useUp(service, sender, 'server', { minute: 1, day: submissionsPerDayMax - 100 });
  const answers = await burst(120, (i) => post(i % 2 ? service : second, sender, 'server'));
  expect(accepted(answers)).toBe(100);
  expect((await post(service, sender, 'server')).body).toBe(rejectedBody);
  clock.advance(dayMs - 1);
  expect((await post(service, sender, 'server')).body).toBe(rejectedBody);
  clock.advance(1);
  expect((await post(service, sender, 'server')).status).toBe(202);
  const reasons = async () => (await diagnosticsOf(service, sender)).by_reason;
  const found = await eventually(reasons, ([first]) => first?.count === 22);
  expect(found).toMatchObject([{ reason: 'rate_limited_day', count: 22 }]);
});

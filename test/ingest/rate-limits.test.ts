import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { surfaces } from '../../src/domain/surface.ts';
import { dayMs, minuteMs } from '../../src/time/clock.ts';
import { ManualClock } from '../../src/time/manual-clock.ts';
import { eventually } from '../support/diagnostics.ts';
import { type Answer, createSender, post, rejectedBody, type Sender, someLead } from '../support/sender.ts';
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

const accepted = (answers: Answer[]) => answers.filter(({ status }) => status === 202).length;

function burst(count: number, one: (index: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => one(index)));
}

async function isKnownToBoth(sender: Sender): Promise<void> {
  const bad = () => post(second, sender, 'server', someLead, { key: 'known' });
  await eventually(bad, ({ status }) => status === 202);
}

describe.each(surfaces)('on the %s surface', (surface) => {
  test('the 1,001st submission within a minute is rejected, and the window opens anew after 60 seconds', async () => {
    const sender = await createSender(service);
    const answers = await burst(1_001, (n) => post(service, sender, surface, `{"n":${n}}`));
    expect(accepted(answers)).toBe(1_000);
    expect(answers.find(({ status }) => status !== 202)).toMatchObject({ status: 200, body: rejectedBody });
    clock.advance(minuteMs - 1);
    expect((await post(service, sender, surface)).body).toBe(rejectedBody);
    clock.advance(1);
    expect((await post(service, sender, surface)).status).toBe(202);
  });

  test('a burst on it does not use up the other surface', async () => {
    const sender = await createSender(service);
    await burst(1_001, (n) => post(service, sender, surface, `{"n":${n}}`));
    const other = surface === 'server' ? 'webhook' : 'server';
    expect((await post(service, sender, other)).status).toBe(202);
  });

  test('nobody else is affected', async () => {
    const [busy, calm] = [await createSender(service), await createSender(service)];
    await burst(1_001, (n) => post(service, busy, surface, `{"n":${n}}`));
    expect((await post(service, calm, surface)).status).toBe(202);
  });
});

test('1,200 concurrent valid requests over two instances: exactly 1,000 accepted', async () => {
  const sender = await createSender(service);
  await isKnownToBoth(sender);
  clock.advance(minuteMs);
  const answers = await burst(1_200, (i) => post(i % 2 ? service : second, sender, 'server'));
  expect(accepted(answers)).toBe(1_000);
});

test('the limits count across all tokens of the workspace', async () => {
  const sender = await createSender(service);
  const body = { name: 'Second', form_id: sender.formId };
  const { json } = await service.api('POST', `/workspaces/${sender.workspaceId}/tokens`, body);
  const other = { ...sender, token: json.token };
  const answers = await burst(1_100, (i) => post(service, i % 2 ? sender : other, 'server'));
  expect(accepted(answers)).toBe(1_000);
});

test('rejections and replays do not count against the limit', async () => {
  const sender = await createSender(service);
  await burst(300, () => post(service, sender, 'server', 'no json'));
  await burst(300, () => post(service, sender, 'webhook', someLead, { secret: 'wrong' }));
  await burst(300, () => post(service, sender, 'server', someLead, { key: 'same' }));
  expect(accepted(await burst(999, () => post(service, sender, 'server')))).toBe(999);
  expect((await post(service, sender, 'server')).body).toBe(rejectedBody);
});

test('a replay is answered even when the limit is used up', async () => {
  const sender = await createSender(service);
  const first = await post(service, sender, 'server', someLead, { key: 'early' });
  await burst(1_000, () => post(service, sender, 'server'));
  expect((await post(service, sender, 'server', someLead, { key: 'early' })).body).toBe(first.body);
});

test('a key that was rejected by the limit is free for the next try', async () => {
  const sender = await createSender(service);
  await burst(1_000, () => post(service, sender, 'server'));
  expect((await post(service, sender, 'server', someLead, { key: 'late' })).body).toBe(rejectedBody);
  clock.advance(minuteMs);
  expect((await post(service, sender, 'server', someLead, { key: 'late' })).status).toBe(202);
});

test('the 50,001st submission within a day is rejected, and the day opens anew after 24 hours', async () => {
  const sender = await createSender(service);
  for (let minute = 0; minute < 50; minute++) {
    const answers = await burst(1_000, () => post(minute % 2 ? service : second, sender, 'server'));
    if (accepted(answers) !== 1_000) await retryOn(sender, answers);
    clock.advance(minuteMs);
  }
  expect((await post(service, sender, 'server')).body).toBe(rejectedBody);
  clock.advance(dayMs - 50 * minuteMs - 1);
  expect((await post(service, sender, 'server')).body).toBe(rejectedBody);
  clock.advance(1);
  expect((await post(service, sender, 'server')).status).toBe(202);
  // Fifty thousand requests.
}, 1_800_000);

// The second instance may learn of the sender a moment later than the first burst reaches it.
async function retryOn(sender: Sender, answers: Answer[]): Promise<void> {
  const missing = 1_000 - accepted(answers);
  const again = await burst(missing, () => post(service, sender, 'server'));
  expect(accepted(again)).toBe(missing);
}

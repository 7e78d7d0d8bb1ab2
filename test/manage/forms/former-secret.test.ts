import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hourMs, minuteMs } from '../../../src/time/clock.ts';
import { ManualClock } from '../../support/clocks.ts';
import { eventually } from '../../support/diagnostics.ts';
import { createSender, post, type Sender } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;
let sender: Sender;
/** The secret that the first rotation made. */
let present: string;

beforeAll(async () => {
  service = await startTestService({ clock });
});
beforeEach(async () => {
  sender = await createSender(service);
  present = await rotate();
});
afterAll(() => service.stop());

const secretPath = () => `/workspaces/${sender.workspaceId}/forms/${sender.formId}/webhook-secret`;

async function rotate(overlap_seconds = 86_400): Promise<string> {
  return (await service.api('PUT', secretPath(), { overlap_seconds })).json.secret;
}

let sent = 0;
/** The same body signed twice in a second would be one lead. */
const nextLead = () => `{"n":${++sent}}`;

async function sendWith(secret: string, times: number): Promise<void> {
  for (let i = 0; i < times; i++)
    expect((await post(service, sender, 'webhook', nextLead(), { secret })).status).toBe(202);
}

/** What the API says once as many leads as were sent have reached the counts. */
async function useOnce(leads: number) {
  const answer = await eventually(
    () => service.api('GET', secretPath()),
    ({ json }) => json.previous_use?.last_hour.leads === leads,
  );
  return answer.json.previous_use;
}

test('leads signed with the previous secret are counted beside all leads, with the time of the last', async () => {
  await sendWith(present, 4);
  await sendWith(sender.secret, 3);
  const last_at = new Date(clock.now()).toISOString();
  expect(await useOnce(7)).toEqual({ last_hour: { leads: 7, by_previous: 3 }, by_previous: 3, last_at });
});

test('what is older than an hour counts for the rotation, but not for the last hour', async () => {
  await sendWith(sender.secret, 2);
  expect(await useOnce(2)).toMatchObject({ by_previous: 2 });
  const last_at = new Date(clock.now()).toISOString();
  clock.advance(hourMs + minuteMs);
  await sendWith(present, 1);
  expect(await useOnce(1)).toEqual({ last_hour: { leads: 1, by_previous: 0 }, by_previous: 2, last_at });
});

test('a new rotation starts a new count: uses of older secrets no longer count', async () => {
  await sendWith(sender.secret, 2);
  expect(await useOnce(2)).toMatchObject({ by_previous: 2 });
  await rotate(3600);
  await sendWith(present, 1);
  expect(await useOnce(3)).toMatchObject({ by_previous: 1, last_hour: { by_previous: 1 } });
});

test('only leads count: no rejections, and nothing sent with a token', async () => {
  expect((await post(service, sender, 'webhook', '[]', { secret: sender.secret })).status).toBe(200);
  expect((await post(service, sender, 'server')).status).toBe(202);
  await sendWith(present, 1);
  expect(await useOnce(1)).toEqual({
    last_hour: { leads: 1, by_previous: 0 },
    by_previous: 0,
    last_at: null,
  });
});

test('uses from several instances add up', async () => {
  const second = await startTestService({ clock, databaseUrl: service.databaseUrl });
  await sendWith(sender.secret, 2);
  const there = () => post(second, sender, 'webhook', nextLead(), { secret: sender.secret });
  expect((await eventually(there, ({ status }) => status === 202)).status).toBe(202);
  expect(await useOnce(3)).toMatchObject({ by_previous: 3 });
  await second.stop();
});

test('without an overlap there is nothing to show', async () => {
  await service.api('DELETE', `${secretPath()}/previous`);
  expect((await service.api('GET', secretPath())).json).toMatchObject({
    configured: true,
    previous_valid_until: null,
    previous_use: null,
  });
});

import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { submissionsPerMinuteMax } from '../../src/domain/rate-window.ts';
import { systemClock } from '../../src/time/real-clock.ts';
import { OutageWorld } from '../support/database/outage-world.ts';
import { eventually, leadsOf, metricOf } from '../support/diagnostics.ts';
import { countsSignaturesOnce } from '../support/replay-protection.ts';
import { type Answer, createSender, expectRejected, post, type Sender, someLead } from '../support/sender.ts';
import type { TestService } from '../support/service.ts';

let world: OutageWorld;
let one: TestService;
let two: TestService;
let sender: Sender;

beforeEach(async () => {
  world = await OutageWorld.create();
  one = await world.start();
  two = await world.start({ env: { DATA_DIR: join(world.dataDir, 'two') } });
  sender = await createSender(one);
  await eventually(
    () => post(two, sender, 'server', someLead, { key: 'known' }),
    ({ status }) => status === 202,
  );
});
afterEach(() => world.close());

/** The same signed request each time. */
function recorded(body: string) {
  const timestamp = String(Math.floor(systemClock.now() / 1000));
  return (service: TestService, key?: string): Promise<Answer> =>
    post(service, sender, 'webhook', body, { timestamp, ...(key === undefined ? {} : { key }) });
}

const bodiesOf = (answers: Answer[]) => new Set(answers.map(({ status, body }) => `${status} ${body}`));

test('a signed request sent before, during and after an outage, on two instances, creates one lead with one response', async () => {
  const [early, late] = [recorded('{"n":"early"}'), recorded('{"n":"late"}')];
  const earlyAnswers = [await early(one)];
  await world.outage.begin();
  for (const service of [one, two, one, two]) earlyAnswers.push(await early(service));
  const lateAnswers = await Promise.all([one, two, one, two, one].map((service) => late(service)));
  await world.recover(one);
  await world.recover(two);
  lateAnswers.push(await late(two), await late(one));
  earlyAnswers.push(await early(two));
  expect(bodiesOf(earlyAnswers).size).toBe(1);
  expect(bodiesOf(lateAnswers).size).toBe(1);
  expect(lateAnswers[0]?.status).toBe(202);
  expect(await leadsOf(one, sender)).toHaveLength(3);
});

test('during an outage a retry is recognised before the limit, and takes no space', async () => {
  await world.outage.begin();
  const request = recorded('{"n":"first"}');
  const first = await request(one);
  const repeats = await Promise.all(Array.from({ length: 30 }, () => request(one)));
  expect(bodiesOf([first, ...repeats]).size).toBe(1);
  expect(await metricOf(one, 'leadgate_spool_leads')).toBe(1);
  const fill = submissionsPerMinuteMax - 1;
  const others = await Promise.all(
    Array.from({ length: fill }, (_, n) => post(one, sender, 'webhook', `{"n":${n}}`)),
  );
  expect(others.filter(({ status }) => status === 202)).toHaveLength(fill);
  expectRejected(await post(one, sender, 'webhook', '{"n":"over"}'));
  expect((await request(one)).body).toBe(first.body);
});

test('a process that takes over a spool knows the signed requests in it', async () => {
  await world.snapshotKept();
  await world.outage.begin();
  const request = recorded('{"n":"kept"}');
  const first = await request(one);
  await world.stop(one);
  const next = await world.start();
  expect((await request(next)).body).toBe(first.body);
  expect(await metricOf(next, 'leadgate_spool_leads')).toBe(1);
  await world.recover(next);
  expect(await leadsOf(next, sender)).toHaveLength(2);
});

describe('when every signature counts once', () => {
  beforeEach(async () => {
    const path = `/workspaces/${sender.workspaceId}/forms/${sender.formId}`;
    await one.api('PATCH', path, { replay_protection: 'all' });
    await countsSignaturesOnce(two, sender);
  });

  test('copies under other keys are duplicates during the outage, and after it on every instance', async () => {
    const before = (await leadsOf(one, sender)).length;
    await world.outage.begin();
    const request = recorded('{"n":"kept"}');
    const answers = [await request(one, 'a'), await request(one), await request(one, 'b')];
    await world.recover(one);
    await eventually(
      () => metricOf(two, 'leadgate_database_available'),
      (available) => available === 1,
    );
    answers.push(await request(two, 'c'), await request(two));
    expect(bodiesOf(answers).size).toBe(1);
    expect(answers[0]?.status).toBe(202);
    expect(await leadsOf(two, sender)).toHaveLength(before + 1);
  });
});

import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../src/time/clock.ts';
import { ManualClock } from '../support/clocks.ts';
import { OutageWorld } from '../support/database/outage-world.ts';
import { diagnosticsOf, eventually, leadsOf, metricOf } from '../support/diagnostics.ts';
import { createSender, expectRejected, post, someLead, submissionIdOf } from '../support/sender.ts';

let world: OutageWorld;
beforeEach(async () => {
  world = await OutageWorld.create();
});
afterEach(() => world.close());

test('while PostgreSQL is down both surfaces answer 202, and the leads are stored when it is back', async () => {
  const service = await world.start();
  const sender = await createSender(service);
  await world.outage.begin();
  const bodies = Array.from({ length: 30 }, (_, n) => `{"n":${n},"email":"ada@gmail.com"}`);
  const answers = await Promise.all(
    bodies.map((body, n) => post(service, sender, n % 2 === 0 ? 'server' : 'webhook', body)),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
  expect(await metricOf(service, 'leadgate_spool_leads')).toBe(30);
  expect(await metricOf(service, 'leadgate_database_available')).toBe(0);
  await world.recover(service);
  for (const [n, answer] of answers.entries()) {
    const at = `/workspaces/${sender.workspaceId}/leads/${submissionIdOf(answer)}`;
    expect((await service.api('GET', `${at}/body`)).text).toBe(bodies[n]);
    expect((await service.api('GET', at)).json.surface).toBe(n % 2 === 0 ? 'server' : 'webhook');
  }
  expect(await leadsOf(service, sender, '?limit=200')).toHaveLength(30);
  const enriched = await eventually(
    () => leadsOf(service, sender, '?limit=200'),
    (leads) => leads.every(({ enrichment }: { enrichment: unknown }) => enrichment !== null),
  );
  expect(enriched.every(({ enrichment }: { enrichment: unknown }) => enrichment !== null)).toBe(true);
});

test('the retired path answers 410 while PostgreSQL is down', async () => {
  const service = await world.start();
  const sender = await createSender(service);
  await world.outage.begin();
  expect((await post(service, sender, 'server', someLead, { path: '/api/ingest/x' })).status).toBe(410);
});

test('a key used before, during and after an outage, on two instances, creates one lead with one response', async () => {
  const [one, two] = [
    await world.start(),
    await world.start({ env: { DATA_DIR: join(world.dataDir, 'two') } }),
  ];
  const sender = await createSender(one);
  await eventually(
    () => post(two, sender, 'server', someLead, { key: 'early' }),
    ({ status }) => status === 202,
  );
  const early = await post(one, sender, 'server', someLead, { key: 'early' });
  await world.outage.begin();
  const during = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      post(n % 2 === 0 ? one : two, sender, 'server', someLead, { key: n < 10 ? 'early' : 'late' }),
    ),
  );
  await world.recover(one);
  await world.recover(two);
  const after = await post(two, sender, 'server', someLead, { key: 'late' });
  expect(new Set([early, ...during.slice(0, 10)].map(({ body }) => body)).size).toBe(1);
  expect(new Set([after, ...during.slice(10)].map(({ body }) => body)).size).toBe(1);
  expect(await leadsOf(one, sender)).toHaveLength(2);
});

test('a retry before the spool has drained gets the response of the original', async () => {
  const service = await world.start();
  const sender = await createSender(service);
  await world.outage.begin();
  const first = await post(service, sender, 'server', '{"n":1}', { key: 'k' });
  await world.outage.end();
  const repeats = await Promise.all(
    Array.from({ length: 40 }, () => post(service, sender, 'server', '{"n":2}', { key: 'k' })),
  );
  await world.recover(service);
  expect(new Set(repeats.map(({ body }) => body))).toEqual(new Set([first.body]));
  const [lead, ...others] = await leadsOf(service, sender);
  expect(others).toEqual([]);
  expect(lead.fields).toEqual({ n: 1 });
});

test('the rate limits of an instance apply while PostgreSQL is down', async () => {
  const clock = new ManualClock(Date.now());
  const service = await world.start({ clock });
  const sender = await createSender(service);
  await world.outage.begin();
  const statuses = async (count: number) => {
    const answers = await Promise.all(
      Array.from({ length: count }, (_, n) => post(service, sender, 'server', `{"n":${n}}`)),
    );
    return answers.filter(({ status }) => status === 202).length;
  };
  expect(await statuses(1_050)).toBe(1_000);
  expect((await post(service, sender, 'webhook')).status).toBe(202);
  clock.advance(minuteMs);
  expect(await statuses(10)).toBe(10);
  await world.recover(service);
  const { by_reason } = await eventually(
    () => diagnosticsOf(service, sender),
    // Counts from before the first failed flush are written before the rest.
    (found) => found.by_reason[0]?.count >= 50,
  );
  expect(by_reason).toMatchObject([{ reason: 'rate_limited_minute', count: 50 }]);
});

test('a service restarted during an outage knows its senders and its keys, and loses nothing', async () => {
  const service = await world.start();
  const sender = await createSender(service);
  await post(service, sender, 'server');
  await world.snapshotKept();
  await world.outage.begin();
  const first = await post(service, sender, 'server', '{"n":1}', { key: 'k' });
  await world.stop(service);

  const next = await world.start();
  expect((await fetch(`${next.url}/readyz`)).status).toBe(200);
  expect((await post(next, sender, 'webhook', '{"n":2}')).status).toBe(202);
  expect((await post(next, sender, 'server', '{"n":1}', { key: 'k' })).body).toBe(first.body);
  expectRejected(await post(next, sender, 'webhook', someLead, { secret: 'wrong' }));
  await world.recover(next);
  expect(await leadsOf(next, sender)).toHaveLength(3);
});

test('the grace period of a rotated token ends on time during an outage, even after a restart from the snapshot', async () => {
  const clock = new ManualClock(Date.now());
  const service = await world.start({ clock });
  const sender = await createSender(service);
  const at = `/workspaces/${sender.workspaceId}/tokens/${sender.tokenId}/rotation`;
  const { json } = await service.api('POST', at, { grace_seconds: 3600 });
  await world.snapshotKept();
  await world.outage.begin();
  clock.advance(hourMs - 1);
  expect((await post(service, sender, 'server')).status).toBe(202);
  await world.stop(service);

  const next = await world.start({ clock });
  expect((await post(next, sender, 'server')).status).toBe(202);
  clock.advance(1);
  expectRejected(await post(next, sender, 'server'));
  expect((await post(next, { ...sender, token: json.token }, 'server')).status).toBe(202);
});

test('a service that has never seen its database closes connections until the database is available', async () => {
  const first = await world.start();
  const sender = await createSender(first);
  await world.outage.begin();
  const other = join(world.dataDir, 'never');
  const service = await world.start({ env: { DATA_DIR: other } });
  expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${service.url}/livez`)).status).toBe(200);
  await expect(post(service, sender, 'server')).rejects.toThrow();
  await world.outage.end();
  const served = await eventually(
    () => post(service, sender, 'server').catch(() => null),
    (answer) => answer !== null,
  );
  expect(served?.status).toBe(202);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
});

test('a key used again after its lifetime, during the outage, creates a new lead', async () => {
  const clock = new ManualClock(Date.now());
  const service = await world.start({ clock });
  const sender = await createSender(service);
  const old = await post(service, sender, 'server', '{"n":0}', { key: 'old' });
  await world.outage.begin();
  const first = await post(service, sender, 'server', '{"n":1}', { key: 'k' });
  clock.advance(dayMs);
  const second = await post(service, sender, 'server', '{"n":2}', { key: 'k' });
  // This instance no longer knows of the use before the outage: the response has the old id, the lead is kept.
  const reused = await post(service, sender, 'server', '{"n":3}', { key: 'old' });
  expect(second.body).not.toBe(first.body);
  expect(reused.body).toBe(old.body);
  await world.recover(service);
  const leads: { fields: { n: number } }[] = await leadsOf(service, sender);
  expect(leads.map(({ fields }) => fields.n).toSorted()).toEqual([0, 1, 2, 3]);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { OutageWorld } from '../support/database/outage-world.ts';
import { createSender, expectRejected, post, someLead } from '../support/sender.ts';

let world: OutageWorld;
beforeEach(async () => {
  world = await OutageWorld.create();
});
afterEach(() => world.close());

const asText = { headers: { 'Content-Type': 'text/plain' } };

test('while PostgreSQL is down, a repeat that would be rejected gets the 202 of a spooled lead, and otherwise no answer', async () => {
  const service = await world.start();
  const sender = await createSender(service);
  const stored = await post(service, sender, 'server', someLead, { key: 'stored' });
  await world.outage.begin();
  const timestamp = String(Math.floor(service.clock.now() / 1000));
  const spooled = await post(service, sender, 'server', someLead, { key: 'spooled' });
  const signed = await post(service, sender, 'webhook', someLead, { timestamp });
  expect([spooled.status, signed.status]).toEqual([202, 202]);

  expect((await post(service, sender, 'server', someLead, { key: 'spooled', ...asText })).body).toBe(
    spooled.body,
  );
  expect((await post(service, sender, 'webhook', someLead, { timestamp, ...asText })).body).toBe(signed.body);
  // Nobody can say whether these were stored.
  await expect(post(service, sender, 'server', someLead, { key: 'stored', ...asText })).rejects.toThrow();
  await expect(post(service, sender, 'webhook', '{"n":1}', { timestamp, ...asText })).rejects.toThrow();
  // What has no key and no signature repeats nothing.
  expectRejected(await post(service, sender, 'server', someLead, asText));
  expect((await post(service, sender, 'server', someLead, { key: 'new' })).status).toBe(202);

  await world.recover(service);
  for (const [key, { body }] of [['stored', stored] as const, ['spooled', spooled] as const])
    expect((await post(service, sender, 'server', someLead, { key, ...asText })).body).toBe(body);
  expect((await post(service, sender, 'webhook', someLead, { timestamp, ...asText })).body).toBe(signed.body);
});

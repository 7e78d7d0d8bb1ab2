import { afterEach, beforeEach, expect, test } from 'vitest';
import { OutageWorld } from '../support/database/outage-world.ts';
import { leadsOf } from '../support/diagnostics.ts';
import { createSender, expectRejected, someLead, submissionIdOf } from '../support/sender.ts';
import { Pages } from './pages.ts';

let world: OutageWorld;
beforeEach(async () => {
  world = await OutageWorld.create();
});
afterEach(() => world.close());

test('while PostgreSQL is down a token still makes one lead, and other bytes none, then and after the drain', async () => {
  const service = await world.start();
  const pages = new Pages(service);
  const own = await pages.setUp(await createSender(service));
  await pages.close();
  const token = pages.token(own, someLead, { claims: { bodyHash: null } });
  const use = (body = someLead) => pages.post(own, body, { token });
  await world.outage.begin();
  const answers = await Promise.all(Array.from({ length: 20 }, () => use()));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(202);
  expectRejected(await use('{"other":"body"}'));
  expectRejected(await use('not json'));
  await world.recover(service);
  const after = await use();
  expect(submissionIdOf(after)).toBe(submissionIdOf(answers[0] as typeof after));
  expectRejected(await use('{"other":"body"}'));
  expectRejected(await use('not json'));
  expect(await leadsOf(service, own)).toHaveLength(1);
});

test('while PostgreSQL is down an expired token gets the response of its lead, or none if the lead is unknown', async () => {
  const service = await world.start();
  const pages = new Pages(service);
  const own = await pages.setUp(await createSender(service));
  await pages.close();
  const { jti, issuedAt } = pages.claimsOf(own, someLead);
  await world.outage.begin();
  const first = await pages.post(own, someLead, { claims: { jti } });
  const past = { issuedAt: issuedAt - 200, expiresAt: issuedAt - 100 };
  const late = await pages.post(own, someLead, { claims: { ...past, jti } });
  expect([late.status, late.body]).toEqual([202, first.body]);
  await expect(pages.post(own, someLead, { claims: past })).rejects.toThrow();
  await world.recover(service);
  expectRejected(await pages.post(own, someLead, { claims: past }));
});

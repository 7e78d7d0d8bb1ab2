import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitingBytesMax } from '../../src/domain/held/held-bounds.ts';
import { OutageWorld } from '../support/database/outage-world.ts';
import { diagnosticsOf, eventually, metricOf } from '../support/diagnostics.ts';
import { createSender, expectRejected, pathOf, post, type Sender, send } from '../support/sender.ts';
import type { TestService } from '../support/service.ts';

let world: OutageWorld;
let service: TestService;

beforeAll(async () => {
  world = await OutageWorld.create();
  service = await world.start();
});
afterAll(() => world.close());

const waitingBytes = () => metricOf(service, 'leadgate_held_waiting_bytes');
const bodyBytes = 120_000;
const body = (n: number) => JSON.stringify({ n, text: 'x'.repeat(bodyBytes) });

async function inactiveSender(): Promise<Sender> {
  const sender = await createSender(service);
  const form = `/workspaces/${sender.workspaceId}/forms/${sender.formId}`;
  await service.api('PATCH', form, { active: false });
  return sender;
}

async function count(what: string, { workspaceId }: Sender): Promise<number> {
  const [row] = await world.query(`select (${what} where workspace_id = '${workspaceId}')::int as count`);
  return Number(row?.count);
}
const rowsOf = (sender: Sender) => count('select count(*) from held_submissions', sender);
const missedOf = (sender: Sender) => count('select coalesce(sum(count), 0) from held_missed', sender);

test('while PostgreSQL is down rejected requests wait within their bounds, and are written afterwards', async () => {
  const [loud, quiet] = [await inactiveSender(), await inactiveSender()];
  await world.outage.begin();
  for (let n = 0; n < 50; n++) expectRejected(await post(service, loud, 'server', body(n)));
  expectRejected(await post(service, quiet, 'server', body(0)));
  const waiting = await waitingBytes();
  // A workspace gets at most half.
  expect(waiting).toBeGreaterThan(30 * bodyBytes);
  expect(waiting).toBeLessThan(waitingBytesMax / 2 + 2 * bodyBytes);
  await world.outage.end();
  await eventually(waitingBytes, (bytes) => bytes === 0);
  expect(await rowsOf(quiet)).toBe(1);
  const kept = await rowsOf(loud);
  expect(kept).toBeGreaterThanOrEqual(30);
  expect(
    kept +
      (await eventually(
        () => missedOf(loud),
        (missed) => kept + missed === 50,
      )),
  ).toBe(50);
});

test('while PostgreSQL is down a known sender is recognised, and its call is held and an entry afterwards', async () => {
  const sender = await createSender(service);
  await world.outage.begin();
  const call = '{"email":"ada@example.com"}';
  const signature = createHmac('sha256', sender.secret).update(call).digest('base64');
  const headers = { 'Content-Type': 'application/json', 'Tally-Signature': signature };
  const deliver = () => send(service.url + pathOf(sender, 'webhook'), 'POST', headers, call);
  expectRejected(await deliver());
  const waiting = await waitingBytes();
  expect(waiting).toBeGreaterThan(0);
  // Whoever has recorded the call takes no room from others.
  for (let n = 0; n < 20; n++) expectRejected(await deliver());
  expect(await waitingBytes()).toBe(waiting);
  await world.outage.end();
  await eventually(
    () => rowsOf(sender),
    (rows) => rows === 1,
  );
  expect(await count(`select count(*) filter (where sender = 'tally') from held_submissions`, sender)).toBe(
    1,
  );
  const { items } = await eventually(
    () => diagnosticsOf(service, sender),
    (found) => found.items?.length === 21,
  );
  expect(items[0]).toMatchObject({ reason: 'sender_unsupported' });
});

test('a service that stops writes what waits', async () => {
  const sender = await inactiveSender();
  const other = await world.start();
  for (let n = 0; n < 5; n++) expectRejected(await post(other, sender, 'server', body(n)));
  await world.stop(other);
  expect(await rowsOf(sender)).toBe(5);
});

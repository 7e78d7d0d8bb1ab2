import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitingBytesMax } from '../../src/domain/held/held-bounds.ts';
import { OutageWorld } from '../support/database/outage-world.ts';
import { eventually, metricOf } from '../support/diagnostics.ts';
import { createSender, expectRejected, post, type Sender } from '../support/sender.ts';
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

test('a service that stops writes what waits', async () => {
  const sender = await inactiveSender();
  const other = await world.start();
  for (let n = 0; n < 5; n++) expectRejected(await post(other, sender, 'server', body(n)));
  await world.stop(other);
  expect(await rowsOf(sender)).toBe(5);
});

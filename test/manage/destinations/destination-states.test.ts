import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../support/clocks.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createWorkspace, Seed } from '../leads/seed.ts';
import { addDelivery, createDestination, someUrl } from './some-deliveries.ts';

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;
let seed: Seed;
let workspaceId: string;
let path: string;

beforeAll(async () => {
  // Nothing sends what the tests add.
  service = await startTestService({ clock, env: { ROLE: 'manage' } });
  seed = new Seed(service);
});
beforeEach(async () => {
  workspaceId = await createWorkspace(service);
  path = `/workspaces/${workspaceId}/destinations`;
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

async function rowsOf(table: string, id: string) {
  const key = table === 'destinations' ? 'id' : 'destination_id';
  return (await seed.query(`select * from ${table} where ${key} = $1`, [id]))[0];
}

test('a new URL or secret, or resuming, closes the circuit and wakes the destination', async () => {
  const { id } = await createDestination(service, workspaceId);
  const { id: idle } = await createDestination(service, workspaceId);
  const fail = () =>
    seed.query(
      `with h as (update destination_health set consecutive_failures = 12, opened_at = $2, next_probe_at = $2,
         failing_since = $2, last_error = 'The host refused the connection.'
         where destination_id = any ($1))
       update destination_leases set wake_at = 'infinity' where destination_id = any ($1)`,
      [[id, idle], new Date(clock.now())],
    );
  const healthy = { consecutive_failures: 0, failing_since: null, next_probe_at: null, last_error: null };
  const calls = [
    ['PATCH', '', { url: `${someUrl}/v2` }],
    ['PATCH', '', { headers: { 'X-Key': 'a' } }],
    ['POST', '/secret-rotation', {}],
    ['POST', '/resume'],
  ] as const;
  for (const [method, end, body] of calls) {
    await fail();
    expect((await service.api('GET', `${path}/${id}`)).json.health).toMatchObject({
      consecutive_failures: 12,
      last_error: 'The host refused the connection.',
    });
    expect((await service.api(method, `${path}/${id}${end}`, body)).json.health).toEqual(healthy);
    expect((await rowsOf('destination_leases', id)).wake_at).toEqual(new Date(clock.now()));
  }
  await service.api('PATCH', `${path}/${idle}`, { name: 'Renamed' });
  expect((await rowsOf('destination_health', idle)).consecutive_failures).toBe(12);
});

test('a destination is paused and resumed, and resuming also enables a disabled one', async () => {
  const { id } = await createDestination(service, workspaceId);
  const call = async (what: string) => {
    const { json } = await service.api('POST', `${path}/${id}/${what}`);
    return [json.status, json.disabled_reason];
  };
  expect(await call('pause')).toEqual(['paused', null]);
  expect(await call('pause')).toEqual(['paused', null]);
  expect(await call('resume')).toEqual(['active', null]);
  await seed.query(`update destinations set status = 'disabled', disabled_reason = 'gone' where id = $1`, [
    id,
  ]);
  expect(await call('pause')).toEqual(['disabled', 'gone']);
  expect(await call('resume')).toEqual(['active', null]);
});

test('deleting a destination cancels what waits for it, and leaves the rest listed', async () => {
  const { id } = await createDestination(service, workspaceId);
  const { id: other } = await createDestination(service, workspaceId);
  const waiting = await addDelivery(seed, workspaceId, id);
  const done = await addDelivery(seed, workspaceId, id, { state: 'delivered' });
  const elsewhere = await addDelivery(seed, workspaceId, other);
  expect((await service.api('DELETE', `${path}/${id}`)).status).toBe(204);
  expect((await service.api('GET', `${path}/${id}`)).status).toBe(404);
  expect((await service.api('DELETE', `${path}/${id}`)).status).toBe(404);
  const { items } = (await service.api('GET', `/workspaces/${workspaceId}/deliveries`)).json;
  const states = Object.fromEntries(
    items.map((item: Record<string, string>) => [
      item.id,
      [item.state, item.destination_name, item.last_error],
    ]),
  );
  expect(states).toEqual({
    [waiting]: ['cancelled', null, 'The destination was deleted.'],
    [done]: ['delivered', null, null],
    [elsewhere]: ['pending', 'CRM', null],
  });
});

test('a deletion that failed half-way can be repeated', async () => {
  const { id } = await createDestination(service, workspaceId);
  await addDelivery(seed, workspaceId, id);
  await seed.query(
    `create function fail_once() returns trigger language plpgsql as $$ begin raise exception 'down'; end $$`,
  );
  await seed.query('create trigger fail before update on deliveries execute function fail_once()');
  expect((await service.api('DELETE', `${path}/${id}`)).status).toBe(500);
  await seed.query('drop function fail_once cascade');
  expect((await service.api('DELETE', `${path}/${id}`)).status).toBe(204);
  const { items } = (await service.api('GET', `/workspaces/${workspaceId}/deliveries`)).json;
  expect(items[0].state).toBe('cancelled');
});

test('a destination shows what became of its deliveries within a day', async () => {
  const now = clock.now();
  const ago = (hours: number) => new Date(now - hours * 3_600_000).toISOString();
  const { id } = await createDestination(service, workspaceId);
  const { id: idle } = await createDestination(service, workspaceId);
  const add = (values: Record<string, unknown>) => addDelivery(seed, workspaceId, id, values);
  for (const [index, last_ms] of [10, 20, 900].entries())
    await add({ state: 'delivered', created_at: ago(index), delivered_at: ago(0), last_ms });
  await add({ state: 'delivered', created_at: ago(30), delivered_at: ago(29), last_ms: 5 });
  await add({ created_at: ago(50) });
  await add({ created_at: ago(1) });
  await add({ state: 'dead', created_at: ago(80), next_at: ago(1) });
  await add({ state: 'dead', created_at: ago(120), next_at: ago(30) });
  const lead = { submission_id: crypto.randomUUID(), event_id: 999_999 };
  const died = await add({ ...lead, state: 'dead', created_at: ago(70), next_at: ago(2) });
  await add({ ...lead, state: 'delivered', created_at: ago(1.5), last_ms: 15, replay_of: died });
  const { items } = (await service.api('GET', path)).json;
  const days = new Map(items.map((item: Record<string, unknown>) => [item.id, item.last_day]));
  expect(days.get(id)).toEqual({
    delivered: 4,
    waiting: 2,
    dead: 1,
    oldest_waiting_at: ago(50),
    p95_ms: 900,
  });
  expect(days.get(idle)).toEqual({
    delivered: 0,
    waiting: 0,
    dead: 0,
    oldest_waiting_at: null,
    p95_ms: null,
  });
});

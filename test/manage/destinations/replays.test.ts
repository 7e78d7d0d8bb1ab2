import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../support/clocks.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createWorkspace, Seed } from '../leads/seed.ts';
import { addDelivery, createDestination } from './some-deliveries.ts';

const clock = new ManualClock(Date.parse('2026-11-15T09:00:00.000Z'));
let service: TestService;
let seed: Seed;
let workspaceId: string;
let path: string;
let destinationId: string;
let lead: string;

beforeAll(async () => {
  // Nothing sends what the tests add.
  service = await startTestService({ clock, env: { ROLE: 'manage' } });
  seed = new Seed(service);
});
beforeEach(async () => {
  workspaceId = await createWorkspace(service);
  path = `/workspaces/${workspaceId}/deliveries`;
  destinationId = (await createDestination(service, workspaceId)).id;
  lead = await seed.lead(workspaceId, {});
});
afterAll(async () => {
  await seed.stop();
  await service.stop();
});

const add = (values: Record<string, unknown> = {}) =>
  addDelivery(seed, workspaceId, destinationId, { submission_id: lead, ...values });
const replay = (id: string) => service.api('POST', `${path}/${id}/replay`);
const rows = () => seed.query('select * from deliveries where workspace_id = $1 order by id', [workspaceId]);
const wakeAt = async () =>
  (await seed.query('select wake_at from destination_leases where destination_id = $1', [destinationId]))[0]
    .wake_at;
const bulk = (filter: object, dry_run = false) => service.api('POST', `${path}/replays`, { filter, dry_run });

test('a replay adds a delivery of the same event that is due now, and wakes its destination', async () => {
  const id = await add({ state: 'dead', attempts: 10, last_error: 'It failed.', event_data: '{"a": 1}' });
  const { status, json } = await replay(id);
  expect(status).toBe(202);
  const [before, after] = await rows();
  expect(after).toMatchObject({
    id: json.id,
    replay_of: id,
    state: 'pending',
    attempts: 0,
    next_at: new Date(clock.now()),
    created_at: new Date(clock.now()),
    last_error: null,
  });
  for (const same of ['destination_id', 'event_id', 'event_type', 'event_at', 'event_data', 'submission_id'])
    expect(after[same]).toEqual(before[same]);
  expect(before.state).toBe('dead');
  expect(await wakeAt()).toEqual(new Date(clock.now()));
  const { items } = (await service.api('GET', path)).json;
  expect(items[0].event_id).toBe(items[1].event_id);
});

test('clicking twice sends once, and again only after the replay has ended', async () => {
  const id = await add({ state: 'dead' });
  const clicks = await Promise.all([replay(id), replay(id), replay(id)]);
  const [first] = clicks.map(({ json }) => json.id);
  expect(clicks.map(({ json }) => json.id)).toEqual([first, first, first]);
  await seed.query(`update deliveries set state = 'delivered' where id = $1`, [first]);
  expect((await replay(id)).json.id).toBe(first);
  clock.advance(2_001);
  const second = (await replay(id)).json.id;
  expect(second).not.toBe(first);
  clock.advance(3_600_000);
  expect((await replay(id)).json.id).toBe(second);
  expect(await rows()).toHaveLength(3);
});

test('a delivery that still waits is sent now instead', async () => {
  const later = new Date(clock.now() + 3_600_000);
  const id = await add({ attempts: 3, next_at: later });
  expect((await replay(id)).json.id).toBe(id);
  const [only, ...others] = await rows();
  expect([only.next_at, only.attempts, others]).toEqual([new Date(clock.now()), 3, []]);
  expect(await wakeAt()).toEqual(new Date(clock.now()));
});

test('a delivery of an erased lead or a deleted destination cannot be sent again, and the problem says why', async () => {
  const id = await add({ state: 'dead' });
  const ofErasure = await add({ state: 'dead', event_type: 'lead.erased' });
  const disabled = { submission_id: null, state: 'dead', event_type: 'destination.disabled' };
  const ofDisabling = await add(disabled);
  await service.api('DELETE', `/workspaces/${workspaceId}/leads/${lead}`);
  const refused = await replay(id);
  expect([refused.status, refused.json.code]).toEqual([409, 'not_replayable']);
  expect(refused.json.detail).toMatch(/lead was erased/);
  expect((await replay(ofErasure)).status).toBe(202);
  const again = [await replay(ofDisabling), await replay(ofDisabling)];
  expect(again.map(({ status }) => status)).toEqual([202, 202]);
  expect(again[0]?.json).toEqual(again[1]?.json);
  await service.api('DELETE', `/workspaces/${workspaceId}/destinations/${destinationId}`);
  const gone = await replay(ofErasure);
  expect([gone.status, gone.json.detail]).toEqual([409, 'Its destination was deleted.']);
  expect((await replay(randomUUID())).status).toBe(404);
});

test('a selection is counted before it is sent, without those that cannot be', async () => {
  const other = await createDestination(service, workspaceId);
  const gone = await createDestination(service, workspaceId);
  await add({ state: 'dead' });
  await add({ state: 'delivered' });
  await add({ state: 'skipped', created_at: '2026-11-14T08:00:00Z' });
  await add();
  await add({ state: 'dead', submission_id: randomUUID() });
  await addDelivery(seed, workspaceId, other.id, { submission_id: lead, state: 'dead' });
  await addDelivery(seed, workspaceId, gone.id, { submission_id: lead, state: 'dead' });
  await service.api('DELETE', `/workspaces/${workspaceId}/destinations/${gone.id}`);
  const count = async (filter: object) => {
    const { status, json } = await bulk(filter, true);
    expect([status, json.id, json.done, json.created_at]).toEqual([202, null, 0, null]);
    return json.total;
  };
  expect(await count({})).toBe(4);
  expect(await count({ state: 'dead' })).toBe(2);
  expect(await count({ destination_id: destinationId })).toBe(3);
  expect(await count({ destination_id: other.id, state: 'delivered' })).toBe(0);
  expect(await count({ from: '2026-11-15T00:00:00Z' })).toBe(3);
  expect(await count({ to: '2026-11-15T00:00:00Z' })).toBe(1);
  expect(await count({ state: 'pending' })).toBe(0);
  expect(await seed.query('select * from delivery_replays where workspace_id = $1', [workspaceId])).toEqual(
    [],
  );
});

test('what was sent again before is not sent again by a selection, but its replay is', async () => {
  const id = await add({ state: 'dead', event_id: 77 });
  const sent = { state: 'delivered', event_id: 77, replay_of: id, created_at: '2026-11-15T08:30:00Z' };
  await add(sent);
  expect((await bulk({ state: 'dead' }, true)).json.total).toBe(0);
  expect((await bulk({}, true)).json.total).toBe(1);
});

test('a selection becomes a replay whose progress can be read', async () => {
  await add({ state: 'dead' });
  const filter = { destination_id: destinationId, state: 'dead', from: '2026-11-01T00:00:00+01:00' };
  const { status, json } = await bulk(filter);
  const created_at = new Date(clock.now()).toISOString();
  expect([status, json]).toEqual([
    202,
    { id: expect.any(String), total: 1, done: 0, created_at, finished_at: null },
  ]);
  const [row] = await seed.query('select * from delivery_replays where id = $1', [json.id]);
  expect(row).toMatchObject({
    selection: { ...filter, from: '2026-10-31T23:00:00.000Z' },
    after_id: null,
    created_by: 'operator',
  });
  expect((await rows()).every(({ id }) => id < row.last_id)).toBe(true);
  await seed.query('update delivery_replays set done = 1, finished_at = $2 where id = $1', [
    json.id,
    new Date(clock.now()),
  ]);
  const read = await service.api('GET', `${path}/replays/${json.id}`);
  expect(read.json).toEqual({ ...json, done: 1, finished_at: created_at });
  const elsewhere = `/workspaces/${await createWorkspace(service)}/deliveries/replays/${json.id}`;
  expect((await service.api('GET', elsewhere)).status).toBe(404);
});

test('clicking twice starts one replay, and a selection of nothing is finished', async () => {
  await add({ state: 'dead' });
  const both = await Promise.all([bulk({ state: 'dead' }), bulk({ state: 'dead' })]);
  expect(both[0]?.json.id).toBe(both[1]?.json.id);
  const nothing = await bulk({ state: 'skipped' });
  expect(nothing.json).toMatchObject({ total: 0, finished_at: expect.any(String) });
});

test('a workspace has five replays in progress at most', async () => {
  await add({ state: 'dead' });
  for (let day = 1; day <= 5; day++)
    expect((await bulk({ from: `2026-10-0${day}T00:00:00Z` })).status).toBe(202);
  const sixth = await bulk({ from: '2026-10-06T00:00:00Z' });
  expect([sixth.status, sixth.json.code]).toEqual([409, 'quota_reached']);
});

test.each([
  [{ filter: { destination_id: randomUUID() } }, 'filter.destination_id'],
  [{ filter: { state: 'lost' } }, 'filter.state'],
  [{ filter: { everything: true } }, 'filter.everything'],
  [{}, 'filter'],
])('%j is refused', async (body, field) => {
  const { status, json } = await service.api('POST', `${path}/replays`, body);
  expect([status, json.errors[0].field]).toEqual([422, field]);
});

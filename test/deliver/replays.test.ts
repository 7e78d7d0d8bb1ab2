import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { postgresDeliver } from '../../src/db/deliver/postgres-deliver.ts';
import { shardOf } from '../../src/domain/workspace.ts';
import { systemRandomness } from '../../src/time/randomness.ts';
import { DeliveryWorld, until } from './delivery-world.ts';
import { Receiver } from './receiver.ts';

let world: DeliveryWorld;
let receiver: Receiver;
const count = 700;

beforeAll(async () => {
  world = await DeliveryWorld.create();
});
beforeEach(async () => {
  receiver = await new Receiver().start();
});
afterEach(async () => {
  await world.reset();
  await receiver.stop();
});
afterAll(() => world.close());

async function addDead(destinationId: string): Promise<void> {
  const submissionId = await world.lead();
  const ids = Array.from({ length: count }, () => systemRandomness.uuid());
  await world.pool.query(
    `insert into deliveries (shard, workspace_id, id, destination_id, event_id, event_type, event_at, submission_id,
       state, attempts, next_at, created_at)
     select $1, $2, id, $4, 100000 + place, 'lead.accepted', now(), $5, 'dead', 10, now(), now()
     from unnest($3::uuid[]) with ordinality as i (id, place)`,
    [shardOf(world.workspaceId), world.workspaceId, ids, destinationId, submissionId],
  );
}

async function replayDead(destinationId: string): Promise<string> {
  const id = systemRandomness.uuid();
  await world.pool.query(
    `insert into delivery_replays (id, workspace_id, selection, last_id, total, created_at, created_by)
     values ($1, $2, $3, $4, $5, now(), 'test')`,
    [
      id,
      world.workspaceId,
      JSON.stringify({ destination_id: destinationId, state: 'dead' }),
      systemRandomness.uuid(),
      count,
    ],
  );
  return id;
}

async function replay(id: string) {
  const { rows } = await world.pool.query('select * from delivery_replays where id = $1', [id]);
  return rows[0];
}

test('a selection is sent again, each delivery exactly once, while live deliveries arrive', async () => {
  const id = await world.destination({ url: receiver.url });
  await addDead(id);
  const replayId = await replayDead(id);
  world.start();
  await until(async () => expect(await replay(replayId)).toMatchObject({ done: count }));
  const live = await world.add(id);
  await world.reaches(live, { state: 'delivered' });
  await until(async () => expect(await world.count(id, 'delivered')).toBe(count + 1));
  expect((await replay(replayId)).finished_at).not.toBeNull();
  expect(new Set(receiver.ids()).size).toBe(count + 1);
  expect(receiver.received).toHaveLength(count + 1);
});

test('a step that is repeated, because its progress was not noted, adds nothing twice', async () => {
  const id = await world.destination({ url: receiver.url, status: 'paused' });
  await addDead(id);
  const replayId = await replayDead(id);
  const database = postgresDeliver(world.pool, world.clock);
  const step = () => database.replaySome(new Date(world.clock.now()), () => systemRandomness.uuid());
  expect(await step()).toBe(true);
  await world.pool.query('update delivery_replays set after_id = null, done = 0 where id = $1', [replayId]);
  for (; await step(); );
  expect(await world.count(id, 'pending')).toBe(count);
  expect(await replay(replayId)).toMatchObject({ done: count });
});

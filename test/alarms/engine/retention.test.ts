import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Housekeeping } from '../../../src/ingest/housekeeping.ts';
import { dayMs } from '../../../src/time/clock.ts';
import { systemRandomness } from '../../../src/time/randomness.ts';
import { AlarmWorld } from './alarm-world.ts';

let world: AlarmWorld;

beforeAll(async () => {
  world = await AlarmWorld.create();
  await world.reset();
});
afterAll(() => world.close());

test('alarms that are over are kept for 400 days with what was told of them; open ones stay', async () => {
  const watch = world.watch();
  world.rule.findings = [world.finding(), world.finding({ kind: 'silence' })];
  await watch.turn();
  world.rule.findings = [];
  const [ended, stays] = await world.alarms();
  world.rule.over = [{ alarmId: ended?.id ?? '', as: 'recovered' }];
  await world.later(watch);
  const { pool, clock } = world;
  const housekeeping = new Housekeeping({
    pool,
    clock,
    randomness: systemRandomness,
    log: pino({ level: 'silent' }),
  });
  await clock.advance(399 * dayMs);
  await housekeeping.sweep();
  expect(await world.alarms()).toHaveLength(2);
  await clock.advance(2 * dayMs);
  await housekeeping.sweep();
  expect((await world.alarms()).map(({ id }) => id)).toEqual([stays?.id]);
  const { rows } = await pool.query('select distinct alarm_id from alarm_notices');
  expect(rows).toEqual([{ alarm_id: stays?.id }]);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AlarmWatch } from '../../../src/alarms/watch.ts';
import { hourMs, minuteMs } from '../../../src/time/clock.ts';
import { AlarmWorld } from './alarm-world.ts';
import { type Moment, MortalPool } from './mortal-pool.ts';

let world: AlarmWorld;
/** Everyone who gets emails has one in each workspace. */
let owners = 0;

beforeAll(async () => {
  world = await AlarmWorld.create();
});
afterAll(() => world.close());

const leaseMs = 90_000;
// Longer than a claim of an email.
const claimMs = 5 * minuteMs;

interface Phase {
  readonly name: string;
  /** What is told before the instance that is killed takes its turn, and by it and its successor. */
  readonly before: readonly string[];
  readonly told: string;
  /** Leaves what the turn has to do. */
  prepare(): Promise<void>;
}

/** One turn of an instance that stops in order. */
async function turnOfOther(): Promise<void> {
  const watch = world.watch();
  await watch.turn();
  await watch.stop();
}

const phases: Phase[] = [
  {
    name: 'opens an alarm',
    before: [],
    told: 'alarm.opened',
    async prepare() {
      world.rule.findings = [world.finding()];
    },
  },
  {
    name: 'closes an alarm',
    before: ['alarm.opened'],
    told: 'alarm.closed',
    async prepare() {
      world.rule.findings = [world.finding()];
      await turnOfOther();
      world.rule.findings = [];
      world.rule.over = (await world.alarms()).map(({ id }) => ({ alarmId: id, as: 'recovered' }));
      await world.clock.advance(minuteMs);
    },
  },
  {
    name: 'reminds of an alarm',
    before: ['alarm.opened'],
    told: 'alarm.reminder',
    async prepare() {
      world.rule.findings = [world.finding()];
      await turnOfOther();
      await world.clock.advance(hourMs);
    },
  },
  {
    name: 'sends a digest',
    before: [],
    told: 'alarm.digest',
    async prepare() {
      world.rule.findings = [world.finding({ severity: 'low' })];
      await turnOfOther();
      world.rule.findings = [];
      await world.clock.advance(24 * hourMs);
    },
  },
];

/** The first of two instances is killed at its n-th statement. False if it finished before. */
async function killedAt(n: number, moment: Moment, phase: Phase): Promise<boolean> {
  await world.reset();
  const recipients = [`first.${++owners}@example.com`, `second.${++owners}@example.com`];
  for (const email of recipients) await world.person(email);
  await phase.prepare();
  const mortal = new MortalPool(world.pool, n, moment);
  const first = world.watch({ pool: mortal.pool });
  await first.turn().catch(() => {});
  const second = world.watch();
  await settle(second);
  expect(await world.eventTypes(), `${moment} statement ${n}`).toEqual([...phase.before, phase.told]);
  expect(await world.alarms()).toHaveLength(1);
  const messages = phase.before.length + 1;
  // Each has each message. One whose sending was not recorded came twice, and is recognised by its ID.
  for (const email of recipients) {
    const ids = world.messageIds().filter((_, i) => world.smtp.recipients[i] === email);
    expect(new Set(ids).size, `emails ${moment} statement ${n}`).toBe(messages);
    expect(ids.length).toBeLessThanOrEqual(messages + 1);
  }
  const { rows } = await world.pool.query(`select from alarm_notices where email_state = 'due'`);
  expect(rows).toEqual([]);
  return mortal.isDead;
}

/** Takes over when the lease has ended, and sends the emails whose sender died. */
async function settle(second: AlarmWatch): Promise<void> {
  await second.turn();
  await world.later(second, leaseMs + 1);
  await world.later(second, claimMs);
}

const deaths = phases.flatMap((phase) => [
  { ...phase, moment: 'before' as const },
  // What differs are emails, which are sent between two statements.
  ...(phase.told === 'alarm.opened' ? [{ ...phase, moment: 'after' as const }] : []),
]);

test.each(deaths)(
  'an instance that $name can be killed $moment any statement: no alarm is lost, and none is told twice',
  async (phase) => {
    let n = 1;
    while (await killedAt(n, phase.moment, phase)) n++;
    expect(n).toBeGreaterThan(15);
  },
  120_000,
);

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { clockDriftRule } from '../../../src/alarms/rules/clock-drift.ts';
import { JudgedWorld } from './judged-world.ts';

const rule = clockDriftRule();
const times = (count: number, seconds: number) => new Array<number>(count).fill(seconds);
let world: JudgedWorld;

beforeAll(async () => {
  world = await JudgedWorld.create();
});
afterAll(() => world.end());
beforeEach(() => world.reset());

test('a clock that is three minutes off is told before leads are rejected, and with more urgency after four', async () => {
  const form = world.form();
  await world.signed(form, ...times(10, -185));
  await world.judge(rule);
  expect(world.told).toEqual(['medium']);
  expect(world.open[0]).toMatchObject({
    kind: 'clock_drift',
    formId: form.formId,
    evidence: { requests: 10, median_seconds: -210, p95_seconds: -237, shape: 'clock' },
  });
  world.pass(61);
  await world.signed(form, ...times(10, -260));
  await world.judge(rule);
  expect(world.told).toEqual(['high']);
});

test('a queue that repeats old requests is told as one', async () => {
  const form = world.form();
  await world.signed(form, ...times(30, 1), ...times(5, 900));
  await world.judge(rule);
  expect(world.open[0]?.evidence).toEqual({
    requests: 35,
    median_seconds: 1,
    p95_seconds: 300,
    shape: 'queue',
  });
});

test('fewer than ten requests, requests of more than an hour ago, and small differences are no alarm', async () => {
  await world.signed(world.form(), ...times(9, 1000));
  const late = world.form();
  await world.signed(late, ...times(20, 1000));
  await world.signed(world.form(), ...times(100, 170), ...times(4, 200));
  world.pass(61);
  await world.signed(late, ...times(9, 1000));
  await world.signed(world.form(), ...times(100, 170), ...times(4, 200));
  await world.judge(rule);
  expect(world.told).toEqual([]);
});

test('it is over when ten requests of an hour are less than two minutes off, and not sooner', async () => {
  const form = world.form();
  await world.signed(form, ...times(10, 200));
  await world.judge(rule);
  world.pass(61);
  await world.signed(form, ...times(9, 1));
  await world.judge(rule);
  expect(world.told).toEqual(['medium']);
  await world.signed(form, 1);
  await world.judge(rule);
  expect(world.told).toEqual([]);
  expect(world.closed).toEqual(['recovered']);
});

test('it is over after ten good requests, however few come in an hour', async () => {
  const form = world.form();
  await world.signed(form, ...times(10, 200));
  await world.judge(rule);
  for (let hours = 1; hours <= 5; hours++) {
    expect(world.told).toEqual(['medium']);
    world.pass(hours === 1 ? 61 : 60);
    await world.signed(form, 1, 2);
    await world.judge(rule);
  }
  expect(world.closed).toEqual(['recovered']);
});

test('between two and three minutes it stays open', async () => {
  const form = world.form();
  await world.signed(form, ...times(10, 200));
  await world.judge(rule);
  world.pass(61);
  await world.signed(form, ...times(20, 150));
  await world.judge(rule);
  expect(world.told).toEqual(['medium']);
});

test('after a day without requests it ends, and nobody is told that the clock is right', async () => {
  const form = world.form();
  await world.signed(form, ...times(10, 200));
  await world.judge(rule);
  world.pass(23 * 60);
  await world.judge(rule);
  expect(world.closed).toEqual([]);
  world.pass(61);
  await world.judge(rule);
  expect(world.closed).toEqual(['removed']);
});

test('nothing is judged in a suspended workspace', async () => {
  world.isSuspended = true;
  await world.signed(world.form(), ...times(10, 200));
  await world.judge(rule);
  expect(world.told).toEqual([]);
});

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { spamSurgeRule } from '../../../src/alarms/rules/spam-surge.ts';
import { JudgedWorld } from './judged-world.ts';

const rule = spamSurgeRule();
let world: JudgedWorld;

beforeAll(async () => {
  world = await JudgedWorld.create();
});
afterAll(() => world.end());
beforeEach(() => world.reset());

async function usualForm(spam: number, scored = 1000) {
  const form = world.form();
  await world.rhythm(form, { scored, spam });
  return form;
}

test('spam that is three times as frequent as usual, and not by chance, raises an alarm for the form', async () => {
  const form = await usualForm(50);
  await world.counted(form, { count: 15, spam: 8 });
  await world.counted(form, { count: 25, spam: 12, surface: 'browser' });
  await world.judge(rule);
  expect(world.told).toEqual(['medium']);
  expect(world.open[0]).toMatchObject({
    kind: 'spam_surge',
    formId: form.formId,
    evidence: { spam: 20, leads: 40, minutes: 60, usual_percent: 5 },
  });
});

test.each([
  ['fewer than twenty leads', 50, 1000, { count: 19, spam: 19 }],
  ['less than three times the usual', 200, 1000, { count: 1000, spam: 580 }],
  ['what chance explains', 50, 1000, { count: 20, spam: 5 }],
  ['too little history', 0, 49, { count: 100, spam: 100 }],
])('%s is no alarm', async (_, spam, scored, counts) => {
  await world.counted(await usualForm(spam, scored), counts);
  await world.counted(world.form(), { count: 100, spam: 100 });
  await world.judge(rule);
  expect(world.told).toEqual([]);
});

test('a form that never had spam gets an alarm for many, not for the first', async () => {
  const form = await usualForm(0);
  await world.counted(form, { count: 40, spam: 1 });
  await world.judge(rule);
  expect(world.told).toEqual([]);
  await world.counted(form, { count: 10, spam: 9 });
  await world.judge(rule);
  expect(world.told).toEqual(['medium']);
});

test('it is over when the last hour has less than half of what opened it', async () => {
  const form = await usualForm(50);
  await world.counted(form, { count: 40, spam: 20 });
  await world.judge(rule);
  world.pass(61);
  await world.counted(form, { count: 100, spam: 9 });
  await world.judge(rule);
  expect(world.told).toEqual(['medium']);
  await world.counted(form, { count: 100, spam: 0 });
  await world.judge(rule);
  expect(world.closed).toEqual(['recovered']);
});

test('it is over after two hours with hardly a lead, and not after one', async () => {
  const form = await usualForm(50);
  await world.counted(form, { count: 40, spam: 20 });
  await world.judge(rule);
  world.pass(61);
  await world.judge(rule);
  expect(world.closed).toEqual([]);
  await world.counted(form, { count: 4, spam: 4 });
  world.pass(60);
  await world.judge(rule);
  expect(world.closed).toEqual(['recovered']);
});

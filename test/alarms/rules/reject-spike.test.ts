import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Rule } from '../../../src/alarms/rule.ts';
import { rejectionsRule } from '../../../src/alarms/rules/rejections/rejections.ts';
import { RulesWorld } from './rules-world.ts';

let world: RulesWorld;
let rule: Rule;
const hour = 60;
const day = 24 * hour;

beforeAll(async () => {
  world = await RulesWorld.create();
});
afterAll(() => world.end());
beforeEach(() => {
  world.reset();
  rule = rejectionsRule();
});

const high = ['reject_spike high content_type_unsupported'];

describe('a spike of authenticated requests', () => {
  test.each([
    [4, 1, []],
    [5, 1, high],
    // A fifth, and just less.
    [5, 20, high],
    [5, 21, []],
    [19, 81, []],
    [20, 80, high],
  ])('%i rejected and %i accepted within ten minutes', async (rejected, accepted, told) => {
    const source = await world.createForm();
    await world.accepted(source, accepted, 9);
    await world.rejected(source, 'content_type_unsupported', rejected, 8);
    await world.judge(rule);
    expect(world.told).toEqual(told);
  });

  test('is none if as many are usual at that time of the day', async () => {
    const source = await world.createForm();
    for (let before = 1; before <= 14; before++)
      await world.rejected(source, 'content_type_unsupported', 30, before * day + 20);
    await world.accepted(source, 30, 8);
    await world.rejected(source, 'content_type_unsupported', 15, 8);
    await world.judge(rule);
    expect(world.told).toEqual([]);
    await world.rejected(source, 'content_type_unsupported', 100, 3);
    await world.judge(rule);
    expect(world.told).toEqual(high);
    expect(world.open[0]?.evidence).toEqual({
      ...{ rejected: 115, accepted: 30, minutes: 10, usual: 5.01, is_proven: true },
    });
  });

  test('is one at an hour at which it is not usual', async () => {
    const source = await world.createForm();
    for (let before = 1; before <= 14; before++)
      await world.rejected(source, 'content_type_unsupported', 30, before * day + 2 * hour);
    await world.accepted(source, 30, 8);
    await world.rejected(source, 'content_type_unsupported', 15, 8);
    await world.judge(rule);
    expect(world.told).toEqual(high);
  });

  test('ends after half an hour below half of its worst, and not before', async () => {
    const source = await world.createForm();
    await world.rejected(source, 'content_type_unsupported', 40);
    await world.accepted(source, 1);
    await world.judge(rule);
    for (let minute = 0; minute < 39; minute++) {
      world.pass(1);
      if (minute % 10 === 0) await world.accepted(source, 1);
      if (minute % 3 === 0) await world.rejected(source, 'content_type_unsupported', 1);
      await world.judge(rule);
    }
    expect(world.told).toEqual(high);
    expect(world.open[0]?.evidence.rejected).toBe(44);
    world.pass(1);
    await world.judge(rule);
    expect(world.told).toEqual([]);
    expect(world.closed).toMatchObject([{ closedAs: 'recovered' }]);
  });

  test('ends with 20 accepted leads and none rejected', async () => {
    const source = await world.createForm();
    await world.rejected(source, 'content_type_unsupported', 40);
    await world.accepted(source, 1);
    await world.judge(rule);
    world.pass(12);
    await world.accepted(source, 19);
    await world.judge(rule);
    expect(world.told).toEqual(high);
    await world.accepted(source, 1);
    await world.judge(rule);
    expect(world.told).toEqual([]);
  });

  test('is not told besides an alarm that says more', async () => {
    const source = await world.createForm();
    await world.accepted(source, 20, hour + 1);
    await world.rejected(source, 'content_type_unsupported', 40);
    await world.judge(rule);
    expect(world.told).toEqual(['all_rejected high']);
  });

  test('is superseded when nothing is accepted any more', async () => {
    const source = await world.createForm();
    await world.accepted(source, 5, 1);
    await world.rejected(source, 'content_type_unsupported', 40);
    await world.judge(rule);
    expect(world.told).toEqual(high);
    world.pass(32);
    await world.rejected(source, 'content_type_unsupported', 40);
    await world.judge(rule);
    expect(world.told).toEqual(['all_rejected high']);
    expect(world.closed).toMatchObject([{ kind: 'reject_spike', closedAs: 'superseded' }]);
  });

  test('raises what unauthenticated senders had begun', async () => {
    const source = await world.createForm();
    await world.accepted(source, 5, 1);
    await world.forged(source, 'content_type_unsupported', 400);
    await world.judge(rule);
    expect(world.told).toEqual(['reject_spike low content_type_unsupported']);
    await world.rejected(source, 'content_type_unsupported', 40);
    await world.judge(rule);
    expect(world.told).toEqual(high);
  });
});

test('web pages alone raise nothing high', async () => {
  const source = { ...(await world.createForm()), surface: 'browser' } as const;
  await world.accepted(source, 20, 20);
  await world.rejected(source, 'token_expired', 5_000);
  await world.judge(rule);
  expect(world.told).toEqual(['reject_spike low token_expired']);
});

test('limits have their own alarm', async () => {
  const source = await world.createForm();
  await world.accepted(source, 20, 2);
  await world.rejected(source, 'rate_limited_minute', 5_000);
  await world.judge(rule);
  expect(world.told).toEqual([]);
});

test.each([
  ['quiet', 0],
  ['busy', 300],
])('2,000 forged signatures a second for an hour at a %s form are one low alarm', async (_, perMinute) => {
  const source = await world.createForm();
  const other = await world.createForm();
  await world.accepted(source, 5, 3 * hour);
  const seen = new Set<string>();
  const ids = new Set<string>();
  for (let minute = 0; minute < hour; minute++) {
    world.pass(1);
    await world.forged(source, 'signature_mismatch', 120_000);
    if (perMinute > 0) await world.accepted(source, perMinute);
    for (const { id, kind, severity, formId } of await world.judge(rule)) {
      seen.add(`${kind} ${severity}`);
      ids.add(id);
      expect(formId).not.toBe(other.formId);
    }
  }
  expect([...seen]).toEqual(['reject_spike low']);
  expect(ids.size).toBe(1);
  for (let minute = 0; minute < 41; minute++) {
    world.pass(1);
    await world.judge(rule);
  }
  expect(world.told).toEqual([]);
});

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
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

const isAllRejected = () => world.told.includes('all_rejected high');

test.each(['webhook', 'server'] as const)(
  'five authenticated requests without an accepted one raise an alarm on the %s surface, four do not',
  async (surface) => {
    const source = surface === 'webhook' ? await world.createForm() : await world.createToken();
    await world.accepted(source, 3, 2 * day);
    await world.rejected(source, 'body_not_json', 3, 20);
    await world.rejected(source, 'content_type_unsupported', 1, 5);
    await world.judge(rule);
    expect(isAllRejected()).toBe(false);
    await world.rejected(source, 'body_not_json', 1, 4);
    await world.judge(rule);
    const alarm = world.open.find(({ kind }) => kind === 'all_rejected');
    expect(alarm).toMatchObject({ formId: source.formId, tokenId: source.tokenId, reason: null });
    expect(alarm?.evidence).toEqual({
      rejected: 5,
      minutes: 30,
      reasons: [
        { reason: 'body_not_json', count: 4 },
        { reason: 'content_type_unsupported', count: 1 },
      ],
      last_accepted_at: world.ago(2 * day).toISOString(),
    });
  },
);

test('one accepted lead within half an hour, and there is no alarm', async () => {
  const source = await world.createForm();
  await world.accepted(source, 1, 29);
  await world.rejected(source, 'body_not_json', 500, 3);
  await world.judge(rule);
  expect(isAllRejected()).toBe(false);
  world.pass(2);
  await world.judge(rule);
  expect(isAllRejected()).toBe(true);
});

test('a source that has not worked for 30 days is being set up', async () => {
  const never = await world.createForm();
  const longAgo = await world.createForm();
  await world.accepted(longAgo, 9, 31 * day);
  for (const source of [never, longAgo]) await world.rejected(source, 'body_not_json', 50, 3);
  await world.judge(rule);
  expect(isAllRejected()).toBe(false);
  // What was found out once is not forgotten, but a first lead is noticed.
  await world.accepted(never, 1);
  await world.judge(rule);
  world.pass(40);
  await world.rejected(never, 'body_not_json', 50, 3);
  await world.judge(rule);
  expect(world.open.filter(({ kind }) => kind === 'all_rejected')).toMatchObject([{ formId: never.formId }]);
});

test('requests that prove nothing, web pages, limits and other workspaces do not count', async () => {
  const source = await world.createForm();
  const other = await world.createForm();
  await world.accepted(source, 3, 2 * day);
  await world.accepted({ ...source, surface: 'browser' }, 3, 2 * day);
  await world.forged(source, 'signature_mismatch', 100_000, 3);
  await world.rejected(source, 'rate_limited_day', 1_000, 3);
  await world.rejected({ ...source, surface: 'browser' }, 'token_expired', 1_000, 3);
  await world.rejected(other, 'body_not_json', 1_000, 3);
  await world.judge(rule);
  expect(isAllRejected()).toBe(false);
});

test('minutes that were counted before anyone counted proofs prove nothing', async () => {
  const source = await world.createForm();
  await world.accepted(source, 3, 2 * day);
  await world.count(source, 'body_not_json', 50, { minutesAgo: 3, proven: null });
  await world.judge(rule);
  expect(isAllRejected()).toBe(false);
});

test('it stays open while requests are rejected, and ends with the next accepted lead', async () => {
  const source = await world.createForm();
  await world.accepted(source, 3, 2 * day);
  await world.rejected(source, 'body_not_json', 6, 3);
  await world.judge(rule);
  for (let step = 0; step < 30; step++) {
    world.pass(hour);
    await world.rejected(source, 'body_not_json', 1, 2);
    await world.judge(rule);
  }
  expect(isAllRejected()).toBe(true);
  await world.accepted(source, 1);
  await world.judge(rule);
  expect(isAllRejected()).toBe(false);
  expect(world.closed.find(({ kind }) => kind === 'all_rejected')?.closedAs).toBe('recovered');
});

test('it ends after a day without a rejection, and not before', async () => {
  const source = await world.createToken();
  await world.accepted(source, 3, 2 * day);
  await world.rejected(source, 'form_inactive', 6, 3);
  await world.judge(rule);
  world.pass(day - 1);
  await world.judge(rule);
  expect(isAllRejected()).toBe(true);
  world.pass(1);
  await world.judge(rule);
  expect(isAllRejected()).toBe(false);
});

test('a suspended workspace has no such alarm, and an open one ends without a message', async () => {
  const source = await world.createForm();
  await world.accepted(source, 3, 2 * day);
  await world.rejected(source, 'body_not_json', 6, 3);
  await world.judge(rule);
  world.suspend(source.workspaceId);
  await world.judge(rule);
  expect(isAllRejected()).toBe(false);
  expect(world.closed.find(({ kind }) => kind === 'all_rejected')?.closedAs).toBe('removed');
});

import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Rule } from '../../../src/alarms/rule.ts';
import { destinationsRule } from '../../../src/alarms/rules/destinations.ts';
import { expiryNearRule } from '../../../src/alarms/rules/expiry-near.ts';
import { heldWaitingRule } from '../../../src/alarms/rules/held-waiting.ts';
import { limitNearRule } from '../../../src/alarms/rules/limit-near.ts';
import { rejectionsRule } from '../../../src/alarms/rules/rejections/rejections.ts';
import { unattributedSurgeRule } from '../../../src/alarms/rules/unattributed-surge.ts';
import { RulesWorld, type Source } from './rules-world.ts';

let world: RulesWorld;
const sourceCount = 1_000;

beforeAll(async () => {
  world = await RulesWorld.create();
});
afterAll(() => world.end());

/** Counts the statements of a pool. */
function counting(pool: pg.Pool): { pool: pg.Pool; count: () => number } {
  let statements = 0;
  const counted = new Proxy(pool, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name === 'query') statements++;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { pool: counted, count: () => statements };
}

test('all rules together need a bounded number of statements for 1,000 sources, whatever is wrong with them', async () => {
  const sources: Source[] = [];
  for (let n = 0; n < sourceCount; n++) sources.push(await world.createForm());
  const soon = world.ago(-24 * 60);
  for (const source of sources.slice(0, 200))
    await world.createToken({ expiresAt: soon, lastUsedAt: world.ago(9) }, source);
  const rules: Rule[] = [
    ...[rejectionsRule(), limitNearRule(), expiryNearRule(), heldWaitingRule()],
    ...[destinationsRule(), unattributedSurgeRule()],
  ];
  // All are rejected, some after a change, some never worked, and all are forged besides.
  for (const [index, source] of sources.entries()) {
    if (index % 3 > 0) await world.accepted(source, 1, 200);
    if (index % 5 === 0) await world.changed(source, 'setOrRotateTheWebhookSecret', { at: world.ago(20) });
    await world.rejected(source, 'body_not_json', 9, 3);
    await world.forged(source, 'signature_mismatch', 900, 2);
  }
  const judgeAll = async () => {
    const { pool, count } = counting(world.pool);
    const findings: string[] = [];
    for (const rule of rules) {
      const verdicts = await rule.judge(await world.judgement(rule.kinds, pool));
      findings.push(...verdicts.findings.map(({ kind }) => kind));
    }
    return { findings, statements: count() - rules.length };
  };
  const first = await judgeAll();
  expect(new Set(first.findings)).toEqual(
    new Set(['all_rejected', 'after_change', 'reject_spike', 'expiry_near']),
  );
  expect(first.statements).toBeLessThanOrEqual(16);
  const second = await judgeAll();
  expect(second.findings.filter((kind) => kind === 'all_rejected').length).toBeGreaterThan(500);
  expect(second.statements).toBeLessThanOrEqual(16);
  // What was found out about the past is not read again.
  const third = await judgeAll();
  expect(third.statements).toBeLessThan(first.statements);
});

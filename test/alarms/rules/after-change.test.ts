import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Rule } from '../../../src/alarms/rule.ts';
import { rejectionsRule } from '../../../src/alarms/rules/rejections/rejections.ts';
import { RulesWorld, type Source } from './rules-world.ts';

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

const rotate = 'setOrRotateTheWebhookSecret';

async function workingForm(): Promise<Source> {
  const source = await world.createForm();
  await world.accepted(source, 20, hour);
  return source;
}

describe('a sender that still signs with the old secret', () => {
  test('is told with the change, its time and its author', async () => {
    const source = await workingForm();
    const changedAt = world.now;
    await world.changed(source, rotate, { changes: { overlap_seconds: 0 } });
    world.pass(7);
    await world.forged(source, 'signature_mismatch', 1);
    world.pass(1);
    await world.judge(rule);
    expect(world.told).toEqual(['after_change high signature_mismatch']);
    expect(world.open[0]).toMatchObject({ formId: source.formId, tokenId: null });
    expect(world.open[0]?.evidence).toEqual({
      change: { action: rotate, text: 'Set a webhook secret', at: changedAt.toISOString(), by: 'Ada' },
      since: changedAt.toISOString(),
      rejected: 1,
      first_at: new Date(changedAt.getTime() + 7 * 60_000).toISOString(),
    });
  });

  test('is told when the overlap of the two secrets is over, and not before', async () => {
    const source = await workingForm();
    await world.changed(source, rotate, { changes: { overlap_seconds: 3 * 86_400 } });
    world.pass(2);
    await world.forged(source, 'signature_mismatch', 3);
    world.pass(1);
    await world.judge(rule);
    expect(world.told).toEqual([]);
    world.pass(3 * day - 4);
    await world.accepted(source, 1);
    world.pass(hour);
    await world.forged(source, 'signature_mismatch', 3);
    world.pass(1);
    await world.judge(rule);
    expect(world.told).toEqual(['after_change high signature_mismatch']);
  });

  test('is over with the next accepted lead, even if others keep forging signatures', async () => {
    const source = await workingForm();
    await world.changed(source, rotate);
    world.pass(5);
    await world.forged(source, 'signature_mismatch', 4);
    world.pass(1);
    await world.judge(rule);
    world.pass(20);
    await world.forged(source, 'signature_mismatch', 4);
    await world.judge(rule);
    expect(world.open[0]?.evidence.rejected).toBe(8);
    await world.accepted(source, 1);
    world.pass(1);
    await world.forged(source, 'signature_mismatch', 1);
    await world.judge(rule);
    expect(world.open.filter(({ kind }) => kind === 'after_change')).toEqual([]);
    expect(world.closed).toMatchObject([{ closedAs: 'recovered' }]);
  });

  test('is over after a day without a rejection', async () => {
    const source = await workingForm();
    await world.changed(source, rotate);
    world.pass(5);
    await world.forged(source, 'signature_mismatch', 4);
    await world.judge(rule);
    world.pass(day - 1);
    await world.judge(rule);
    expect(world.told).toHaveLength(1);
    world.pass(1);
    await world.judge(rule);
    expect(world.told).toEqual([]);
  });
});

describe('forged signatures after a rotation raise nothing high', () => {
  test('while leads are still accepted', async () => {
    const source = await workingForm();
    await world.changed(source, rotate);
    world.pass(5);
    await world.forged(source, 'signature_mismatch', 50_000);
    await world.accepted(source, 1);
    world.pass(1);
    await world.judge(rule);
    expect(world.told).toEqual(['reject_spike low signature_mismatch']);
  });

  test('if there were some on the day before', async () => {
    const source = await workingForm();
    await world.forged(source, 'signature_mismatch', 1, 23 * hour);
    await world.changed(source, rotate);
    world.pass(5);
    await world.forged(source, 'signature_mismatch', 2);
    await world.judge(rule);
    expect(world.told).toEqual([]);
  });

  test('if no lead came in the week before', async () => {
    const source = await world.createForm();
    await world.accepted(source, 20, 7 * day + 1);
    await world.changed(source, rotate);
    world.pass(5);
    await world.forged(source, 'signature_mismatch', 2);
    await world.judge(rule);
    expect(world.told).toEqual([]);
  });

  test('if the first comes more than an hour after the change', async () => {
    const source = await workingForm();
    await world.changed(source, rotate);
    world.pass(62);
    await world.forged(source, 'signature_mismatch', 2);
    await world.judge(rule);
    expect(world.told).toEqual([]);
  });

  test('if the change was never completed, or was about another form or another workspace', async () => {
    const source = await workingForm();
    const other = await world.createForm();
    await world.changed(source, rotate, { completed: false });
    await world.changed({ ...other, workspaceId: source.workspaceId }, rotate);
    await world.changed({ ...source, workspaceId: other.workspaceId }, rotate);
    world.pass(5);
    await world.forged(source, 'signature_mismatch', 2);
    await world.judge(rule);
    expect(world.told).toEqual([]);
  });
});

test('a removed secret explains that there is none', async () => {
  const source = await workingForm();
  await world.changed(source, 'removeTheWebhookSecret', { actorKind: 'operator_key', actorName: 'operator' });
  world.pass(5);
  await world.forged(source, 'secret_not_configured', 2);
  await world.judge(rule);
  expect(world.told).toEqual(['after_change high secret_not_configured']);
  expect(world.open[0]?.evidence.change).toMatchObject({
    by: 'the operator',
    text: 'Removed the webhook secret',
  });
});

describe('a form that was deactivated', () => {
  test.each(['webhook', 'server'] as const)(
    'is told with the first authenticated lead on the %s surface, and only that',
    async (surface) => {
      const source = surface === 'webhook' ? await world.createForm() : await world.createToken();
      await world.accepted(source, 20, hour);
      await world.changed({ ...source, tokenId: null }, 'changeAForm', {
        changes: { active: false },
        ...{ actorKind: 'api_key', actorName: 'Deploy' },
      });
      world.pass(5);
      await world.forged(source, 'form_inactive', 200);
      await world.judge(rule);
      expect(world.told.filter((text) => !text.endsWith('low form_inactive'))).toEqual([]);
      await world.rejected(source, 'form_inactive', 6);
      world.pass(1);
      await world.judge(rule);
      expect(world.told).toEqual(['after_change high form_inactive']);
      expect(world.open[0]).toMatchObject({ formId: source.formId, tokenId: source.tokenId });
      expect(world.open[0]?.evidence.change).toMatchObject({
        by: 'API key Deploy',
        text: 'Deactivated the form',
      });
    },
  );

  test('is over once it accepts leads', async () => {
    const source = await workingForm();
    await world.changed(source, 'changeAForm', { changes: { active: false } });
    world.pass(5);
    await world.rejected(source, 'form_inactive', 2);
    await world.judge(rule);
    world.pass(5);
    await world.accepted(source, 1);
    await world.judge(rule);
    expect(world.told).toEqual([]);
  });

  test('is not told if it was active again before anyone judged', async () => {
    const source = await workingForm();
    await world.changed(source, 'changeAForm', { changes: { active: false } });
    world.pass(2);
    await world.rejected(source, 'form_inactive', 2);
    world.pass(1);
    await world.accepted(source, 1);
    await world.judge(rule);
    expect(world.told).toEqual([]);
  });

  test('is told as medium if only web pages noticed', async () => {
    const source = { ...(await world.createForm()), surface: 'browser' } as const;
    await world.accepted(source, 20, hour);
    await world.changed(source, 'changeAForm', { changes: { active: false } });
    world.pass(5);
    await world.rejected(source, 'form_inactive', 6);
    await world.judge(rule);
    expect(world.told).toEqual(['after_change medium form_inactive']);
  });

  test('is told as all_rejected if its owner wants to know of no changes', async () => {
    const source = await workingForm();
    world.setRule(source.workspaceId, { kind: 'after_change', isEnabled: false });
    await world.changed(source, 'changeAForm', { changes: { active: false } });
    world.pass(5);
    await world.rejected(source, 'form_inactive', 6);
    const { findings } = await rule.judge(await world.judgement(rule.kinds));
    expect(findings.map(({ kind }) => kind)).toContain('all_rejected');
  });
});

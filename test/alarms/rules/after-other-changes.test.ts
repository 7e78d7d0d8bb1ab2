import { randomUUID } from 'node:crypto';
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

test('web page settings explain why pages are refused, as medium', async () => {
  const source = { ...(await world.createForm()), surface: 'browser' } as const;
  await world.accepted(source, 20, hour);
  await world.changed(source, 'setHowWebPagesSendLeadsToAForm', { changes: { origins: [] } });
  world.pass(5);
  await world.forged(source, 'origin_not_allowed', 3);
  await world.judge(rule);
  expect(world.told).toEqual(['after_change medium origin_not_allowed']);
});

test('a rotated token is told when its grace period is over, a revoked one immediately', async () => {
  const rotated = await world.createToken();
  const revoked = await world.createToken();
  for (const source of [rotated, revoked]) await world.accepted(source, 5, hour);
  await world.changed(rotated, 'rotateAnIngestToken', { changes: { grace_seconds: 86_400 } });
  await world.changed(revoked, 'revokeAnIngestToken');
  world.pass(5);
  await world.forged(revoked, 'token_revoked', 1);
  await world.judge(rule);
  expect(world.open).toMatchObject([{ tokenId: revoked.tokenId, severity: 'high' }]);
  world.pass(day - 10);
  await world.accepted(rotated, 1);
  world.pass(10);
  await world.forged(rotated, 'token_revoked', 1);
  await world.judge(rule);
  expect(world.open.map(({ tokenId }) => tokenId)).toContain(rotated.tokenId);
});

test('a deleted form whose tokens are still used is told to the workspace', async () => {
  const source = await world.createToken();
  await world.accepted(source, 5, hour);
  await world.changed({ ...source, tokenId: null }, 'deleteAForm');
  world.workspaces.get(source.workspaceId)?.forms.clear();
  world.workspaces.get(source.workspaceId)?.tokens.clear();
  world.pass(5);
  await world.forged(source, 'form_unknown', 4);
  await world.judge(rule);
  expect(world.told).toEqual(['after_change high form_unknown']);
  expect(world.open[0]).toMatchObject({ formId: null, tokenId: null });
  expect(world.open[0]?.evidence).toMatchObject({
    change: { text: 'Deleted the form Contact' },
    rejected: 4,
  });
});

describe('a sender that still posts to the former slug of a form', () => {
  const renamed = async (slug = 'contact-us') => {
    const source = await world.createForm();
    await world.accepted(source, 20, 10);
    await world.changed(source, 'changeAForm', { changes: { slug } });
    return source;
  };

  test('is told for this form, with both slugs and who changed them, until a lead is accepted', async () => {
    const source = await renamed();
    world.pass(5);
    await world.forged(source, 'form_unknown', 3);
    await world.judge(rule);
    expect(world.told).toEqual(['after_change high form_unknown']);
    expect(world.open[0]).toMatchObject({ formId: source.formId, tokenId: null });
    expect(world.open[0]?.evidence).toMatchObject({
      change: { text: `Changed the slug from contact-${source.formId} to contact-us`, by: 'Ada' },
      rejected: 3,
    });
    await world.accepted(source, 1);
    world.pass(1);
    await world.judge(rule);
    expect(world.closed).toMatchObject([{ closedAs: 'recovered' }]);
  });

  test('is not told if such requests came before, or if leads reach the new slug', async () => {
    const known = await world.createForm();
    await world.accepted(known, 20, hour);
    await world.forged(known, 'form_unknown', 1, 3 * hour);
    await world.changed(known, 'changeAForm', { changes: { slug: 'known' } });
    const moved = await renamed('moved');
    world.pass(5);
    for (const source of [known, moved]) await world.forged(source, 'form_unknown', 3);
    await world.accepted(moved, 1);
    await world.judge(rule);
    expect(world.told).toEqual([]);
  });

  test('is not told if the slug that was sent is the one that the form has', async () => {
    const source = await world.createForm();
    await world.accepted(source, 20, hour);
    const { slug } = world.workspaces.get(source.workspaceId)?.forms.get(source.formId) ?? {};
    await world.changed(source, 'changeAForm', { changes: { slug, name: 'Contact us' } });
    world.pass(5);
    await world.forged(source, 'form_unknown', 3);
    await world.judge(rule);
    expect(world.told).toEqual([]);
  });

  test('is told beside a deleted form of the workspace, and neither is taken for the other', async () => {
    const source = await renamed();
    const deleted = { ...source, formId: randomUUID(), tokenId: randomUUID(), surface: 'server' } as const;
    world.pass(1);
    await world.changed({ ...deleted, tokenId: null }, 'deleteAForm');
    world.pass(1);
    await world.changed(source, 'changeAForm', { changes: { slug: 'contact-them' } });
    world.pass(5);
    await world.forged(source, 'form_unknown', 2);
    await world.forged(deleted, 'form_unknown', 7);
    await world.judge(rule);
    const told = world.open.map(({ formId, evidence }) => [formId, evidence.rejected]);
    expect(told).toHaveLength(2);
    expect(new Map(told as [string | null, number][])).toEqual(
      new Map([
        [source.formId, 2],
        [null, 7],
      ]),
    );
    const ofWorkspace = world.open.find(({ formId }) => formId === null);
    expect(ofWorkspace?.evidence).toMatchObject({ change: { action: 'deleteAForm' } });
  });
});

test('a suspended workspace is told once for all its sources, and only if authenticated senders notice', async () => {
  const form = await world.createForm();
  const token = await world.createToken({}, form);
  for (const source of [form, token]) await world.accepted(source, 5, hour);
  await world.changed(form, 'renameSuspendOrResumeAWorkspace', {
    changes: { status: 'suspended' },
    target: {},
  });
  world.suspend(form.workspaceId);
  world.pass(5);
  await world.forged(form, 'workspace_suspended', 90);
  await world.judge(rule);
  expect(world.told).toEqual([]);
  await world.rejected(form, 'workspace_suspended', 9);
  await world.rejected(token, 'workspace_suspended', 1);
  world.pass(1);
  await world.judge(rule);
  expect(world.told).toEqual(['after_change high workspace_suspended']);
  world.suspend(form.workspaceId, false);
  world.pass(5);
  await world.accepted(token, 1);
  await world.judge(rule);
  expect(world.told).toEqual([]);
});

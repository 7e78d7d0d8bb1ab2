import { describe, expect, test } from 'vitest';
import { hourMs, minuteMs, secondMs } from '../../../time/clock.ts';
import { type AuditedChange, authorOf, causesOf, endOfAfterChange, isCausedBy } from './after-change.ts';

const at = new Date('2026-11-16T12:00:00Z');
const later = (ms: number) => new Date(at.getTime() + ms);

function changeOf(action: string, changes: Record<string, unknown> = {}, more: Partial<AuditedChange> = {}) {
  const ids = { workspaceId: 'w', formId: 'f', tokenId: null };
  const actor = { actorKind: 'person', actorName: 'ada@example.com', names: {} } as const;
  return { ...ids, action, at, ...actor, changes, ...more };
}

test.each([
  ['changeAForm', { name: 'Contact' }],
  ['changeAForm', { active: true }],
  ['renameSuspendOrResumeAWorkspace', { status: 'active' }],
  ['createAForm', {}],
])('%s with %o causes no rejections', (action, changes) => {
  expect(causesOf(changeOf(action, changes))).toEqual([]);
});

test('what a rotation causes begins with the end of the overlap', () => {
  const [cause] = causesOf(changeOf('setOrRotateTheWebhookSecret', { overlap_seconds: 3_600 }));
  expect(cause).toMatchObject({ reason: 'signature_mismatch', effectiveAt: later(hourMs) });
});

describe('rejections that prove nothing', () => {
  const since = { before: 0, rejected: 1, proven: 0, firstAt: later(minuteMs), lastAt: later(minuteMs) };
  const isCaused = (more: Partial<typeof since>, acceptedAt: Date | null) =>
    isCausedBy(at, 'unproven', { ...since, ...more }, acceptedAt);

  test.each([
    ['were caused if leads came before and no longer come', {}, later(-minuteMs), true],
    ['were caused if another instance heard of the change some seconds later', {}, later(9 * secondMs), true],
    ['were not caused if leads still come', {}, later(11 * secondMs), false],
    ['were not caused if there never was a lead', {}, null, false],
    ['were not caused if the last lead is a week old', {}, later(-7 * 24 * hourMs - 1), false],
    ['were not caused if there were some before', { before: 1 }, later(-minuteMs), false],
    ['were not caused if the first came late', { firstAt: later(hourMs + 1) }, later(-minuteMs), false],
  ])('%s', (_, more, acceptedAt, isExpected) => {
    expect(isCaused(more, acceptedAt)).toBe(isExpected);
  });
});

test('it is over when leads are accepted, or nothing was rejected for a day', () => {
  const known = { since: at, isUnproven: false, lastRejectedAt: later(hourMs), now: later(2 * hourMs) };
  expect(endOfAfterChange({ ...known, lastAcceptedAt: null })).toBeNull();
  expect(endOfAfterChange({ ...known, lastAcceptedAt: later(minuteMs) })).toBeNull();
  expect(endOfAfterChange({ ...known, isUnproven: true, lastAcceptedAt: later(minuteMs) })).toBe('recovered');
  expect(endOfAfterChange({ ...known, lastAcceptedAt: later(hourMs + 1) })).toBe('recovered');
  expect(endOfAfterChange({ ...known, now: later(25 * hourMs), lastAcceptedAt: null })).toBe('removed');
  expect(endOfAfterChange({ ...known, lastRejectedAt: null, lastAcceptedAt: null })).toBe('removed');
});

test.each([
  ['person', { actor: 'Ada' }, 'Ada'],
  ['person', {}, 'ada@example.com'],
  ['operator_key', {}, 'the operator'],
  ['api_key', {}, 'API key ada@example.com'],
] as const)('a change by %s with the names %o is by "%s"', (actorKind, names, author) => {
  expect(authorOf(changeOf('deleteAForm', {}, { actorKind, names }))).toBe(author);
});

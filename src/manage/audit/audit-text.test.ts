import { expect, test } from 'vitest';
import { type CallDeclaration, operationId } from '../../contract/call.ts';
import { calls } from '../../contract/calls.ts';
import type { AuditRecord } from '../../db/workspaces/audit-log.ts';
import { auditText } from './audit-text.ts';

const names = new Map([
  ['1', 'Ada'],
  ['2', 'Max'],
]);

function textOf(action: string, changes: Record<string, unknown> = {}, more: Partial<AuditRecord> = {}) {
  const actor = { actorKind: 'person', actorId: '1', actorName: 'ada@example.com' } as const;
  return auditText({ ...actor, action, target: {}, changes, times: 1, ...more }, names);
}

function isAudited({ method, audit, gives, path }: CallDeclaration): boolean {
  // Anyone may ask, as often as they like, so no entry is made.
  if (method === 'post' && path === '/password-resets') return false;
  // Recorded as security events.
  if (path.startsWith('/me/sessions')) return false;
  return (method !== 'get' && audit !== 'reads') || gives !== undefined;
}

test('every call in the audit log has its own words', () => {
  const actions = calls.filter(isAudited).map(operationId);
  expect(actions.length).toBeGreaterThan(25);
  expect(actions.filter((action) => textOf(action).startsWith('Ada called '))).toEqual([]);
});

test('the text names the person whose operator permissions changed', () => {
  const action = 'makeAPersonAnOperatorOrNoLongerOne';
  expect(textOf(action, { person_id: '2', operator: true })).toBe('Ada made Max an operator');
  expect(textOf(action, { person_id: '2', operator: false })).toBe(
    'Ada revoked the operator permissions of Max',
  );
  expect(textOf(action, { person_id: '3', operator: true })).toBe('Ada made a person an operator');
  expect(textOf(action, { email: 'max@example.com', operator: true })).toBe(
    'Ada made max@example.com an operator',
  );
});

test.each([
  ['the person, by mail', 'Ada set a new password with a link sent to them by email'],
  ['operator', 'Ada set a new password with a link created with the operator key'],
  ['max@example.com', 'Ada set a new password with a link created by max@example.com'],
])('a new password set with a link of %s reads as English', (link_made_by, text) => {
  expect(textOf('setANewPasswordByALink', { link_made_by })).toBe(text);
});

test.each([
  ['makeAPersonAnOperatorOrNoLongerOne', 'Ada tried to grant or revoke operator permissions and was refused'],
  ['changeAPersonSRole', "Ada tried to change a person's role and was refused"],
  ['eraseALead', 'Ada tried to erase a lead and was refused'],
  ['renamedLater', 'Ada tried to call renamedLater and was refused'],
  [undefined, 'Ada tried to do something and was refused'],
])('a refused %s reads as English', (operation, text) => {
  expect(textOf('accessRefused', operation === undefined ? {} : { operation })).toBe(text);
});

test.each([
  ['spam', 'Ada marked a lead as spam'],
  ['not_spam', 'Ada marked a lead as not spam'],
  [null, 'Ada removed the mark from a lead'],
])('a lead marked %s reads as English', (mark, text) => {
  expect(textOf('markALeadAsSpamOrNotSpam', { mark })).toBe(text);
});

test('an event without an actor is not attributed to the operator key', () => {
  expect(textOf('signIn', {}, { actorKind: 'nobody', actorId: null, actorName: 'nobody' })).toBe(
    'Someone signed in',
  );
});

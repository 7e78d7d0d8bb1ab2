import { describe, expect, test } from 'vitest';
import { auditGroups } from '../../contract/audit.ts';
import { operationId } from '../../contract/call.ts';
import { calls } from '../../contract/calls.ts';
import type { AuditRow } from '../../db/workspaces/audit-log.ts';
import { filtersOf, groupTags, isRecorded } from './audit-filters.ts';
import { auditText } from './audit-text.ts';

const present = new Map([
  ['1', 'Ada'],
  ['2', 'Max'],
]);

function entryOf(action: string, changes: Record<string, unknown> = {}, more: Partial<AuditRow> = {}) {
  const actor = { actorKind: 'person', actorId: '1', actorName: 'ada@example.com' } as const;
  const entry = { ...actor, action, target: {}, changes, times: 1, names: {}, workspaceId: null, ...more };
  return auditText(entry, present);
}
const textOf = (...given: Parameters<typeof entryOf>) => entryOf(...given).text;

const withoutEntry = new Set([
  // Anyone may request a link, as often as they like.
  'askForALinkToANewPassword',
  // Recorded as security events.
  'endOneOfYourSessions',
  'endYourOtherSessions',
]);
const recorded = calls.filter((call) => isRecorded(call) && !withoutEntry.has(operationId(call)));

describe('every call in the audit log', () => {
  test.each(recorded.map((call) => [operationId(call), call] as const))('%s has its own words', (action) => {
    const text = textOf(action);
    expect(text).not.toMatch(/^Ada called /);
    expect(text).toMatch(/^Ada (\w+ed|set|made|let|reset|resent|withdrew|sent|undid)\b/);
    expect(text).not.toMatch(/[{}]/);
  });

  test.each(recorded.map((call) => [operationId(call), call] as const))(
    '%s is in a group',
    (action, { tag }) => {
      expect(auditGroups).toContain(groupTags[tag]);
      expect(filtersOf({ action: groupTags[tag], limit: 1 }).actions).toContain(action);
    },
  );

  test('an event is in a group, too, and an action that is not in any is a filter by itself', () => {
    expect(filtersOf({ action: 'refused', limit: 1 }).actions).toContain('accessRefused');
    expect(filtersOf({ action: 'renamedLater', limit: 1 }).actions).toEqual(['renamedLater']);
    for (const action of auditGroups) expect(filtersOf({ action, limit: 1 }).actions).not.toEqual([action]);
  });
});

test('an entry names whom and what, as they were called at the time', () => {
  const names = { actor: 'Ada Lovelace', person: 'Max Weber', form: 'Contact EU', workspace: 'Acme Ltd' };
  const operator = { actorKind: 'operator_key', actorId: null, actorName: 'operator', names } as const;
  const target = { person_id: '2' };
  expect(entryOf('removeAPersonFromAWorkspace', {}, { names, target })).toMatchObject({
    text: 'Ada Lovelace removed Max Weber',
    subject: { kind: 'person', id: '2', name: 'Max Weber' },
  });
  expect(textOf('setOrRotateTheWebhookSecret', {}, { names })).toBe(
    'Ada Lovelace set a webhook secret for Contact EU',
  );
  expect(textOf('setOrRotateTheWebhookSecret', {}, { names: { ...names, webhook_secret: 'set' } })).toBe(
    'Ada Lovelace rotated the webhook secret of Contact EU',
  );
  expect(textOf('renameSuspendOrResumeAWorkspace', { status: 'suspended' }, operator)).toBe(
    'The operator suspended Acme Ltd',
  );
  expect(textOf('renameSuspendOrResumeAWorkspace', { name: 'Mills' }, { names })).toBe(
    'Ada Lovelace renamed workspace Acme Ltd to Mills',
  );
  expect(entryOf('createAnIngestToken', { name: 'Website' }, { target: { id: '7' } })).toMatchObject({
    text: 'Ada created ingest token Website',
    subject: { kind: 'token', id: '7', name: 'Website' },
  });
  expect(textOf('changeAForm', { active: false }, { names })).toBe(
    'Ada Lovelace deactivated form Contact EU',
  );
  expect(textOf('changeAForm', { name: 'Contact' }, { names })).toBe(
    'Ada Lovelace renamed form Contact EU to Contact',
  );
});

test('a name that was not kept is the present one, or else the end of an id', () => {
  const form_id = '0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10';
  expect(textOf('removeAPersonFromAWorkspace', {}, { target: { person_id: '2' } })).toBe('Ada removed Max');
  expect(textOf('deleteAForm', {}, { target: { form_id } })).toBe('Ada deleted form 7f2a4e10');
  expect(textOf('eraseALead', {}, { target: { submission_id: form_id } })).toBe('Ada erased lead 7f2a4e10');
  expect(textOf('deleteAForm')).toBe('Ada deleted a form');
});

test('a name cannot reverse the sentence', () => {
  const names = { actor: 'Ada', person: '\u202exaM\u2066' };
  expect(textOf('removeAPersonFromAWorkspace', {}, { names })).toBe('Ada removed xaM');
});

test('the text names the person whose operator permissions changed', () => {
  const action = 'makeAPersonAnOperatorOrNoLongerOne';
  expect(textOf(action, { person_id: '2', operator: true })).toBe('Ada made Max an operator');
  expect(textOf(action, { person_id: '2', operator: false })).toBe(
    'Ada revoked the operator permissions of Max',
  );
  expect(textOf(action, { operator: true })).toBe('Ada made a person an operator');
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
  ['spam', 'Ada marked a lead as spam', 'Ada marked 3 leads as spam'],
  ['not_spam', 'Ada marked a lead as not spam', 'Ada marked 3 leads as not spam'],
  [null, 'Ada removed the mark from a lead', 'Ada removed the marks from 3 leads'],
])('leads marked %s read as English, one by one and together', (mark, one, many) => {
  const { text, series } = entryOf('markALeadAsSpamOrNotSpam', { mark });
  expect([text, `${series.before}3${series.after}`]).toEqual([one, many]);
});

test('equal sentences without a plural are counted', () => {
  const { text, series } = entryOf('signIn', {}, { times: 4 });
  expect([text, `${series.before}9${series.after}`]).toEqual([
    'Ada signed in (4 times)',
    'Ada signed in (9 times)',
  ]);
});

test('an event without an actor is not attributed to the operator', () => {
  expect(textOf('signIn', {}, { actorKind: 'nobody', actorId: null, actorName: 'nobody' })).toBe(
    'Someone signed in',
  );
});

import { expect, test } from 'vitest';
import { noticeText } from '../../../web/pages/alarms/alarm/notice-text.ts';
import { type AlarmRule, changeRule, ruleFor } from '../../../web/pages/alarms/alarm-rules.ts';
import { driftText } from '../../../web/pages/alarms/watching/drift-text.ts';
import { silenceText } from '../../../web/pages/alarms/watching/silence-text.ts';

test.each([
  ['watched', 0.5, null, 'We would notice after about 30 minutes without a lead.'],
  ['watched', 1.2, null, 'We would notice after about 1 hour without a lead.'],
  ['watched', 48, null, 'We would notice after about 48 hours without a lead.'],
  ['watched', 49, null, 'We would notice after about 2 days without a lead.'],
  ['watched', 150, null, 'We would notice after about 6 days without a lead.'],
  ['watched', 72, 3, 'You are told after 3 days without a lead.'],
  ['watched', 20, 3, 'We would notice after about 20 hours without a lead.'],
  ['too_few', null, 1, 'You are told after 1 day without a lead.'],
  ['off', null, 3, 'Alarms about silence are turned off for this form.'],
] as const)(
  'a form that is %s, noticed after %s hours or %s days: %s',
  (state, notice_hours, silent_days, text) => {
    expect(silenceText({ state, notice_hours, silent_days })).toBe(text);
  },
);

test.each([
  [0.4, 'ok', "The sender's clock is right."],
  [12, 'clock', "The sender's clock is 12 seconds behind."],
  [-1.6, 'ok', "The sender's clock is 2 seconds ahead."],
  [-200, 'clock', "The sender's clock is 3 minutes ahead."],
  [1, 'queue', 'Some requests arrive late: a queue retries old requests.'],
] as const)('a median of %s seconds (%s): %s', (median_seconds, shape, text) => {
  expect(driftText({ median_seconds, shape })).toBe(text);
});

test.each([
  ['opened', 'told', 'sent', 1, 'Opened: told, email to 1 owner'],
  ['reminder', 'told', 'due', 0, 'Reminder: told, email on its way'],
  ['closed', 'told', 'failed', 0, 'Over: told, email failed'],
  ['opened', 'collected', 'none', 0, 'Opened: waits for the next digest'],
] as const)('a notice %s, %s, emails %s to %s: %s', (what, state, email_state, emails_sent, text) => {
  expect(noticeText({ what, state, email_state, emails_sent, at: '' })).toBe(text);
});

const rule = (values: Partial<AlarmRule>): AlarmRule => ({
  kind: 'silence',
  form_id: null,
  token_id: null,
  enabled: true,
  sensitive: false,
  silent_days: null,
  muted_until: null,
  ...values,
});
const ofForm = { kind: 'silence', form_id: 'f', token_id: null } as const;

test('a new rule of a form starts as the rule of its kind', () => {
  const rules = [rule({ sensitive: true })];
  expect(changeRule(rules, ofForm, { muted_until: '2099-01-01T00:00:00Z' })).toEqual([
    ...rules,
    rule({ ...ofForm, sensitive: true, muted_until: '2099-01-01T00:00:00Z' }),
  ]);
});

test('a rule that says the same as the one above it goes away, and others stay', () => {
  const others = [rule({ sensitive: true }), rule({ kind: 'expiry_near', enabled: false })];
  const muted = rule({ ...ofForm, sensitive: true, muted_until: '2099-01-01T00:00:00Z' });
  expect(changeRule([...others, muted], ofForm, { muted_until: null })).toEqual(others);
});

test('the most specific rule applies', () => {
  const rules = [rule({ silent_days: 1 }), rule({ ...ofForm, silent_days: 2 })];
  expect(ruleFor(rules, { ...ofForm, token_id: 't' }).silent_days).toBe(2);
  expect(ruleFor(rules, { ...ofForm, form_id: 'g' }).silent_days).toBe(1);
});

import { expect, test } from 'vitest';
import { type AlarmRule, defaultAlarmSettings, ruleFor } from './settings.ts';

const rule = (silentDays: number, values: Partial<AlarmRule> = {}): AlarmRule => ({
  ...{ kind: 'silence', formId: null, tokenId: null, isEnabled: true, mutedUntil: null, isSensitive: false },
  ...{ silentDays, ...values },
});

test('the most specific rule applies, of its kind only, and the first of several', () => {
  const rules = [
    rule(1, { formId: 'f', tokenId: 't' }),
    rule(2, { formId: 'f' }),
    rule(3),
    rule(4),
    rule(5, { formId: 'f' }),
    rule(6, { kind: 'spam_surge', formId: 'g' }),
  ];
  const daysFor = (formId: string | null, tokenId: string | null) =>
    ruleFor({ ...defaultAlarmSettings, rules }, { kind: 'silence', formId, tokenId }).silentDays;
  expect(daysFor('f', 't')).toBe(1);
  expect(daysFor('f', 'other')).toBe(2);
  expect(daysFor('f', null)).toBe(2);
  expect(daysFor('g', 'u')).toBe(3);
  expect(daysFor(null, null)).toBe(3);
  const other = { kind: 'limit_near', formId: null, tokenId: null } as const;
  expect(ruleFor({ ...defaultAlarmSettings, rules }, other)).toMatchObject({ ...other, isEnabled: true });
});

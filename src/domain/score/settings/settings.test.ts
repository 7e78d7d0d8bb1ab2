import { expect, test } from 'vitest';
import type { Rule } from '../rules.ts';
import { effectivePoints } from './effective-points.ts';
import { normalCountry, normalDomain, normalEmail } from './list-entries.ts';
import { nearest } from './nearest.ts';
import { completeSettings, defaultScoringSettings, type ScoringSettings } from './settings.ts';

test('settings stored by an earlier release are completed with defaults', () => {
  const stored = { preset: 'event', allow: { emails: ['ada@example.com'] }, weights: { A: 1 } };
  expect(completeSettings(stored as unknown as ScoringSettings)).toEqual({
    ...defaultScoringSettings,
    preset: 'event',
    weights: { A: 1 },
    allow: { emails: ['ada@example.com'], domains: [] },
  });
  expect(completeSettings(null)).toBe(defaultScoringSettings);
});

test.each([
  ['Example.COM', 'example.com'],
  ['@example.com', 'example.com'],
  ['example.com.', 'example.com'],
  ['münchen.de', 'xn--mnchen-3ya.de'],
  ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
  ['_dmarc.example.com', '_dmarc.example.com'],
  ['localhost', null],
  ['1.2.3.4', null],
  ['0x7f.1', null],
  ['example.com:80', null],
  ['user@example.com', null],
  ['example.com/path', null],
  ['exa mple.com', null],
  ['*.example.com', null],
  ['-a.example', null],
  [`${'a'.repeat(64)}.com`, null],
  ['%65xample.com', null],
  ['', null],
  ['@', null],
])('the domain %j is stored as %j', (text, expected) => {
  expect(normalDomain(text)).toBe(expected);
});

test.each([
  [' Ada@Example.com', 'ada@example.com'],
  ['o’brien+tag@bücher.example', 'o’brien+tag@xn--bcher-kva.example'],
  ['@example.com', null],
  ['a b@example.com', null],
  ['a@b@example.com', null],
  ['ada', null],
])('the address %j is stored as %j', (text, expected) => {
  expect(normalEmail(text)).toBe(expected);
});

test.each([
  ['de', 'DE'],
  ['UK', 'GB'],
  ['XX', null],
  ['D', null],
  ['DEU', null],
])('the country %j is stored as %j', (text, expected) => {
  expect(normalCountry(text)).toBe(expected);
});

test('the nearest word is found, but none that is too different', () => {
  const known = ['EMAIL_INVALID', 'EMAIL_DISPOSABLE', 'LINKS_2', 'LINKS_3'];
  expect(nearest('EMAIL_INVALD', known)).toBe('EMAIL_INVALID');
  expect(nearest('emaildisposable', known)).toBe('EMAIL_DISPOSABLE');
  expect(nearest('LINK_2', known)).toBe('LINKS_2');
  expect(nearest('BUDGET_NAMED', known)).toBeNull();
  expect(nearest('', known)).toBeNull();
  expect(nearest('X'.repeat(100_000), known)).toBeNull();
});

test('points come from the rule or the settings, times the scale of the family', () => {
  const rule: Rule = { code: 'A', family: 'email', axis: 'risk', points: 15, text: '' };
  const under = (settings: Partial<ScoringSettings>) =>
    effectivePoints(rule, { ...defaultScoringSettings, ...settings });
  expect(under({})).toBe(15);
  expect(under({ weights: { A: 4 } })).toBe(4);
  expect(under({ weights: { A: 0 } })).toBe(0);
  expect(under({ families: { email: { scale: 0.5 }, links: { scale: 2 } } })).toBe(8);
  expect(under({ weights: { A: -10 }, families: { email: { scale: 2 } } })).toBe(-20);
  expect(under({ disabled: ['A'], weights: { A: 4 } })).toBe(0);
});

test('points of a rule that was replaced go to its successors, and a disabled one stays disabled', () => {
  const stored = {
    ...defaultScoringSettings,
    weights: { TEXT_MODEL_STRONG: 9, EMAIL_ROLE: 1 },
    disabled: ['PHRASES_PITCH', 'TEXT_MODEL_MEDIUM'],
  };
  const { weights, disabled } = completeSettings(stored);
  expect(weights).toEqual({ WORDING_SALES: 9, WORDING_FRAUD: 9, WORDING_ADVERT: 9, EMAIL_ROLE: 1 });
  expect(disabled).toEqual(['WORDING_SALES']);
});

import { describe, expect, test } from 'vitest';
import { loadScoringData } from '../data.ts';
import { createScorer } from '../scorer.ts';
import { compileScoring } from './compile.ts';
import { defaultScoringSettings, type ScoringSettings } from './settings.ts';

const scorer = createScorer(loadScoringData());
const now = Date.parse('2026-11-15T08:00:00Z');

function scored(settings: Partial<ScoringSettings>, fields: Record<string, unknown>) {
  const form = compileScoring({ ...defaultScoringSettings, ...settings }, [], 7);
  const result = scorer.score(fields, form, { now });
  return { ...result, codes: result.reasons.map(({ code }) => code) };
}

test('the version of the settings is part of the stored ruleset', () => {
  expect(scored({}, {}).ruleset).toMatch(/\+form\.7$/);
});

test('a form can change the points of a rule or turn it off', () => {
  const lead = { email: 'x@mailinator.com' };
  expect(scored({ weights: { EMAIL_DISPOSABLE: 12 } }, lead)).toMatchObject({ risk: 12, verdict: 'clean' });
  expect(scored({ disabled: ['EMAIL_DISPOSABLE'] }, lead)).toMatchObject({ risk: 0, codes: [] });
});

test('a family is scaled, then capped, and the cap is a reason', () => {
  const lead = { email: 'x@mailinator.com' };
  expect(scored({ families: { email: { scale: 0.5 } } }, lead).risk).toBe(20);
  const capped = scored({ families: { email: { cap: 15 } } }, lead);
  expect(capped.risk).toBe(15);
  expect(capped.reasons).toMatchObject([{ points: 40 }, { code: 'CAP_EMAIL', points: -25 }]);
});

test('thresholds decide the verdict, but one family alone is never spam', () => {
  const thresholds = { suspect: 10, spam: 40 };
  expect(scored({ thresholds }, { email: 'x@mailinator.com' }).verdict).toBe('suspect');
  const two = { email: 'x@mailinator.com', name: 'asdf' };
  expect(scored({ thresholds }, two).verdict).toBe('spam');
});

test('a filled honeypot alone is spam, an empty one is ignored', () => {
  const settings = { honeypot: ['fax'] };
  expect(scored(settings, { email: 'ada@engines.io', fax: 'x' })).toMatchObject({
    verdict: 'spam',
    risk: 100,
  });
  for (const fax of ['', ' ', null, false]) {
    expect(scored(settings, { email: 'ada@engines.io', fax }).verdict).toBe('clean');
  }
});

describe('the time between showing and submitting the form', () => {
  const timing = { renderedAtField: '_t', minMs: 3_000 };
  test.each([
    ['in milliseconds', now - 500, 'SENT_INSTANTLY'],
    ['as a string of digits', String(now - 2_000), 'SENT_FAST'],
    ['as a date', new Date(now - 2_000).toISOString(), 'SENT_FAST'],
  ])('is read %s', (_, shownAt, code) => {
    expect(scored({ timing }, { email: 'ada@engines.io', _t: shownAt }).codes).toEqual([code]);
  });

  test.each([
    ['long enough', now - 5_000],
    ['in the future', now + 5_000],
    ['not a time', 'soon'],
    ['missing', null],
  ])('does not count when it is %s', (_, shownAt) => {
    expect(scored({ timing }, { email: 'ada@engines.io', _t: shownAt }).codes).toEqual([]);
  });
});

test('a blocked domain includes its subdomains, a blocked address only itself', () => {
  const block = { emails: ['Eve@Engines.io'], domains: ['rival.io'], keywords: [] };
  expect(scored({ block }, { email: 'eve@engines.io' }).verdict).toBe('spam');
  expect(scored({ block }, { email: 'ada@engines.io' }).verdict).toBe('clean');
  expect(scored({ block }, { email: 'ada@mail.rival.io' }).verdict).toBe('spam');
});

test('a listed domain matches in every spelling of its international name', () => {
  const settings = { block: { emails: [], domains: ['xn--bcher-kva.example'], keywords: [] } };
  for (const email of ['a@bücher.example', 'a@xn--bcher-kva.example', 'a@BÜCHER.example'])
    expect(scored(settings, { email }).verdict).toBe('spam');
});

test('an allowed address is clean whatever it sends, except with a filled honeypot', () => {
  const settings = { allow: { emails: [], domains: ['mailinator.com'] }, honeypot: ['fax'] };
  const lead = { email: 'x@mailinator.com', name: 'http://spam.example' };
  expect(scored(settings, lead)).toMatchObject({ verdict: 'clean', risk: 0 });
  expect(scored(settings, { ...lead, fax: '1' }).verdict).toBe('spam');
});

test('keywords are globs, found in any field and in any case', () => {
  const keywords = [
    { text: 'blue*widget', points: 20 },
    { text: 'Partner', points: -5 },
  ];
  const block = { emails: [], domains: [], keywords };
  const { reasons } = scored({ block }, { note: 'BLUE small WIDGET', name: 'a partner' });
  expect(reasons).toMatchObject([
    { code: 'KEYWORD', points: 20, field: 'note', evidence: 'blue*widget' },
    { code: 'KEYWORD', points: -5, field: 'name' },
  ]);
});

test('the owner declares what a field is, in the settings or by its type in the form', () => {
  const byMap = scored({ fieldMap: { q7: 'name' } }, { q7: 'nobody' });
  expect(byMap.codes).toEqual(['NAME_PLACEHOLDER']);
  const form = compileScoring(defaultScoringSettings, [{ key: 'q8', type: 'email', required: true }], 0);
  expect(scorer.score({ q8: 'nobody' }, form, { now }).reasons).toMatchObject([{ code: 'EMAIL_INVALID' }]);
  expect(scorer.score({ name: 'Ada' }, form, { now }).reasons).toMatchObject([{ code: 'FIELD_MISSING' }]);
});

test('a preset changes what a good lead is', () => {
  const lead = { email: 'ada@gmail.com', name: 'Ada Lovelace' };
  expect(scored({ preset: 'b2c' }, lead).fit).toBeGreaterThan(scored({ preset: 'b2b' }, lead).fit);
});

test('expected countries and titles raise the fit', () => {
  const expectation = { countries: ['DE', 'AT'], titles: ['head of*logistics'] };
  const codes = (country: string, title: string) =>
    scored({ expect: expectation }, { country, title }).merits.map(({ code }) => code);
  expect(codes('de', 'Head of EU Logistics')).toEqual(
    expect.arrayContaining(['FIT_COUNTRY_WANTED', 'FIT_TITLE_WANTED', 'FIT_TITLE_HEAD']),
  );
  expect(codes('US', 'Assistant to the CEO')).toEqual(['FIT_COUNTRY_OTHER']);
});

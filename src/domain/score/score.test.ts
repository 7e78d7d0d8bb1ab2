import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileScoring } from './compile.ts';
import { score } from './score.ts';
import { defaultScoringSettings } from './settings.ts';

const form = compileScoring(defaultScoringSettings, [], 0);
const codesOf = (fields: Record<string, unknown>) => score(fields, form).reasons.map(({ code }) => code);

test('a complete business lead is clean and of grade A', () => {
  const lead = { name: 'Ada', email: 'ada@analytical.engine', company: 'Engines', phone: '+44 20 7946 0958' };
  expect(score(lead, form)).toMatchObject({ verdict: 'clean', risk: 0, score: 100, grade: 'A', reasons: [] });
});

test('the points of the reasons add up to the risk, whatever the lead', () => {
  const keys = fc.constantFrom(
    'email',
    'E-Mail',
    'name',
    'first_name',
    'company',
    'phone',
    'x',
    '__proto__',
    '',
  );
  const values = fc.oneof(fc.jsonValue(), fc.constantFrom('http://x', 'a@mailinator.com', 'a@b.co', 'www.x'));
  fc.assert(
    fc.property(fc.dictionary(keys, values), (fields) => {
      const { risk, reasons } = score(fields, form);
      const sum = reasons.reduce((total, { points }) => total + points, 0);
      return risk === Math.min(100, sum);
    }),
  );
});

test.each([
  ['an invalid address', { email: 'nobody' }, 'EMAIL_INVALID'],
  ['two dots in a row', { email: 'a..b@example.org' }, 'EMAIL_INVALID'],
  ['a throw-away address', { Email: 'x@mailinator.com' }, 'EMAIL_DISPOSABLE'],
  ['a sub-domain of a throw-away service', { email: 'x@sub.mailinator.com' }, 'EMAIL_DISPOSABLE'],
  ['a link in a name', { 'first name': 'see http://x.example' }, 'LINK_IN_NAME'],
  ['nothing filled', { name: '', email: null }, 'LEAD_EMPTY'],
])('%s is found', (_, fields, code) => {
  expect(codesOf(fields)).toContain(code);
});

test.each([
  ['an address with a plus', { email: 'ada+site@example.org' }],
  ['an internationalised domain', { email: 'info@bücher.example' }],
  ['a name with an apostrophe', { name: "Siobhán O'Brien" }],
  ['a link where links belong', { website: 'https://example.org', email: 'a@example.org' }],
])('%s is nothing to find', (_, fields) => {
  expect(codesOf(fields)).toEqual([]);
});

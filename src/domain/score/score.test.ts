import { expect, test } from 'vitest';
import { loadScoringData } from './data.ts';
import { createScorer } from './scorer.ts';
import { compileScoring } from './settings/compile.ts';
import { defaultScoringSettings } from './settings/settings.ts';

const scorer = createScorer(loadScoringData());
const form = compileScoring(defaultScoringSettings, [], 0);
const scoreOf = (fields: Record<string, unknown>) => scorer.score(fields, form, { now: 0 });
const codesOf = (fields: Record<string, unknown>) => scoreOf(fields).reasons.map(({ code }) => code);

const question = 'We ship forty pallets a week and would like a quote for next quarter. Can you call me?';

test('a complete business lead with a question about prices is clean and gets grade A', () => {
  const lead = {
    name: 'Ada Lovelace',
    email: 'ada@engines.io',
    company: 'Engines',
    phone: '+44 20 7946 0958',
    message: question,
  };
  expect(scoreOf(lead)).toMatchObject({ verdict: 'clean', risk: 0, grade: 'A', reasons: [] });
});

test('fit and intent are the sums of their merits', () => {
  const { fit, intent, merits } = scoreOf({ email: 'ada@engines.io', company: 'Engines', message: question });
  const sum = (family: string) =>
    merits.reduce((total, merit) => total + (merit.family === family ? merit.points : 0), 0);
  expect([fit, intent]).toEqual([sum('fit'), sum('intent')]);
  expect(merits.map(({ code }) => code)).toContain('FIT_COMPANY_DOMAIN');
});

test.each([
  ['a free address alone', { email: 'ada@gmail.com' }, 'clean'],
  [
    'an ending that is not a top-level domain',
    { email: 'ada@analytical.engine', name: 'Ada', company: 'Engines', phone: '+44 20 7946 0958' },
    'clean',
  ],
  ['a disposable address', { email: 'x@mailinator.com' }, 'suspect'],
  [
    'a disposable address and a link as the name',
    { email: 'someone@mailinator.com', name: 'http://spam.example' },
    'spam',
  ],
  [
    'random letters throughout',
    { name: 'wYrHwDwEgDCxnKLwrBPf', email: 'ada@gmail.com', message: 'SZGFNwsCHXImbXFVNtwRbwlN' },
    'spam',
  ],
  [
    'an offer of backlinks',
    {
      name: 'Ada',
      email: 'ada@gmail.com',
      message: 'We can rank your website on the first page of Google with quality backlinks.',
    },
    'suspect',
  ],
  [
    'a request for a service that spam offers',
    {
      name: 'Ada',
      email: 'ada@gmail.com',
      message: 'We are looking for an SEO agency. Can you send us a proposal?',
    },
    'clean',
  ],
])('%s gets the right verdict', (_, fields, verdict) => {
  expect(scoreOf(fields).verdict).toBe(verdict);
});

test.each([
  ['an invalid address', { email: 'nobody' }, 'EMAIL_INVALID'],
  ['two dots in a row', { email: 'a..b@engines.io' }, 'EMAIL_INVALID'],
  ['a subdomain of a disposable domain', { email: 'x@sub.mailinator.com' }, 'EMAIL_DISPOSABLE'],
  ['a typo', { email: 'ada.lovelace@gmial.com' }, 'EMAIL_TYPO'],
  ['an address full of dots', { email: 'u.c.i.to.ja@gmail.com' }, 'EMAIL_DOTS'],
  ['a test address', { email: 'test@test.com' }, 'EMAIL_TEST'],
  ['a link in a name', { 'first name': 'see http://x.example' }, 'LINK_IN_NAME'],
  ['random letters after a first name', { name: 'Masonfug' }, 'NAME_BOT'],
  ['a placeholder', { name: 'nobody' }, 'NAME_PLACEHOLDER'],
  ['a test', { name: 'asdf' }, 'LOOKS_LIKE_TEST'],
  ['markup', { message: 'see <a href="http://x.example">this</a>' }, 'LINK_MARKUP'],
  ['a shortened link', { message: 'have a look at https://bit.ly/abc' }, 'LINK_SHORTENED'],
  ['leftover syntax of a text generator', { message: '{Hi|Hello} there, nice site' }, 'TEXT_SPINTAX'],
  ['a template', { message: 'Hello {{7*7}}' }, 'TEXT_INJECTION'],
  ['a script', { message: '<script>alert(1)</script>' }, 'TEXT_INJECTION'],
  ['lookalike letters', { message: 'Hеllо my friend' }, 'TEXT_MIXED_ALPHABETS'],
  ['invisible characters', { message: 'che\u200bap' }, 'TEXT_HIDDEN_CHARACTERS'],
  ['a phone number of one digit', { phone: '1111111111' }, 'PHONE_REPEATED'],
  ['a phone number of three digits', { tel: '123' }, 'PHONE_LENGTH'],
  ['a program', { user_agent: 'python-requests/2.31' }, 'AGENT_BOT'],
  ['nothing filled in', { name: '', email: null }, 'LEAD_EMPTY'],
])('%s is found', (_, fields, code) => {
  expect(codesOf(fields)).toContain(code);
});

test.each([
  ['an address with a plus', { email: 'ada+site@engines.io' }],
  ['a name with an apostrophe', { name: "Siobhán O'Brien" }],
  ['a name in capitals', { name: 'SIOBHÁN MCDONALD' }],
  ['a Turkish name', { name: 'Yıldırım Şahin' }],
  ['a link where links belong', { website: 'https://engines.io', email: 'a@engines.io' }],
  ["a link to the sender's own site", { message: 'We are at https://www.engines.io', email: 'a@engines.io' }],
  ['a company named like a domain', { company: 'Booking.com' }],
  ['a Persian message with joiners', { message: 'سلام، می‌خواستم درباره قیمت بدانم' }],
  ['a combined emoji', { message: 'Thank you 👩‍👩‍👧‍👦' }],
  ['a privacy notice with a link', { consent: 'I agree to https://example.com/privacy' }],
])('%s is not a finding', (_, fields) => {
  expect(codesOf(fields)).toEqual([]);
});

test.each([
  ['E-Mail-Adresse', 'email'],
  ['contact[email]', 'email'],
  ['Correo electrónico', 'email'],
  ['メールアドレス', 'email'],
  ['anything', 'email'],
])('an address under the key %s is recognised', (key) => {
  expect(codesOf({ [key]: 'x@mailinator.com' })).toEqual(['EMAIL_DISPOSABLE']);
});

test('a lead inside another object is read too', () => {
  expect(codesOf({ data: { email: 'x@mailinator.com' } })).toContain('EMAIL_DISPOSABLE');
});

test('program code is shown so that it can be recognised', () => {
  const { reasons } = scoreOf({ message: 'Your email began with {{first_name}} instead of my name' });
  expect(reasons.map(({ evidence }) => evidence)).toContain('{{first_name}}');
});

test('evidence never contains a whole value', () => {
  const message = `first page of google ${'and more backlinks '.repeat(20)}`;
  const { reasons } = scoreOf({ email: 'ada.secret@mailinator.com', message });
  expect(reasons.length).toBeGreaterThan(1);
  for (const { text, evidence = '' } of reasons) {
    expect(`${text}${evidence}`).not.toContain('ada.secret');
    expect(evidence.length).toBeLessThanOrEqual(61);
  }
});

const many = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, value]));

test.each([
  ['64 texts with the name', many(63, 'a'), null],
  ['65 texts', many(65, 'a'), '64 texts'],
  ['1,000 values with the name', many(999, 1), null],
  ['1,001 numbers', many(1_001, 1), '1,000 values'],
  ['2,000 empty fields and a filled one', { ...many(2_000, ''), name: 'Ada' }, '1,000 values'],
  ['an array of 65,000 numbers', { a: Array(65_000).fill(1) }, '1,000 values'],
  ['a text of 8,000 characters', { message: 'a '.repeat(4_000) }, null],
  ['a text of 9,000 characters', { message: 'ab '.repeat(3_000) }, '8,192 characters'],
])('a lead that is only partly read is marked as such and not called empty: %s', (_, lead, evidence) => {
  const { reasons } = scoreOf({ name: 'Ada Lovelace', ...lead } as Record<string, unknown>);
  const found = reasons.find(({ code }) => code === 'LEAD_READ_IN_PART');
  expect(found?.evidence ?? null).toBe(evidence);
  expect(reasons.map(({ code }) => code)).not.toContain('LEAD_EMPTY');
});

test('a long lead with findings of one family stays suspect, not spam', () => {
  const keywords = ['alpha', 'beta', 'gamma', 'delta'].map((text) => ({ text, points: 25 }));
  const { block } = defaultScoringSettings;
  const form = compileScoring({ ...defaultScoringSettings, block: { ...block, keywords } }, [], 1);
  const score = scorer.score({ name: 'alpha beta gamma delta', ...many(1_100, null) }, form, { now: 0 });
  expect(score.reasons.map(({ code }) => code)).toContain('LEAD_READ_IN_PART');
  expect(score).toMatchObject({ verdict: 'suspect', risk: 100 });
});

test('a finding shortens a field name of 100 KB', () => {
  const key = 'k'.repeat(100_000);
  const { reasons } = scoreOf({
    [key]: 'http://a.example http://b.example http://c.example',
    email: 'x@mailinator.com',
  });
  expect(reasons.find(({ code }) => code === 'EMAIL_DISPOSABLE')?.field).toBe('email');
  expect(Math.max(...reasons.map(({ field }) => field?.length ?? 0))).toBe(129);
});

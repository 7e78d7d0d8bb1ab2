import { expect, test } from 'vitest';
import { loadScoringData } from '../data.ts';
import { createScorer } from '../scorer.ts';
import { compileScoring } from '../settings/compile.ts';
import { defaultScoringSettings } from '../settings/settings.ts';
import { storedReasons } from '../stored-reasons.ts';
import { signalsIn } from './page.ts';

const scorer = createScorer(loadScoringData());
const form = compileScoring(defaultScoringSettings, [], 0);
const plain = { name: 'Ada Lovelace', email: 'ada@engines.io', message: 'Please call me about prices.' };
const calm = { page: 'https://engines.io/contact', elapsed_ms: 60_000 };
const scoreOf = (
  fields: Record<string, unknown>,
  page = { isUnproven: false, isWorkFast: false, isHeadless: false },
) => scorer.score(fields, form, { now: 0, page });
const codesOf = (...args: Parameters<typeof scoreOf>) => scoreOf(...args).reasons.map(({ code }) => code);

test('what a page adds to a lead is not read as text of the lead', () => {
  const context = {
    ...calm,
    referrer: 'https://bit.ly/spam https://a.example https://b.example',
    campaign: { utm_source: 'http://casino.example buy viagra online' },
  };
  expect(scoreOf({ ...plain, _context: context, _hp: '' })).toEqual(scorer.score(plain, form, { now: 0 }));
});

test.each([{ gclid: 'x' }, { utm_medium: 'cpc' }, { referrer: 'https://engines.io/pricing' }])(
  'where a visitor came from counts the same if a field or the script says it: %j',
  (visit) => {
    const { referrer, ...campaign } = { referrer: '', ...visit };
    const { score } = scoreOf({ ...plain, _context: { ...calm, referrer, campaign } });
    expect(score).toBe(scoreOf({ ...plain, ...visit, _context: calm }).score);
    expect(score).toBeGreaterThan(scoreOf({ ...plain, _context: calm }).score);
  },
);

test('a text that is called like the context is read like any other', () => {
  expect(codesOf({ _context: 'see https://bit.ly/spam now' })).toContain('LINK_SHORTENED');
  expect(codesOf({ ...plain, nested: { _context: { a: 'see https://bit.ly/spam now' } } })).toContain(
    'LINK_SHORTENED',
  );
});

test('what the SDK never writes into the context is read as text', () => {
  const text = 'see https://bit.ly/spam now';
  expect(codesOf({ ...plain, _context: { ...calm, message: text } })).toContain('LINK_SHORTENED');
  expect(codesOf({ ...plain, _context: { ...calm, more: { text } } })).toContain('LINK_SHORTENED');
  expect(codesOf({ ...plain, _context: [text] })).toContain('LINK_SHORTENED');
});

test('as many texts as are read, and what the SDK adds, are not too many', () => {
  const texts = Object.fromEntries(Array.from({ length: 64 }, (_, n) => [`answer ${n}`, 'yes']));
  expect(codesOf({ ...texts, _context: calm, _hp: '' })).not.toContain('LEAD_READ_IN_PART');
});

test('a lead that no web page sent may use the same names for anything', () => {
  const codes = (fields: Record<string, unknown>) =>
    scorer.score(fields, form, { now: 0, page: null }).reasons.map(({ code }) => code);
  const context = { elapsed_ms: 12, webdriver: true };
  expect(codes({ ...plain, _hp: 'v1', _context: context })).toEqual([]);
  expect(codes({ ...plain, _context: { elapsed_ms: 'see https://bit.ly/spam now' } })).toContain(
    'LINK_SHORTENED',
  );
  expect(codes({ _context: { page: 'Ada' } })).not.toContain('LEAD_EMPTY');
  expect(codes({ ...plain, _hp: 'see https://bit.ly/spam now' })).toContain('LINK_SHORTENED');
});

test('a lead of nothing but context is empty', () => {
  expect(codesOf({ _context: calm, _hp: '' })).toContain('LEAD_EMPTY');
});

test.each([
  ['the hidden field is filled in', { _hp: 'https://spam.example' }, 'HONEYPOT_FILLED'],
  ['the form is sent instantly', { _context: { elapsed_ms: 300 } }, 'SENT_INSTANTLY'],
  ['the form is sent quickly', { _context: { elapsed_ms: 2_000 } }, 'SENT_FAST'],
  ['a program drives the browser', { _context: { ...calm, webdriver: true } }, 'BROWSER_AUTOMATED'],
])('%s: the lead gets points for it', (_, fields, code) => {
  expect(codesOf({ ...plain, ...fields })).toEqual([code]);
});

test.each([
  ['a time that is no number', { elapsed_ms: '5' }],
  ['a time before the visit', { elapsed_ms: -5 }],
  ['a webdriver that is only a word', { ...calm, webdriver: 'true' }],
  ['no object', []],
])('%s says nothing', (_, context) => {
  expect(codesOf({ ...plain, _context: context })).toEqual([]);
});

test('a form without script, a browser without a window and work that took no time get points, and a stored lead tells all three', () => {
  const signals = { isUnproven: true, isWorkFast: true, isHeadless: true };
  const score = scoreOf(plain, signals);
  expect(score.reasons.map(({ code, points }) => [code, points])).toEqual([
    ['BROWSER_AUTOMATED', 25],
    ['BROWSER_UNPROVEN', 15],
    ['BROWSER_WORK_FAST', 5],
  ]);
  expect(signalsIn(JSON.parse(JSON.stringify(storedReasons(score))))).toEqual(signals);
  const driven = scoreOf({ ...plain, _context: { webdriver: true } });
  expect(signalsIn(JSON.parse(JSON.stringify(storedReasons(driven))))).toEqual({
    isUnproven: false,
    isWorkFast: false,
    isHeadless: false,
  });
});

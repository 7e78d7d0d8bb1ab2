import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadScoringData } from './data.ts';
import { createScorer } from './scorer.ts';
import { compileScoring } from './settings/compile.ts';
import { defaultScoringSettings } from './settings/settings.ts';

const data = loadScoringData();
const scorer = createScorer(data);
const form = compileScoring(defaultScoringSettings, [], 0);
const scoreOf = (fields: Record<string, unknown>) => scorer.score(fields, form, { now: 0 });

const keys = fc.constantFrom(
  'email',
  'E-Mail',
  'name',
  'first_name',
  'company',
  'phone',
  'message',
  'website',
  'x',
  '__proto__',
  'constructor',
  '',
);
const texts = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    'a@mailinator.com',
    'a@engines.io',
    'test@test.com',
    'www.x.example',
    'Masonfug',
    'xkcdqwzj vbnmtrq',
    '1111111111',
    'Buy backlinks and rank on the first page of google, we help businesses like yours',
    'Please call me about the price for 20 users',
    'Hеllо',
    '{a|b} {{x}}',
    '\ud800',
    '👩‍👩‍👧‍👦',
    'مرحبا',
  ),
  fc
    .array(fc.constantFrom('we', 'offer', 'your', 'website', 'free', 'backlinks', 'need', 'a', 'quote'), {
      maxLength: 12,
    })
    .map((words) => words.join(' ')),
);
/** Own keys, as JSON.parse makes them: `__proto__` is a key like any other. */
const leads = fc
  .array(
    fc.tuple(keys, fc.oneof({ weight: 4, arbitrary: texts }, { weight: 1, arbitrary: fc.jsonValue() })),
    { maxLength: 8 },
  )
  .map((entries) =>
    JSON.parse(`{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)}}`),
  );

test('the points of the reasons add up to the risk, and determine the verdict', () => {
  fc.assert(
    fc.property(leads, (lead) => {
      const { risk, reasons, verdict } = scoreOf(lead);
      const sum = reasons.reduce((total, { points }) => total + points, 0);
      expect(risk).toBe(Math.min(100, Math.max(0, sum)));
      if (verdict === 'spam') expect(risk).toBeGreaterThanOrEqual(70);
      else if (risk < 30) expect(verdict).toBe('clean');
    }),
    { numRuns: 400 },
  );
});

test('the same lead gets the same score, whatever was scored before and by whichever scorer', () => {
  const another = createScorer(data);
  fc.assert(
    fc.property(leads, leads, (lead, before) => {
      const first = scoreOf(lead);
      scoreOf(before);
      expect(scoreOf(lead)).toEqual(first);
      expect(another.score(lead, form, { now: 0 })).toEqual(first);
    }),
  );
});

test('adding a link never lowers the risk', () => {
  const strings = fc.dictionary(
    keys.filter((key) => key !== '__proto__'),
    texts,
    { minKeys: 1 },
  );
  const links = fc.constantFrom(
    'http://spam.example',
    'https://bit.ly/x',
    'www.x.example/a',
    'https://engines.io',
  );
  fc.assert(
    fc.property(strings, links, fc.nat(), (lead, link, place) => {
      const key = Object.keys(lead)[place % Object.keys(lead).length] as string;
      const more = { ...lead, [key]: `${lead[key]} ${link}` };
      expect(scoreOf(more).risk).toBeGreaterThanOrEqual(scoreOf(lead).risk);
    }),
    { numRuns: 1_000 },
  );
});

test('white space around values and the case of keys and addresses make no difference', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('email', 'name', 'message', 'phone'), texts), (lead) => {
      const other = Object.fromEntries(
        Object.entries(lead).map(([key, value]) => [
          key.toUpperCase(),
          `\n ${key === 'email' ? value.toUpperCase() : value} \t`,
        ]),
      );
      const codes = (fields: Record<string, unknown>) => scoreOf(fields).reasons.map(({ code }) => code);
      expect(codes(other)).toEqual(codes(lead));
    }),
  );
});

test('words are recognised whatever their case and the space between them', () => {
  const message = 'we offer link building and guest posts for businesses like yours';
  const spaced = message.toUpperCase().replaceAll(' ', ' \n\t ');
  const codes = (text: string) =>
    scoreOf({ message: text })
      .reasons.map(({ code }) => code)
      .filter((code) => code !== 'TEXT_SHOUTING' && !code.startsWith('CAP_'));
  expect(codes(spaced)).toEqual(codes(message));
});

test.each([
  ['a text of a megabyte', { message: 'spam http://x.example '.repeat(50_000) }],
  ['a word of a megabyte', { name: 'x'.repeat(1_000_000), email: `${'a'.repeat(1_000_000)}@x.de` }],
  ['a megabyte of dots', { message: '.'.repeat(1_000_000), email: `a${'.a'.repeat(500_000)}@b.de` }],
  ['a megabyte of brackets', { message: '{|<[='.repeat(200_000) }],
  [
    '10,000 keys',
    Object.fromEntries(Array.from({ length: 10_000 }, (_, number) => [`key${number}`, 'www.x.example'])),
  ],
  ['lone surrogates', { name: '\ud800\udc00\ud800', message: '\udfff'.repeat(3_000) }],
  ['deep nesting', JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`)],
  [
    'prototype keys',
    JSON.parse('{"__proto__":{"email":"x@mailinator.com"},"toString":"a","constructor":"b"}'),
  ],
  ['numbers as strings', { phone: 4_930_901_820, message: 12, email: 7, name: true }],
])('%s is scored like any other lead', (_, lead) => {
  const { risk, verdict } = scoreOf(lead as Record<string, unknown>);
  expect(Number.isInteger(risk)).toBe(true);
  expect(['clean', 'suspect', 'spam']).toContain(verdict);
});

test('a lead gets the same score whatever another scorer of the process scored in between', () => {
  const other = createScorer(data);
  const leads = fc.dictionary(keys, texts, { maxKeys: 6 });
  fc.assert(
    fc.property(leads, leads, (lead, between) => {
      const alone = scoreOf(lead);
      other.score(between, form, { now: 0 });
      expect(scoreOf(lead)).toEqual(alone);
    }),
  );
});

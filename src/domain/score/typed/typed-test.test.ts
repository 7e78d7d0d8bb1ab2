import { describe, expect, test } from 'vitest';
import { loadScoringData } from '../data.ts';
import { createScorer } from '../scorer.ts';
import { compileScoring } from '../settings/compile.ts';
import { defaultScoringSettings } from '../settings/settings.ts';

const scorer = createScorer(loadScoringData());
const form = compileScoring(defaultScoringSettings, [], 0);
const scoreOf = (fields: Record<string, unknown>) => scorer.score(fields, form, { now: 0 });
const email = 'anna.smith@gmail.com';
const question = 'Hello, we need a quote for 20 chairs for our office in Leeds.';

describe('a test typed by hand is suspect, not spam, and says so', () => {
  test.each([
    ['one letter throughout', { name: 'a', email: 'a@a.com', message: 'a' }],
    ['one letter as name and message', { name: 'x', email, message: 'x' }],
    [
      'a test address with everything else',
      { name: 'Test', email: 'test@test.com', phone: '1234567890', message: 'Test' },
    ],
    ['a test mailbox', { name: 'Anna Smith', email: 'test1@nordtec.de', message: question }],
    ['Max Mustermann', { name: 'Max Mustermann', email, message: question }],
    ['a sample name in two fields', { first_name: 'John', last_name: 'Doe', email, message: question }],
    ['the labels of the form', { name: 'Vorname Nachname', email, message: question }],
    [
      'Lorem ipsum',
      { name: 'Anna', email, message: 'Lorem ipsum dolor sit amet, consectetur adipiscing elit.' },
    ],
    ['digits in a row', { name: '1234', email, message: '12345' }],
    [
      'mashed keys throughout',
      { name: 'asdf', email: 'asdf@asdf.com', phone: '1111111111', message: 'asdf asdf' },
    ],
    ['mashed keys as the name', { name: 'sdfgsdfg', email, message: question }],
    ['mashed keys as the message', { name: 'Anna Smith', email, message: 'dfgdfg jklj' }],
  ])('%s', (_, lead) => {
    const { verdict, reasons } = scoreOf(lead);
    expect(verdict).toBe('suspect');
    expect(reasons[0]?.text).toMatch(/^Looks like a test/);
    expect(reasons[0]?.evidence).toBeTruthy();
  });
});

test.each([
  'Test',
  'this is a test',
  'Dies ist ein Test, bitte ignorieren',
  'ceci est un essai',
  'Esto es una prueba',
  'isto é um teste',
  'questo è un test',
  'wiadomość testowa',
  'Bu bir deneme',
  'это тест',
  'zkouška',
  'kiểm tra',
  'テスト',
  '测试',
  'اختبار',
])('"%s" is a test in its language', (message) => {
  expect(scoreOf({ name: 'Anna', email, message }).reasons.map(({ code }) => code)).toEqual([
    'LOOKS_LIKE_TEST',
  ]);
});

test.each([
  ['QWERTY', 'qwerty', 'hjkl'],
  ['QWERTZ', 'qwertz', 'jklö'],
  ['AZERTY', 'azerty', 'qsdf'],
  ['Cyrillic', 'йцукен', 'олдж'],
  ['repeated keys', 'fgfgfg', 'jkljkl'],
])('mashed keys are found on every keyboard: %s', (_, name, message) => {
  expect(scoreOf({ name, email, message }).reasons.map(({ code }) => code)).toContain('LOOKS_LIKE_TEST');
});

test('a test is never shown with a phone number beside it', () => {
  const shown = (message: string) => scoreOf({ name: 'Anna', email, message }).reasons[0]?.evidence;
  expect(['test 0171 5551234', '01715551234 asdf', 'test 123'].map(shown)).toEqual([
    'test',
    'asdf',
    'test 123',
  ]);
});

test.each([
  ['a test drive', { name: 'Anna Smith', email, message: 'test drive' }],
  ['a trial', { name: 'Anna Smith', email, message: 'I would like to test the product for a week.' }],
  ['a street', { name: 'Anna Smith', email, message: 'Wir wohnen in der Teststraße 5' }],
  ['a company', { name: 'Anna Smith', email: 'anna@test.de', company: 'Test GmbH', message: question }],
  ['a company as the name', { name: 'Test GmbH', email, message: question }],
  ['a surname', { name: 'Jon Tester', email: 'jon.tester@gmail.com', message: question }],
  ['nothing to say', { name: 'N/A', email, message: '-' }],
  ['a nickname', { name: 'kiki', email: 'kiki2011@gmail.com', message: 'hi' }],
  ['keys that also spell a name', { name: 'Fred Drew', email, message: 'Please call' }],
  ['a stretched word', { name: 'Anna Smith', email, message: 'coooooool' }],
])('a lead that only resembles a test is clean: %s', (_, lead) => {
  expect(scoreOf(lead)).toMatchObject({ verdict: 'clean', reasons: [] });
});

import { expect, test } from 'vitest';
import { loadScoringData } from '../data.ts';
import { createScorer } from '../scorer.ts';
import { compileScoring } from '../settings/compile.ts';
import { defaultScoringSettings } from '../settings/settings.ts';

const scorer = createScorer(loadScoringData());
const form = compileScoring(defaultScoringSettings, [], 0);
const scoreOf = (fields: Record<string, unknown>) => scorer.score(fields, form, { now: 0 });
const codesOf = (fields: Record<string, unknown>) => scoreOf(fields).reasons.map(({ code }) => code);

test.each([
  ['the whole name', 'Qxztrwk Vbnmgfp', 'qxztrwk.vbnmgfp@gmail.com'],
  ['an initial and digits', 'Qxztrwk Vbnmgfp', 'qvbnmgfp84@nordtec.de'],
  ['both names without a mark between them', 'Qxztrwk Vbnmgfp', 'vbnmgfpqxztrwk@gmail.com'],
  ['letters without accents', 'Vbnmgfpß Qxztrẅk', 'qxztrwkvbnmgfps@gmail.com'],
])('an unusual name and the address made from it do not add up: %s', (_, name, email) => {
  expect(codesOf({ name, email, message: 'Please call me back.' })).toEqual([]);
});

test('an unusual name and an unrelated random address both count', () => {
  const lead = { name: 'Vbnmgfpk', email: 'xkqjzwvtrpl@gmail.com', message: 'Please call me back.' };
  expect(codesOf(lead)).toEqual(['NAME_GIBBERISH', 'EMAIL_LOCAL_GIBBERISH']);
});

test.each([
  ['Greenlandic', 'Aqqaluk Qujaukitsoq', 'aqqaluk.qujaukitsoq@gmail.com'],
  ['Vietnamese', 'Nguyễn Thị Ngọc Huyền', 'huyennguyen199512@gmail.com'],
  ['Azeri', 'Rəşad Əliyev', 'rasad.eliyev19871205@mail.ru'],
  ['Welsh', 'Llŷr Gwyndaf Prydderch', 'llyr.prydderch@gmail.com'],
  ['Turkish', 'Gökhan Yiğit Kütükçüoğlu', 'gokhanyigit@hotmail.com'],
  ['Slovene', 'Črtomir Vrščaj', 'crtomirvrscaj@siol.net'],
  ['Bosnian', 'Hrnjić Džemal', 'dzemal.hrnjic84@gmail.com'],
  ['Igbo', 'Chukwuemeka Nwachukwu', 'nwachukwuchukwuemeka@yahoo.com'],
  ['Polish', 'Grzegorz Brzęczyszczykiewicz', 'gbrzeczyszczykiewicz@wp.pl'],
  ['Tamil', 'மீனாட்சி சுந்தரம்', 'meenakshi.s@gmail.com'],
  ['Tamil in Latin letters', 'Thirunavukkarasu Meenakshisundaram', 'thirunavukkarasum@gmail.com'],
  ['a double-barrelled name', 'Jean-Baptiste Müller-Lüdenscheidt', 'jb.mueller@web.de'],
  ['capitals', 'SIOBHÁN O’SHAUGHNESSY', 'siobhan@gmail.com'],
])('a person with a name is clean: %s', (_, name, email) => {
  expect(scoreOf({ name, email, message: 'Please call me back.' }).verdict).toBe('clean');
});

test.each([
  ['hfdghg', 'eieogx'],
  ['rcwoqmb', 'souqjx'],
  ['khniq', 'fjvelio'],
  ['beylsln', 'sogia'],
])('a random word in each field is at least suspect: %s, %s', (name, message) => {
  const { verdict, reasons } = scoreOf({ name, email: 'maria.lopez@gmail.com', message });
  expect(verdict).not.toBe('clean');
  expect(reasons.find(({ code }) => code === 'NAME_GIBBERISH')?.text).toContain(`"${name}"`);
});

test('a random message does not make an ordinary name random', () => {
  const lead = { name: 'Anna Smith', email: 'snowfox@gmail.com', message: 'xqvtkw' };
  expect(scoreOf(lead)).toMatchObject({ verdict: 'suspect', reasons: [{ code: 'TEXT_GIBBERISH' }] });
});

test('a random name alone, or a short answer to a real name, is clean', () => {
  expect(
    scoreOf({ name: 'zrwaxobq', email: 'maria.lopez@gmail.com', message: 'Please call me.' }).verdict,
  ).toBe('clean');
  expect(codesOf({ name: 'Zbigniew', email: 'maria.lopez@gmail.com', message: 'Rückruf' })).toEqual([]);
});

test.each([
  ['at the host of a website', 'ada@www.engines.io', 'engines.io'],
  ['with a misspelt provider too', 'ada@www.gmial.com', 'gmail.com'],
])('an address %s is a slip with a suggestion, not an invalid address or a link', (_, email, meant) => {
  expect(scoreOf({ email }).reasons).toMatchObject([{ code: 'EMAIL_TYPO', evidence: meant }]);
  expect(codesOf({ anything: email })).toEqual(['EMAIL_TYPO']);
});

test('a slip does not hide a disposable domain', () => {
  expect(codesOf({ email: 'ada@www.mailinator.com' })).toContain('EMAIL_DISPOSABLE');
});

test('www before a name in an address, or such an address in a message, is not a link', () => {
  expect(codesOf({ email: 'www.ada@engines.io' })).toEqual([]);
  expect(
    codesOf({ email: 'ada@engines.io', message: 'Could you write to bob@www.nordtec.de instead?' }),
  ).toEqual([]);
});

test.each([
  ['no @', 'nobody'],
  ['two dots in a row', 'a..b@engines.io'],
  ['contains a space', 'a b@engines.io'],
])('an invalid address says what is wrong, but not the address: %s', (evidence, email) => {
  expect(scoreOf({ email }).reasons).toMatchObject([{ code: 'EMAIL_INVALID', evidence }]);
});

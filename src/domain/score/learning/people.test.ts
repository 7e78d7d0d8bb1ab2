import { expect, test } from 'vitest';
import type { Mark } from '../../lead/mark.ts';
import { wordHash } from '../reading/word-hash.ts';
import { chooseMarks, type LeadMark, leadsPerPersonAndDayMax, learnedLeadsMax } from './chosen-marks.ts';
import { learn, type MarkedLesson } from './learn.ts';
import type { Lesson } from './lesson.ts';
import { shareOut } from './shares.ts';

const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));

/** Leads with these words, and a few words that only they have. */
function lessons(count: number, words: readonly string[], seed = 'x'): Lesson[] {
  return many(count, (n) => ({
    words: Int32Array.from([...words, ...many(5, (k) => `${seed}${n}k${k}`)], (word) => wordHash(word)),
    mailDomain: null,
    hosts: [],
  }));
}

const marked = (mark: Mark, person: string, taught: readonly Lesson[]): MarkedLesson[] =>
  taught.map((lesson, n) => ({ ...lesson, mark, person, markedAt: n }));

const others = lessons(50, ['hello', 'offer'], 'other');

function weightOf(word: string, marks: readonly MarkedLesson[]): number {
  const { words } = learn(marks, others).model ?? { words: [] };
  const place = words.findIndex((hash, at) => at % 2 === 0 && hash === wordHash(word));
  return place < 0 ? 0 : (words[place + 1] ?? 0);
}

test('marks of one person alone can teach a form', () => {
  expect(weightOf('ranking', marked('spam', 'ada', lessons(10, ['hello', 'ranking'])))).toBeGreaterThan(100);
});

test('with several people, nobody is more than 40 % of what counts, however many leads they mark', () => {
  for (const flood of [50, 1_000, 100_000]) {
    const people = [...Array(30).fill('ada'), ...Array(25).fill('bob'), ...Array(flood).fill('eve')];
    const shares = shareOut(people);
    expect(shares.get('ada')).toBe(1);
    const ofEve = flood * (shares.get('eve') ?? 0);
    expect(ofEve / (30 + 25 + ofEve)).toBeLessThanOrEqual(0.4001);
  }
});

test('a thousand marks of one person say no more than ten', () => {
  const few = weightOf('ranking', marked('spam', 'eve', lessons(10, ['ranking'])));
  expect(weightOf('ranking', marked('spam', 'eve', lessons(1_000, ['ranking'])))).toBeLessThanOrEqual(
    few + 15,
  );
});

test('someone who floods a form with the opposite mark cannot turn around what others have taught', () => {
  const honest = [
    ...marked('spam', 'ada', lessons(12, ['hello', 'ranking', 'backlinks'], 'a')),
    ...marked('spam', 'bob', lessons(12, ['hello', 'ranking'], 'b')),
    ...marked('not_spam', 'ada', lessons(12, ['hello', 'offer'], 'c')),
    ...marked('not_spam', 'bob', lessons(12, ['hello', 'offer'], 'd')),
  ];
  const flood = marked('not_spam', 'eve', lessons(1_000, ['ranking', 'backlinks'], 'e'));
  const before = weightOf('ranking', honest);
  expect(before).toBeGreaterThan(0);
  expect(weightOf('ranking', [...honest, ...flood])).toBeGreaterThan(0);
  expect(weightOf('backlinks', [...honest, ...flood])).toBeGreaterThanOrEqual(0);
  expect(
    weightOf('offer', [...honest, ...marked('spam', 'eve', lessons(1_000, ['offer'], 'f'))]),
  ).toBeLessThanOrEqual(0);
});

test('what one person says and another denies counts for neither, even if one of them says it more clearly', () => {
  const ada = [
    ...marked('spam', 'ada', lessons(5, ['ranking'], 'a')),
    ...marked('spam', 'ada', lessons(5, ['traffic'], 'b')),
  ];
  const eve = marked('not_spam', 'eve', lessons(1_000, ['ranking'], 'e'));
  expect(weightOf('ranking', ada)).toBeGreaterThan(0);
  expect(weightOf('ranking', [...ada, ...eve])).toBe(0);
  expect(weightOf('traffic', [...ada, ...eve])).toBeGreaterThan(0);
});

const day = Date.UTC(2026, 10, 1);
const marks = (person: string, count: number, from = day, stepMs = 50): LeadMark[] =>
  many(count, (n) => ({
    submissionId: `${person}${from}${n}`,
    mark: 'spam',
    person,
    markedAt: from + n * stepMs,
  }));

test('of each person no more than a hundred leads a day are learned from', () => {
  const chosen = chooseMarks([
    ...marks('eve', 1_000),
    ...marks('eve', 30, day + 86_400_000),
    ...marks('ada', 3),
  ]);
  const count = (who: string, from: number) =>
    chosen.filter(
      ({ person, markedAt }) => person === who && markedAt >= from && markedAt < from + 86_400_000,
    ).length;
  expect(count('eve', day)).toBe(leadsPerPersonAndDayMax);
  expect(count('eve', day + 86_400_000)).toBe(30);
  expect(count('ada', day)).toBe(3);
});

test('a flood of marks cannot push out what others have marked long ago', () => {
  const flood = many(60, (n) => marks('eve', 100, day + n * 86_400_000)).flat();
  const chosen = chooseMarks([...marks('ada', 20, day - 1e10), ...flood]);
  expect(chosen).toHaveLength(learnedLeadsMax);
  expect(chosen.filter(({ person }) => person === 'ada')).toHaveLength(20);
  expect(Math.max(...chosen.map(({ markedAt }) => markedAt))).toBe(
    Math.max(...flood.map(({ markedAt }) => markedAt)),
  );
});

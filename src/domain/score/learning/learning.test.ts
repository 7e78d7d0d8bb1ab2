import { expect, test } from 'vitest';
import type { Mark } from '../../lead/mark.ts';
import { loadScoringData } from '../data.ts';
import type { Score } from '../score.ts';
import { createScorer } from '../scorer.ts';
import { compileScoring } from '../settings/compile.ts';
import { defaultScoringSettings, type ScoringSettings } from '../settings/settings.ts';
import { learn, type MarkedLesson } from './learn.ts';
import { compileModel, domainsMax, type LearnedModel, slotsMax, wordsMax } from './learned-model.ts';
import { type Lesson, LessonReader } from './lesson.ts';

const scorer = createScorer(loadScoringData());
const plain = compileScoring(defaultScoringSettings, [], 0);

function lessonOf(fields: Record<string, unknown>): Lesson {
  const reader = new LessonReader();
  scorer.score(fields, plain, { now: 0, learning: reader });
  return reader.lesson;
}

const topics =
  'roof floor door wall stair lamp chair table shelf window garden kitchen cellar attic balcony'.split(' ');
const topic = (n: number) => topics[n % topics.length];
const letters = (n: number) => n.toString(36).replace(/\d/g, (digit) => 'qwertzuiop'[Number(digit)] ?? '');
/** Ordinary leads in different words. */
const ordinary = (n: number) => ({
  name: `Person ${n}`,
  email: `person${n}@company-${n}.de`,
  message: `Hello, we need an offer for the ${topic(n)} and ${topic(n * 7 + 3)} of our ${topic(n * 5 + 1)} in ${letters(n)}town`,
});
/** Leads about the same thing in different words. */
const drones = (n: number) => ({
  name: `Sender ${n}`,
  email: `sender${n}@drone-fleet.com`,
  message: `Hello, our drone pilots photograph the ${topic(n)} and ${topic(n * 3 + 1)} from the aerial side of ${letters(n)}town and ${letters(n)}ville`,
});
const weddings = (n: number) => ({
  message: `Dear team, for our wedding guests we would like flowers and ${topic(n)} with ${topic(n * 4 + 2)} near ${letters(n)}ford`,
});
const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));

function marked(mark: Mark, person: string, leads: readonly object[], markedAt = 0): MarkedLesson[] {
  return leads.map((fields, n) => ({
    ...lessonOf(fields as Record<string, unknown>),
    mark,
    person,
    markedAt: markedAt + n,
  }));
}

function scoreWith(
  model: LearnedModel | null,
  fields: Record<string, unknown>,
  settings: Partial<ScoringSettings> = {},
): Score {
  const learned = model === null ? null : { number: 3, model };
  return scorer.score(fields, compileScoring({ ...defaultScoringSettings, ...settings }, [], 0, learned), {
    now: 0,
  });
}

function shiftOf(score: Score): number {
  return score.reasons
    .filter(({ code }) => code.startsWith('LEARNED_'))
    .reduce((sum, { points }) => sum + points, 0);
}

const others = many(40, ordinary).map(lessonOf);
const spamTaught = learn(marked('spam', 'ada', many(10, drones)), others);
const newDrone = drones(77);
const newOrdinary = ordinary(78);

test('a lead like those marked as spam gets risk, with its own words and domains as evidence', () => {
  const score = scoreWith(spamTaught.model, newDrone);
  const finding = score.reasons.find(({ code }) => code === 'LEARNED_SPAM');
  expect(finding?.points).toBe(20);
  expect(finding?.evidence).toMatch(/drone|pilots|photograph|aerial/);
  expect(finding?.text).toBe(`Similar to leads you marked as spam: ${finding?.evidence}`);
  expect(score.reasons.reduce((sum, { points }) => sum + points, 0)).toBe(score.risk);
});

test('a lead like those marked as not spam loses risk', () => {
  const { model } = learn(marked('not_spam', 'ada', many(10, drones)), others);
  const risky = { ...newDrone, email: 'x@mailinator.com' };
  const before = scoreWith(null, risky);
  const after = scoreWith(model, risky);
  expect(after.reasons).toContainEqual(expect.objectContaining({ code: 'LEARNED_WANTED', points: -20 }));
  expect(after.risk).toBe(before.risk - 20);
});

test('leads that are like neither keep their score', () => {
  const both = learn(
    [...marked('spam', 'ada', many(10, drones)), ...marked('not_spam', 'ada', many(10, ordinary))],
    others,
  );
  expect(shiftOf(scoreWith(spamTaught.model, newOrdinary))).toBe(0);
  expect(shiftOf(scoreWith(both.model, newOrdinary))).toBeLessThanOrEqual(0);
  expect(shiftOf(scoreWith(both.model, { email: 'ada@gmail.com' }))).toBe(0);
});

test('the ruleset names what was learned, and a form that does not learn is as without marks', () => {
  const off = { learning: { enabled: false } };
  expect(scoreWith(spamTaught.model, newDrone).ruleset).toMatch(/\+learned\.3$/);
  expect(scoreWith(spamTaught.model, newDrone, off)).toEqual(scoreWith(null, newDrone));
});

test.each([
  [4, 4, false],
  [9, 4, false],
  [5, 5, true],
  [10, 0, true],
  [0, 9, false],
  [0, 10, true],
])('%i leads marked as spam and %i as not spam: enough is %s', (spam, wanted, isEnough) => {
  const lessons = [
    ...marked('spam', 'ada', many(spam, drones)),
    ...marked('not_spam', 'ada', many(wanted, weddings)),
  ];
  const learned = learn(lessons, others);
  expect(learned.model !== null).toBe(isEnough);
  expect(learned.leads).toEqual({ spam, not_spam: wanted });
});

test('marks of one kind never speak for the other kind', () => {
  const weights = spamTaught.model?.words.filter((_, place) => place % 2 === 1) ?? [];
  expect(weights.length).toBeGreaterThan(0);
  expect(Math.min(...weights)).toBeGreaterThan(0);
});

test('without anything to compare with, nothing is learned from words that all leads have', () => {
  const { model } = learn(marked('spam', 'ada', many(10, drones)), []);
  expect(model === null || model.words.length === 0).toBe(true);
});

test('no setting lets what was learned count for more than 20 points', () => {
  const heavy = {
    weights: { LEARNED_SPAM: 100, LEARNED_WANTED: -100 },
    families: { tenant: { scale: 2, cap: 100 } },
  };
  expect(shiftOf(scoreWith(spamTaught.model, newDrone, heavy))).toBe(20);
  const wanted = learn(marked('not_spam', 'ada', many(10, drones)), others);
  expect(shiftOf(scoreWith(wanted.model, newDrone, heavy))).toBe(-20);
  expect(shiftOf(scoreWith(wanted.model, newDrone, { weights: { LEARNED_WANTED: 100 } }))).toBe(0);
});

test('a form can let it count for less, or turn one of the rules off', () => {
  expect(shiftOf(scoreWith(spamTaught.model, newDrone, { weights: { LEARNED_SPAM: 5 } }))).toBe(5);
  expect(shiftOf(scoreWith(spamTaught.model, newDrone, { disabled: ['LEARNED_SPAM'] }))).toBe(0);
});

test('what was learned never makes spam of a lead with findings of one family', () => {
  const thresholds = { suspect: 30, spam: 45 };
  const lead = { ...newDrone, email: 'x@mailinator.com' };
  const score = scoreWith(spamTaught.model, lead, { thresholds });
  expect(score.risk).toBeGreaterThanOrEqual(45);
  expect(score.verdict).toBe('suspect');
  expect(scoreWith(spamTaught.model, newDrone, { thresholds: { suspect: 10, spam: 20 } }).verdict).toBe(
    'suspect',
  );
});

test('what was learned never overrides a honeypot or a list of the owner', () => {
  const { model } = learn(marked('not_spam', 'ada', many(10, drones)), others);
  const settings = { honeypot: ['fax'], thresholds: { suspect: 30, spam: 90 } };
  const bot = scoreWith(model, { ...newDrone, fax: '1' }, settings);
  expect([bot.verdict, shiftOf(bot)]).toEqual(['spam', 0]);
  const block = { emails: [], domains: ['drone-fleet.com'], keywords: [] };
  expect(shiftOf(scoreWith(model, newDrone, { block }))).toBe(0);
  const allow = { emails: [], domains: ['drone-fleet.com'] };
  expect(shiftOf(scoreWith(spamTaught.model, newDrone, { allow }))).toBe(0);
});

test('nothing that identifies a person is in a lesson', () => {
  const { words, mailDomain, hosts } = lessonOf({
    name: 'Ada Lovelace',
    company: 'Analytical Engines',
    phone: '+44 20 7946 0958',
    email: 'ada.lovelace@gmail.com',
    message: 'Call 020 7946 0958 or a1b2c3d4, order 4711, see https://www.engines.example/x',
  });
  const texts = lessonOf({ message: 'call order see' });
  expect([...words].toSorted()).toEqual([...texts.words].toSorted());
  expect(mailDomain).toBeNull();
  expect(hosts).toEqual(['engines.example']);
});

test('a word that fewer than three marked leads contain leaves no trace', () => {
  const lessons = marked(
    'spam',
    'ada',
    many(13, (n) =>
      n < 2
        ? { message: n === 0 ? 'Lovelace wants zeppelins today' : 'Zeppelins Lovelace sold cheaply' }
        : drones(n),
    ),
  );
  const { model } = learn(lessons, others);
  const secret = new Set(lessonOf({ message: 'Lovelace zeppelins' }).words);
  expect(model?.words.some((hash) => secret.has(hash))).toBe(false);
});

test('leads that repeat one text count once, even if each has a word that no other has', () => {
  const copies = many(50, (n) => ({
    message: `Our drone pilots photograph roofs from the aerial side, buy now or never unique${'abcdefghij'[n % 10]}${'klmnopqrst'[Math.floor(n / 10)]}`,
  }));
  const { model, leads } = learn(marked('spam', 'ada', copies), others);
  expect(leads).toEqual({ spam: 1, not_spam: 0 });
  expect(model).toBeNull();
});

test('a hostile lead of thousands of words cannot make a model large, or score beyond the bound', () => {
  const words = (from: number) => many(220, (n) => `w${letters(from + n)}w`).join(' ');
  const hostile = many(40, (n) => ({
    message: words(n * 40),
    subject: words(n * 40 + 220),
    email: `x@example-domain-with-a-long-name-${n % 9}.org`,
    comments: many(30, (k) => `http://h${(k + n) % 50}.long-name-of-a-host-${n % 4}.example.net`).join(' '),
  }));
  const { model } = learn(marked('spam', 'ada', hostile), others);
  expect(JSON.stringify(model).length).toBeLessThan(16_384);
  expect(model?.words.length).toBeLessThanOrEqual(2 * wordsMax);
  expect(model?.domains.length).toBeLessThanOrEqual(domainsMax);
  const largest = {
    words: many(2 * wordsMax, (n) => n * 7919 + 1),
    domains: many(domainsMax, (n) => ({
      kind: 'email' as const,
      domain: `${n}${'x'.repeat(60)}`,
      weight: -400,
    })),
  };
  expect(compileModel(largest).mask).toBeLessThan(slotsMax);
  expect(Math.abs(shiftOf(scoreWith(model, hostile[0] as Record<string, unknown>)))).toBeLessThanOrEqual(20);
  expect(shiftOf(scoreWith(spamTaught.model, { message: many(8_000, (n) => `x${n}`).join(' ') }))).toBe(0);
});

test('the same marks in another order teach the same', () => {
  const lessons = [
    ...marked('spam', 'ada', many(12, drones)),
    ...marked('not_spam', 'bob', many(12, ordinary)),
  ];
  expect(learn(lessons.toReversed(), others.toReversed())).toEqual(learn(lessons, others));
});

import { RepeatMemory } from '../../../../src/domain/score/repeat-memory.ts';
import type { Verdict } from '../../../../src/domain/score/score.ts';
import type { Scorer } from '../../../../src/domain/score/scorer.ts';
import { compileScoring } from '../../../../src/domain/score/settings/compile.ts';
import { defaultScoringSettings } from '../../../../src/domain/score/settings/settings.ts';
import { businessMessages, shortMessages } from '../../samples.ts';
import { randomNumbers } from '../../tuning-data.ts';
import { spun } from './spinning.ts';

type Lead = Readonly<Record<string, string>>;
/** The leads of one form, in their order. */
type Stream = readonly Lead[];

const floodSize = 500;
const spunTexts = 10;
const sharesChanged = [0.05, 0.1, 0.2, 0.3, 0.4];
const form = compileScoring({ ...defaultScoringSettings, honeypot: ['fax'] }, [], 1);
/** 500 leads take four hours. */
const pauseMs = 30_000;

/** Honeypots and floods, which only the settings of a form and the memory of earlier leads can reveal. */
export function evaluateFloods(scorer: Scorer, customerMessages: readonly string[]): string[] {
  const streams: [string, readonly Stream[]][] = [
    ...plainFloods(),
    ...spunFloods(customerMessages),
    ...honestStreams(customerMessages),
  ];
  return streams.map(([title, all]) => {
    const verdicts = all.flatMap((stream) => verdictsOf(scorer, stream));
    const alone = all.flat().map((fields) => scorer.score(fields, form, { now: 0 }).verdict);
    return `       ${title.padEnd(46)} ${shares(verdicts, alone)}`;
  });
}

function plainFloods(): [string, readonly Stream[]][] {
  const message = businessMessages[0] as string;
  const filledIn = textOf(4);
  return [
    ['honeypot filled', [flood((n) => ({ ...lead(n, pick(businessMessages, n % 20)), fax: 'x' }))]],
    ['flood: the same lead', [flood(() => lead(1, message))]],
    ['flood: one word, always the same person', [flood(() => lead(1, 'Hi'))]],
    ['form with a prefilled text', [flood((n) => lead(n, filledIn))]],
    ['the same with a number in the text', [flood((n) => lead(n, `${filledIn} Reference ${n}.`))]],
  ];
}

/** The texts themselves are harmless, so only repetition can speak against them; then addresses and links do as well. */
function spunFloods(customerMessages: readonly string[]): [string, readonly Stream[]][] {
  const random = randomNumbers(11);
  const words =
    customerMessages
      .join(' ')
      .toLowerCase()
      .match(/[a-z]{3,}/g) ?? [];
  const floods = (share: number) =>
    Array.from({ length: spunTexts }, (_, first) =>
      flood((n) => lead(n, spun(textOf(first), share, words, random))),
    );
  const withLink = ({ message = '', ...rest }: Lead, n: number): Lead => ({
    ...rest,
    email: `ada${n}@mailinator.com`,
    message: `${message} https://offer${n}.example.top/x`,
  });
  return sharesChanged.flatMap((share): [string, readonly Stream[]][] => {
    const plain = floods(share);
    return [
      [`spun flood: ${share * 100} % of the words changed`, plain],
      ['the same with links and throw-away addresses', plain.map((stream) => stream.map(withLink))],
    ];
  });
}

function honestStreams(customerMessages: readonly string[]): [string, readonly Stream[]][] {
  const random = randomNumbers(7);
  const mixed = customerMessages
    .map((text) => ({ text, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ text }) => text);
  const isLong = (text: string) => text.split(/\s+/).length >= 20;
  const sent = (texts: readonly string[]) => [texts.map((text, n) => lead(n, text))];
  return [
    ['honest: short messages of different people', [flood((n) => lead(n, pick(shortMessages, n)))]],
    ['honest: an address, nothing else', [flood((n) => ({ email: `ada${n}@engines.co` }))]],
    ['honest: questions of bank customers', sent(mixed)],
    ['honest: only those of 20 words and more', sent(mixed.filter(isLong))],
    ['honest: the same, subject by subject', sent(customerMessages.filter(isLong))],
  ];
}

function lead(number: number, message: string): Lead {
  return { name: 'Ada Lovelace', email: `ada${number}@engines.co`, message };
}

/** Some 50 words. */
function textOf(first: number): string {
  return businessMessages.slice(first, first + 3).join(' ');
}

function flood(make: (number: number) => Lead): Stream {
  return Array.from({ length: floodSize }, (_, number) => make(number));
}

function verdictsOf(scorer: Scorer, stream: Stream): Verdict[] {
  const memory = new RepeatMemory();
  return stream.map((fields, number) => {
    const now = number * pauseMs;
    return scorer.score(fields, form, { now, see: (print) => memory.see('form', print, now) }).verdict;
  });
}

/** `alone`: the verdicts without any memory. */
function shares(verdicts: readonly Verdict[], alone: readonly Verdict[]): string {
  const share = (isWanted: (verdict: Verdict, number: number) => boolean) =>
    `${((verdicts.filter(isWanted).length / verdicts.length) * 100).toFixed(2).padStart(6)} %`;
  const atLeast = share((verdict) => verdict !== 'clean');
  const spam = share((verdict) => verdict === 'spam');
  const changed = share((verdict, number) => verdict !== alone[number]);
  return `suspect or worse ${atLeast}, spam ${spam}, by repetition ${changed} of ${verdicts.length}`;
}

function pick(list: readonly string[], number: number): string {
  return list[number % list.length] as string;
}

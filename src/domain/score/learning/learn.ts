import type { Mark } from '../../lead/mark.ts';
import {
  type DomainKind,
  domainHash,
  domainsMax,
  type LearnedDomain,
  type LearnedModel,
  weightUnit,
  wordsMax,
} from './learned-model.ts';
import type { Lesson } from './lesson.ts';
import { shareOut } from './shares.ts';

export interface MarkedLesson extends Lesson {
  readonly mark: Mark;
  readonly person: string;
  readonly markedAt: number;
}

export interface Learned {
  /** Null while there is too little to learn from. */
  readonly model: LearnedModel | null;
  /** The leads that count, by mark. */
  readonly leads: Readonly<Record<Mark, number>>;
  readonly people: number;
  /** When the first of them was marked. */
  readonly since: number | null;
}

/** So many leads with either mark, or so many with one, are needed. */
export const leadsOfEachMin = 5;
export const leadsOfOneMin = 10;
/** Leads in which a feature must occur, so that no single lead leaves a trace. */
const leadsPerWordMin = 3;
const leadsPerDomainMin = 2;
/** How many leads of the average kind are assumed of each mark: a few marks say little. */
const assumedLeads = 5;
const ratioMin = 0.5;
const ratioMax = 4;
/** Leads that have this much in common, and nothing else with any other lead, are the same lead in other words. */
const sameShare = 0.9;

/** Where a feature occurs. A feature is a word or a domain, by its hash. */
interface Occurrence {
  readonly spam: Support;
  readonly wanted: Support;
  /** In leads without a mark. */
  others: number;
  readonly domain: { readonly kind: DomainKind; readonly domain: string } | null;
}

/** The leads with one mark in which it occurs. */
interface Support {
  /** The sum of their weights. */
  weight: number;
  leads: number;
  /** Null if several people have marked them. */
  by: string | null;
}

type Kind = 'spam' | 'wanted';

/**
 * How much more often words and domains occur in leads marked as spam than in those marked as not spam. `others` are leads of
 * the same form without a mark: what is usual there says nothing. The same lessons always give the same model.
 */
export function learn(marked: readonly MarkedLesson[], others: readonly Lesson[]): Learned {
  const counted = countedOnce(marked.filter((lesson) => featureCount(lesson) > 0));
  const spam = counted.filter(({ mark }) => mark === 'spam');
  const wanted = counted.filter(({ mark }) => mark === 'not_spam');
  const times = counted.map(({ markedAt }) => markedAt);
  return {
    model: modelOf(spam, wanted, others),
    leads: { spam: spam.length, not_spam: wanted.length },
    people: new Set(counted.map(({ person }) => person)).size,
    since: times.length === 0 ? null : times.reduce((first, at) => Math.min(first, at)),
  };
}

function modelOf(
  spam: readonly MarkedLesson[],
  wanted: readonly MarkedLesson[],
  others: readonly Lesson[],
): LearnedModel | null {
  const areBoth = Math.min(spam.length, wanted.length) >= leadsOfEachMin;
  const isUsed = {
    spam: areBoth || spam.length >= leadsOfOneMin,
    wanted: areBoth || wanted.length >= leadsOfOneMin,
  };
  if (!isUsed.spam && !isUsed.wanted) return null;
  const found = new Map<number, Occurrence>();
  const sums = {
    spam: count(found, spam, 'spam'),
    wanted: count(found, wanted, 'wanted'),
    others: others.length,
  };
  for (const lesson of others)
    for (const [hash] of featuresOf(lesson)) {
      const occurrence = found.get(hash);
      if (occurrence !== undefined) occurrence.others++;
    }
  const weighed = [...found]
    .map(([hash, occurrence]) => ({ hash, occurrence, weight: weightOf(occurrence, sums, isUsed) }))
    .filter(({ weight }) => weight !== 0)
    // The hash decides among equals, so that the order of leads does not matter.
    .toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight) || a.hash - b.hash);
  const domains: LearnedDomain[] = weighed
    .flatMap(({ occurrence: { domain }, weight }) => (domain === null ? [] : [{ ...domain, weight }]))
    .slice(0, domainsMax);
  const words = weighed
    .filter(({ occurrence }) => occurrence.domain === null)
    .slice(0, wordsMax)
    .flatMap(({ hash, weight }) => [hash, weight]);
  return domains.length + words.length === 0 ? null : { words, domains };
}

/** Returns the sum of the weights. */
function count(found: Map<number, Occurrence>, lessons: readonly MarkedLesson[], kind: Kind): number {
  const shares = shareOut(lessons.map(({ person }) => person));
  let sum = 0;
  for (const lesson of lessons) {
    const weight = shares.get(lesson.person) ?? 0;
    sum += weight;
    for (const [hash, domain] of featuresOf(lesson)) {
      const occurrence = found.get(hash) ?? { spam: noSupport(), wanted: noSupport(), others: 0, domain };
      const support = occurrence[kind];
      support.by = support.leads === 0 || support.by === lesson.person ? lesson.person : null;
      support.weight += weight;
      support.leads++;
      found.set(hash, occurrence);
    }
  }
  return sum;
}

const noSupport = (): Support => ({ weight: 0, leads: 0, by: null });

/**
 * The logarithm of how much more likely a feature is in spam, in hundredths; 0 if it is left out. Without marks of one kind,
 * leads of that kind are assumed to be like all leads of the form, and nothing can speak for it.
 */
function weightOf(
  { spam, wanted, others, domain }: Occurrence,
  sums: Readonly<Record<Kind | 'others', number>>,
  isUsed: Readonly<Record<Kind, boolean>>,
): number {
  const usual = (spam.weight + wanted.weight + others + 0.5) / (sums.spam + sums.wanted + sums.others + 1);
  const rate = (kind: Kind, { weight }: Support) =>
    isUsed[kind] ? (weight + assumedLeads * usual) / (sums[kind] + assumedLeads) : usual;
  const ratio = Math.log(rate('spam', spam) / rate('wanted', wanted));
  const [kind, own, opposite] =
    ratio > 0 ? (['spam', spam, wanted] as const) : (['wanted', wanted, spam] as const);
  const leadsMin = domain === null ? leadsPerWordMin : leadsPerDomainMin;
  if (!isUsed[kind] || own.leads < leadsMin || Math.abs(ratio) < ratioMin) return 0;
  if (isContested(own, opposite, leadsMin)) return 0;
  return Math.round(weightUnit * Math.min(ratioMax, Math.max(-ratioMax, ratio)));
}

/** Nobody overrules others alone: what one person says, and others deny, counts for neither. */
function isContested(own: Support, opposite: Support, leadsMin: number): boolean {
  return own.by !== null && opposite.leads >= leadsMin && opposite.by !== own.by;
}

function featureCount({ words, mailDomain, hosts }: Lesson): number {
  return words.length + hosts.length + (mailDomain === null ? 0 : 1);
}

function* featuresOf({ words, mailDomain, hosts }: Lesson): Generator<[number, Occurrence['domain']]> {
  for (const hash of words) yield [hash, null];
  if (mailDomain !== null) yield [domainHash('email', mailDomain), { kind: 'email', domain: mailDomain }];
  for (const host of hosts) yield [domainHash('link', host), { kind: 'link', domain: host }];
}

/**
 * Leads that say the same count once for each mark, even if each has a word that no other has: someone who sends a text a thousand
 * times, or marks it, has said one thing. The first one that was marked counts.
 */
function countedOnce(marked: readonly MarkedLesson[]): MarkedLesson[] {
  const leads = new Map<number, number>();
  for (const lesson of marked)
    for (const [hash] of featuresOf(lesson)) leads.set(hash, (leads.get(hash) ?? 0) + 1);
  const seen = new Set<string>();
  return marked
    .toSorted((a, b) => a.markedAt - b.markedAt)
    .filter((lesson) => {
      const shared = [...featuresOf(lesson)]
        .map(([hash]) => hash)
        .filter((hash) => (leads.get(hash) ?? 0) > 1);
      if (shared.length < sameShare * featureCount(lesson)) return true;
      const key = `${lesson.mark} ${shared.toSorted((a, b) => a - b).join()}`;
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    });
}

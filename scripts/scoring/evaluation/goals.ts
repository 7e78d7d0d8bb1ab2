import type { Share } from './clustered-share.ts';
import type { CorpusLead } from './corpus-leads.ts';
import { unseenShares } from './rows.ts';
import { basisOf, type CorpusBasis } from './tuned.ts';

type Measure = 'suspect or worse' | 'spam';

interface Goal {
  readonly title: string;
  readonly measure: Measure;
  readonly limit: number;
  /** Whether at least or at most the limit is asked for. */
  readonly isFloor: boolean;
  readonly includes: (lead: CorpusLead) => boolean;
}

/** A goal with what is to be expected on texts of unknown sources. */
export interface GoalRow {
  readonly title: string;
  readonly measure: Measure;
  readonly limit: number;
  readonly isFloor: boolean;
  readonly isMet: boolean;
  /** Whether the whole interval is on one side of the limit. */
  readonly isCertain: boolean;
  readonly basis: CorpusBasis;
  readonly unseen: Share;
}

const pitchLanguages = new Set(['en', 'de', 'fr', 'es']);
const isNewsletter = ({ family }: CorpusLead) => family === 'wanted/newsletter';
/** A whole message: one sentence of an offer could come from anyone. */
const pitchWordsMin = 20;
const isPitch = ({ family, language, words }: CorpusLead) =>
  family.startsWith('sales/') && pitchLanguages.has(language) && words >= pitchWordsMin;
const isAdvert = ({ family }: CorpusLead) => family.startsWith('advert/');
const wantedFamilies = ['consumer', 'enquiry', 'fault', 'link', 'other', 'risky'];
const salesFamilies = ['seo', 'guest-post', 'cold', 'services', 'supplier', 'traffic', 'web'];
const advertFamilies = ['adult', 'gambling', 'goods', 'pharma', 'praise', 'social'];

const goals: readonly Goal[] = [
  ...clean('clean families', (lead) => lead.family.startsWith('wanted/') && !isNewsletter(lead)),
  ...wantedFamilies.flatMap((name) => clean(`wanted/${name}`, ({ family }) => family === `wanted/${name}`)),
  ...clean('customers', ({ source }) => source === 'customers'),
  ...['en', 'fr'].map((code) =>
    atMost(`business tickets, ${code}`, 'suspect or worse', 0.015, ({ family, language }) => {
      return family === 'wanted/fault' && language === code;
    }),
  ),
  atMost('wanted newsletters', 'spam', 0.02, isNewsletter),
  atMost('newsletters among emails', 'spam', 0.02, ({ family }) => family === 'emails, newsletters'),
  ...[...pitchLanguages].map((code) =>
    atLeast(`whole pitches, ${code}`, 0.75, (lead) => isPitch(lead) && lead.language === code),
  ),
  ...salesFamilies.map((name) =>
    atLeast(
      `whole pitches, ${name} (en, de, fr, es)`,
      0.75,
      (lead) => isPitch(lead) && lead.family === `sales/${name}`,
    ),
  ),
  atLeast('whole pitches, all (en, de, fr, es)', 0.75, isPitch),
  atLeast('lures with a link', 0.8, ({ family, hasLink }) => family === 'fraud/lure' && hasLink),
  atLeast('lures, all', 0.8, ({ family }) => family === 'fraud/lure'),
  atLeast('adverts with a link', 0.8, (lead) => isAdvert(lead) && lead.hasLink),
  ...advertFamilies.map((name) =>
    atLeast(
      `adverts with a link, ${name}`,
      0.8,
      ({ family, hasLink }) => family === `advert/${name}` && hasLink,
    ),
  ),
  atLeast('comment spam with a link', 0.8, ({ family, hasLink }) => family === 'comments, spam' && hasLink),
  atLeast('crypto, en', 0.85, ({ family, language }) => family === 'fraud/crypto' && language === 'en'),
  atLeast('crypto, ru', 0.7, ({ family, language }) => family === 'fraud/crypto' && language === 'ru'),
];

function clean(title: string, includes: Goal['includes']): Goal[] {
  return [atMost(title, 'suspect or worse', 0.01, includes), atMost(title, 'spam', 0.0005, includes)];
}

function atMost(title: string, measure: Measure, limit: number, includes: Goal['includes']): Goal {
  return { title, measure, limit, isFloor: false, includes };
}

function atLeast(title: string, limit: number, includes: Goal['includes']): Goal {
  return { title, measure: 'suspect or worse', limit, isFloor: true, includes };
}

/** Goals without a single lead are left out: the emails are optional. */
export function goalRows(leads: readonly CorpusLead[]): GoalRow[] {
  return goals.flatMap(({ includes, ...goal }) => {
    const own = leads.filter(includes);
    if (own[0] === undefined) return [];
    const { suspectOrWorse, spam } = unseenShares(own);
    const unseen = goal.measure === 'spam' ? spam : suspectOrWorse;
    const isMet = isWithin(goal, unseen.share);
    const isCertain = isWithin(goal, unseen.low) === isWithin(goal, unseen.high);
    return [{ ...goal, isMet, isCertain, basis: basisOf(own[0]), unseen }];
  });
}

function isWithin({ isFloor, limit }: Pick<Goal, 'isFloor' | 'limit'>, share: number): boolean {
  return isFloor ? share >= limit : share <= limit;
}

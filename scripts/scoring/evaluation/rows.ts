import type { Verdict } from '../../../src/domain/score/score.ts';
import { clusteredShare, type Share } from './clustered-share.ts';
import type { CorpusLead } from './corpus-leads.ts';
import { basisOf, type CorpusBasis } from './tuned.ts';

/** The percentage of the same leads by a scorer that has not seen their source and by the shipped one, which has. */
export interface Gap {
  readonly unseen: Share;
  readonly seen: Share;
  /** Unseen minus seen, in percentage points. */
  readonly points: number;
}

export interface Row {
  /** A family such as `sales/seo`, or a whole class such as `sales/*`. */
  readonly family: string;
  /** Null for all languages together. */
  readonly language: string | null;
  readonly isWanted: boolean;
  readonly basis: CorpusBasis;
  readonly suspectOrWorse: Gap;
  readonly spam: Gap;
  /** `suspect or worse` of the source with the lowest and of the one with the highest percentage. */
  readonly bySource: { readonly lowest: number; readonly highest: number } | null;
}

/** With fewer clusters, a language gets no row: its interval would be wider than any difference. */
const languageClustersMin = 30;

const isSuspectOrWorse = (verdict: Verdict) => verdict !== 'clean';
const isSpam = (verdict: Verdict) => verdict === 'spam';

/** Classes, then families, then their languages where there are enough texts. */
export function rowsOf(leads: readonly CorpusLead[]): Row[] {
  const written = leads.filter(({ family }) => family.includes('/'));
  const classOf = ({ family }: CorpusLead) => `${family.split('/')[0]}/*`;
  const familyOf = ({ family }: CorpusLead) => family;
  return [
    ...groups(written, classOf).map(([family, own]) => rowOf(family, null, own)),
    ...groups(leads, familyOf).map(([family, own]) => rowOf(family, null, own)),
    ...groups(written, classOf).flatMap(([family, own]) => languageRows(family, own)),
    ...groups(written, familyOf).flatMap(([family, own]) => languageRows(family, own)),
  ];
}

function languageRows(family: string, leads: readonly CorpusLead[]): Row[] {
  return groups(leads, ({ language }) => language)
    .map(([language, own]) => rowOf(family, language, own))
    .filter(({ spam }) => spam.unseen.clusters >= languageClustersMin);
}

function groups(leads: readonly CorpusLead[], keyOf: (lead: CorpusLead) => string): [string, CorpusLead[]][] {
  return [...Map.groupBy(leads, keyOf)];
}

function rowOf(family: string, language: string | null, leads: readonly CorpusLead[]): Row {
  const [first] = leads as [CorpusLead];
  return {
    family,
    language,
    isWanted: first.isWanted,
    basis: basisOf(first),
    suspectOrWorse: gapOf(leads, isSuspectOrWorse),
    spam: gapOf(leads, isSpam),
    bySource: rangeBySource(leads),
  };
}

function gapOf(leads: readonly CorpusLead[], isHit: (verdict: Verdict) => boolean): Gap {
  const unseen = unseenShare(leads, isHit);
  const seen = clusteredShare(leads.map((lead) => ({ cluster: lead.cluster, isHit: isHit(lead.seen) })));
  return { unseen, seen, points: (unseen.share - seen.share) * 100 };
}

function unseenShare(leads: readonly CorpusLead[], isHit: (verdict: Verdict) => boolean): Share {
  return clusteredShare(leads.map(({ cluster, unseen }) => ({ cluster, isHit: isHit(unseen.verdict) })));
}

export function unseenShares(leads: readonly CorpusLead[]): { suspectOrWorse: Share; spam: Share } {
  return { suspectOrWorse: unseenShare(leads, isSuspectOrWorse), spam: unseenShare(leads, isSpam) };
}

/** Four authors differ more than an interval over their templates says: the next one may be as far off as these. */
function rangeBySource(leads: readonly CorpusLead[]): Row['bySource'] {
  const shares = groups(leads, ({ source }) => source).map(
    ([, own]) => unseenShares(own).suspectOrWorse.share,
  );
  if (shares.length < 2) return null;
  return { lowest: Math.min(...shares), highest: Math.max(...shares) };
}

import type { LeadFields } from '../../../src/domain/lead/lead.ts';
import type { Score } from '../../../src/domain/score/score.ts';
import type { Share } from './clustered-share.ts';
import type { CorpusLead } from './corpus-leads.ts';
import type { FamilyRow, ScoredFamily } from './family-rows.ts';
import type { GoalRow } from './goals.ts';
import type { Gap, Row } from './rows.ts';
import type { Leak } from './split-check.ts';
import { tunedByHand } from './tuned.ts';

const titleLength = 44;
const missesMax = 40;

export function estimateLines(rows: readonly Row[]): string[] {
  const head = `${'family'.padEnd(26)} ${'clusters/texts'.padStart(14)}  ${columns('suspect or worse')}  ${columns('spam')}  ${'by source'.padStart(11)}  basis`;
  const below = `${' '.repeat(43)}${'unseen [95 %]         seen    gap  '.padEnd(38)}${'unseen [95 %]         seen    gap  '}`;
  return [
    'Estimate for unknown sources: each source is scored by a text model trained without it and its near duplicates',
    head,
    below,
    ...rows.map(rowLine),
  ];
}

const columns = (title: string) => title.padEnd(36);

function rowLine({ family, language, basis, suspectOrWorse, spam, bySource }: Row): string {
  const title = language === null ? family : `${family} ${language}`;
  const { clusters, items } = suspectOrWorse.unseen;
  const range =
    bySource === null ? '' : `${(bySource.lowest * 100).toFixed(1)}–${(bySource.highest * 100).toFixed(1)}`;
  return `${title.padEnd(26)} ${`${clusters}/${items}`.padStart(14)}  ${gapText(suspectOrWorse)}  ${gapText(spam)}  ${range.padStart(11)}  ${basis}`;
}

function gapText({ unseen, seen, points }: Gap): string {
  const sign = points > 0 ? '+' : '';
  return `${shareText(unseen)} ${percent(seen.share)} ${`${sign}${points.toFixed(1)}`.padStart(6)}`;
}

export function goalLines(goals: readonly GoalRow[]): string[] {
  return [
    'Goals, by the estimate for unknown sources ("?": the interval includes the limit)',
    ...goals.map(({ title, measure, limit, isFloor, isMet, isCertain, unseen, basis }) => {
      const wanted = `${isFloor ? '≥' : '≤'} ${limit * 100} %`;
      return `${isMet ? 'met   ' : 'MISSED'}${isCertain ? ' ' : '?'} ${title.padEnd(titleLength)} ${measure.padEnd(16)} ${shareText(unseen)} ${wanted.padStart(8)} of ${unseen.clusters} clusters, ${basis}`;
    }),
  ];
}

export function familyLines(rows: readonly FamilyRow[]): string[] {
  return [
    'Other families, by the shipped scorer. "tuned": rules were written while looking at these messages',
    ...rows.map(({ name, isMet, basis, suspectOrWorse, spam }) => {
      const of = `${suspectOrWorse.clusters}/${suspectOrWorse.items}`;
      return `${isMet ? 'met   ' : 'MISSED'}  ${name.padEnd(titleLength)} suspect or worse ${shareText(suspectOrWorse)}, spam ${shareText(spam)} of ${of}, ${basis}`;
    }),
  ];
}

export function tunedLines(): string[] {
  return [
    'Tuned by hand, and the rows that are better for it',
    ...tunedByHand.map(({ what, on, rows }) => `  ${what}\n      on ${on}; rows: ${rows}`),
  ];
}

export function leakLines(leaks: readonly Leak[]): string[] {
  return [
    'Left in other sources after the split: runs of four words, and texts of which most runs are elsewhere',
    ...leaks.map(
      ({ source, texts, runsElsewhere, textsElsewhere }) =>
        `  ${source.padEnd(12)} ${percent(runsElsewhere)} of the runs, ${percent(textsElsewhere)} of ${texts} texts`,
    ),
  ];
}

/** Texts of one cluster are alike: one of them is listed. */
export function missLines(leads: readonly CorpusLead[], family: string | null): string[] {
  const missed = leads.filter(({ isWanted, unseen }) => isWanted === (unseen.verdict !== 'clean'));
  const asked = missed.filter((lead) => family === null || lead.family.startsWith(family));
  const once = [...Map.groupBy(asked, ({ cluster }) => cluster).values()].map((own) => own[0] as CorpusLead);
  return [...Map.groupBy(once, (lead) => lead.family)].flatMap(([name, own]) => [
    `Misses of ${name}: ${own.length} clusters`,
    ...own
      .slice(0, missesMax)
      .map(({ source, language, lead, unseen }) => missLine(`${source} ${language}`, lead, unseen)),
  ]);
}

export function familyMissLines(families: readonly ScoredFamily[], family: string | null): string[] {
  return families
    .filter(({ row }) => family === null || row.name.startsWith(family))
    .flatMap(({ row, scored }) => {
      const missed = scored.filter(({ score }) => (score.verdict === 'clean') !== row.isClean);
      if (missed.length === 0) return [];
      const lines = missed.slice(0, missesMax).map(({ lead, score }) => missLine('', lead, score));
      return [`Misses of ${row.name}: ${missed.length} leads`, ...lines];
    });
}

function missLine(origin: string, lead: LeadFields, { risk, reasons }: Score): string {
  const found = reasons.map(({ code, points, evidence }) => `${code} ${points} ${evidence ?? ''}`.trim());
  return `  ${String(risk).padStart(3)} ${origin} ${JSON.stringify(lead).slice(0, 300)} ${found.join(', ')}`;
}

function shareText({ share, low, high }: Share): string {
  return `${percent(share)} ${`[${(low * 100).toFixed(1)}–${(high * 100).toFixed(1)}]`.padEnd(12)}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2).padStart(6)} %`;
}

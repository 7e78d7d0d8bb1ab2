import { type Rule, type RuleCode, rules } from './rules.ts';
import type { ScoreReason, Verdict } from './score.ts';
import { effectivePoints } from './settings/effective-points.ts';
import type { ScoringSettings } from './settings/settings.ts';
import { type StoredReason, shownReasons } from './stored-reasons.ts';
import { fitShare, intentShare, riskDivisor, scoreFrom, within } from './verdict.ts';

/** A lead as it was scored and stored. */
export interface ScoredLead {
  readonly score: number;
  readonly risk: number;
  /** The scorer's, whatever a person has marked. */
  readonly verdict: Verdict;
  readonly reasons: readonly StoredReason[];
}

/** Fit, intent or risk. */
interface ScorePart {
  /** `sum` limited to 0 to 100. */
  readonly total: number;
  readonly sum: number;
  /** To one decimal; null if the formula of an earlier release was used, which is not known here. */
  readonly adds: number | null;
  readonly reasons: readonly ScoreReason[];
}

/** Something that would raise the score. */
interface MissingMerit {
  readonly code: string;
  readonly family: 'fit' | 'intent';
  readonly text: string;
  /** What fit or intent would gain, before its limit. */
  readonly points: number;
  /** What the score would gain from this alone. */
  readonly adds: number;
}

export interface ScoreExplanation {
  readonly fit: ScorePart;
  readonly intent: ScorePart;
  readonly risk: ScorePart;
  /** Null for spam, whose fit and intent are not kept, and for the formula of an earlier release. */
  readonly withoutRisk: number | null;
  /** What would add most comes first. */
  readonly missing: readonly MissingMerit[];
}

/** What the score of a lead is made of, and why it is not higher, under the settings that scored it. */
export function explainScore(lead: ScoredLead, settings: ScoringSettings): ScoreExplanation {
  const { reasons, merits, fit, intent } = shownReasons(lead.reasons);
  const ofFit = merits.filter(({ family }) => family === 'fit');
  const ofIntent = merits.filter(({ family }) => family === 'intent');
  const isSpam = lead.verdict === 'spam';
  const isKnown = !isSpam && scoreFrom(fit, intent, lead.risk) === lead.score;
  const adds = isSpam ? nothing : isKnown ? contributions(fit, intent, lead) : unknown;
  return {
    fit: { total: fit, sum: sumOf(ofFit), adds: adds.fit, reasons: ofFit },
    intent: { total: intent, sum: sumOf(ofIntent), adds: adds.intent, reasons: ofIntent },
    risk: { total: lead.risk, sum: sumOf(reasons), adds: adds.risk, reasons },
    withoutRisk: isKnown ? scoreFrom(fit, intent, 0) : null,
    missing: isKnown ? missingMerits(lead, merits, settings) : [],
  };
}

const nothing = { fit: 0, intent: 0, risk: 0 };
const unknown = { fit: null, intent: null, risk: null };

/** In whole tenths, so that they add up exactly, to a number that rounds to the score. */
function contributions(fit: number, intent: number, { score, risk }: ScoredLead): typeof nothing {
  const ofFit = Math.round(fit * fitShare * 10);
  const ofIntent = Math.round(intent * intentShare * 10);
  const exact = Math.round((ofFit + ofIntent) * (1 - risk / riskDivisor));
  const total = Math.min(score * 10 + 4, Math.max(score * 10 - 5, exact));
  return { fit: ofFit / 10, intent: ofIntent / 10, risk: (total - ofFit - ofIntent) / 10 };
}

/** Of these rules a lead can meet one, so the others are not missing as well. */
const alternatives: readonly (readonly RuleCode[])[] = [
  ['FIT_BUSINESS_DOMAIN', 'FIT_INSTITUTION', 'FIT_FREE_MAIL', 'FIT_DISPOSABLE'],
  ['FIT_TITLE_TOP', 'FIT_TITLE_HEAD', 'FIT_TITLE_MANAGER'],
  ['FIT_COUNTRY_WANTED', 'FIT_COUNTRY_OTHER'],
];
/** Without these, what is missing is something else. */
const conditions: Readonly<Partial<Record<RuleCode, readonly RuleCode[]>>> = {
  FIT_COMPANY_DOMAIN: ['FIT_COMPANY', 'FIT_BUSINESS_DOMAIN'],
  FIT_NAME_IN_EMAIL: ['FIT_FULL_NAME'],
};
const groups = groupsOf(rules.filter(({ axis }) => axis === 'score'));

function groupsOf(ofScore: readonly (Rule & { readonly code: RuleCode })[]) {
  const isAlone = ({ code }: { readonly code: RuleCode }) =>
    !alternatives.some((group) => group.includes(code));
  return [
    ...alternatives.map((codes) => ofScore.filter(({ code }) => codes.includes(code))),
    ...ofScore.filter(isAlone).map((rule) => [rule]),
  ];
}

function missingMerits(
  { score, risk }: ScoredLead,
  merits: readonly ScoreReason[],
  settings: ScoringSettings,
): MissingMerit[] {
  const sums = { fit: 0, intent: 0 };
  for (const { family, points } of merits)
    if (family === 'fit' || family === 'intent') sums[family] += points;
  const scoreWith = (family: 'fit' | 'intent', points: number) => {
    const more = { ...sums, [family]: sums[family] + points };
    return scoreFrom(within(more.fit), within(more.intent), risk);
  };
  return groups
    .map((group) => bestOf(group, merits, settings))
    .filter((best) => best !== null)
    .map((best) => ({ ...best, adds: scoreWith(best.family, best.points) - score }))
    .filter(({ adds }) => adds > 0)
    .toSorted((a, b) => b.adds - a.adds || b.points - a.points);
}

/** The best that rules of which a lead meets one could give, compared with what they gave. */
function bestOf(
  group: readonly (Rule & { readonly code: RuleCode })[],
  merits: readonly ScoreReason[],
  settings: ScoringSettings,
): Omit<MissingMerit, 'adds'> | null {
  const found = merits.filter(({ code }) => group.some((rule) => rule.code === code));
  const have = sumOf(found);
  const possible = group
    .filter(({ code }) => isPossible(code, merits, settings))
    .map((rule) => ({ rule, points: effectivePoints(rule, settings) }))
    .toSorted((a, b) => b.points - a.points);
  const best = possible.find(({ rule, points }) => points > 0 && rule.missing !== undefined);
  if (best !== undefined) {
    const { code, family, missing } = best.rule;
    return best.points <= have ? null : shownAs(code, family, missing ?? code, best.points - have);
  }
  const against = found.find(({ points }) => points < 0);
  return against === undefined ? null : shownAs(against.code, against.family, against.text, -have);
}

function shownAs(code: string, family: Rule['family'] | undefined, text: string, points: number) {
  return { code, family: family === 'intent' ? family : 'fit', text, points } as const;
}

function isPossible(code: RuleCode, merits: readonly ScoreReason[], { expect }: ScoringSettings): boolean {
  if (code === 'FIT_TITLE_WANTED') return expect.titles.length > 0;
  if (code === 'FIT_COUNTRY_WANTED') return expect.countries.length > 0;
  return (conditions[code] ?? []).every((needed) => merits.some((merit) => merit.code === needed));
}

function sumOf(reasons: readonly ScoreReason[]): number {
  return reasons.reduce((sum, { points }) => sum + points, 0);
}

import { type Hit, type Hits, isRisk, reasonOf } from './hits.ts';
import { type RuleCode, ruleIndex, rules } from './rules.ts';
import type { Grade, Score, ScoreReason, Verdict } from './score.ts';
import type { CompiledScoring } from './settings/compile.ts';
import { riskFamilies } from './settings/settings.ts';

const gradeFloors: readonly [Grade, number][] = [
  ['A', 75],
  ['B', 55],
  ['C', 35],
  ['D', 15],
  ['E', 0],
];
/** How much fit, intent and risk count. */
export const fitShare = 0.6;
export const intentShare = 0.4;
export const riskDivisor = 140;
const capRules = riskFamilies.map((family) =>
  ruleIndex(`CAP_${family.toUpperCase()}` satisfies string as RuleCode),
);
const familyOfRule = rules.map(({ family, axis }) =>
  axis === 'risk' ? (riskFamilies as readonly string[]).indexOf(family) : -1,
);
const isFit = Uint8Array.from(rules, ({ family }) => (family === 'fit' ? 1 : 0));
const isDecisive = Uint8Array.from(rules, ({ decisive }) => (decisive === true ? 1 : 0));
const allowRule = ruleIndex('LIST_ALLOWED');
/** A long lead is neither good nor bad, and what was learned repeats in part what other families found. */
const isNoFamily = Uint8Array.from(rules, ({ code }) =>
  code === 'LEAD_READ_IN_PART' || code === 'LEARNED_SPAM' ? 1 : 0,
);

/** Adds everything up. The points of the reasons are exactly the risk, so a cap is a reason too. */
export function conclude(hits: Hits, form: CompiledScoring): Score {
  const { isDecided, familyCount } = applyCaps(hits, form);
  let risk = 0;
  let fit = 0;
  let intent = 0;
  for (const { rule, points } of hits.list) {
    if (isRisk[rule] === 1) risk += points;
    else if (isFit[rule] === 1) fit += points;
    else intent += points;
  }
  risk = within(risk);
  const verdict = verdictOf(risk, isDecided || familyCount > 1, form);
  const isSpam = verdict === 'spam';
  fit = isSpam ? 0 : within(fit);
  intent = isSpam ? 0 : within(intent);
  const score = scoreFrom(fit, intent, risk);
  return {
    score,
    risk,
    grade: gradeOf(score),
    verdict,
    fit,
    intent,
    reasons: reasonsOf(hits.list, 1),
    merits: isSpam ? [] : reasonsOf(hits.list, 0),
    ruleset: form.ruleset,
  };
}

const sums = new Int32Array(riskFamilies.length);

/** A decisive finding is never capped. */
function applyCaps(hits: Hits, form: CompiledScoring): { isDecided: boolean; familyCount: number } {
  sums.fill(0);
  let isDecided = false;
  let families = 0;
  for (const { rule, points } of hits.list) {
    const family = familyOfRule[rule] as number;
    if (family < 0 || rule === allowRule) continue;
    if (points > 0 && isNoFamily[rule] === 0) families |= 1 << family;
    if (isDecisive[rule] === 1) isDecided ||= points > 0;
    else sums[family] = (sums[family] as number) + points;
  }
  let familyCount = 0;
  for (let family = 0; family < sums.length; family++) {
    familyCount += (families >> family) & 1;
    const excess = (sums[family] as number) - (form.caps[family] as number);
    if (excess > 0) hits.addPoints(capRules[family] as number, -excess, null, null);
  }
  return { isDecided, familyCount };
}

/** One family of findings is never enough for spam, unless a finding is decisive. */
function verdictOf(risk: number, mayBeSpam: boolean, { suspect, spam }: CompiledScoring): Verdict {
  if (risk >= spam && mayBeSpam) return 'spam';
  return risk >= suspect ? 'suspect' : 'clean';
}

function gradeOf(score: number): Grade {
  for (const [grade, floor] of gradeFloors) if (score >= floor) return grade;
  return 'E';
}

/** The score of a lead that is not spam. */
export function scoreFrom(fit: number, intent: number, risk: number): number {
  return within(Math.round((fitShare * fit + intentShare * intent) * (1 - risk / riskDivisor)));
}

export function within(points: number): number {
  return Math.min(100, Math.max(0, points));
}

/** Heaviest first; of equal weight, in the order in which they were found. */
function reasonsOf(list: readonly Hit[], isOfRisk: 0 | 1): readonly ScoreReason[] {
  let count = 0;
  for (const hit of list) {
    if (isRisk[hit.rule] !== isOfRisk) continue;
    const weight = Math.abs(hit.points);
    let place = count++;
    for (; place > 0 && weight > Math.abs((ordered[place - 1] as Hit).points); place--)
      ordered[place] = ordered[place - 1] as Hit;
    ordered[place] = hit;
  }
  const reasons: ScoreReason[] = [];
  for (let place = 0; place < count; place++) reasons.push(reasonOf(ordered[place] as Hit));
  return reasons;
}

/** Serves all leads in turn. */
const ordered: Hit[] = [];

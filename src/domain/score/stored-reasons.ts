import { textWith } from './hits.ts';
import { type Rule, ruleOf } from './rules.ts';
import type { Score, ScoreReason } from './score.ts';

/** The stored part of a reason. Family, axis and text are in the table of rules, where a code never changes its meaning. */
export type StoredReason = Pick<ScoreReason, 'code' | 'points' | 'field' | 'evidence'> & {
  /** Only on leads that were scored before the table existed. */
  readonly text?: string;
};

/** As it is in the database: most reasons have only a code and points, and are one short text there, as in "FIT_COMPANY 15". */
export type PackedReason = string | StoredReason;

/** Kept short, because it is written with every lead: as objects, reasons take more space than an ordinary lead. */
export function packReasons(score: Parameters<typeof storedReasons>[0]): PackedReason[] {
  return storedReasons(score).map((reason) =>
    reason.field === undefined && reason.evidence === undefined ? `${reason.code} ${reason.points}` : reason,
  );
}

/** Leads that an earlier release scored have objects only. */
export function unpackReasons(packed: readonly PackedReason[]): StoredReason[] {
  return packed.map((reason) => {
    if (typeof reason !== 'string') return reason;
    const [code, points] = reason.split(' ');
    return { code, points: Number(points) } as StoredReason;
  });
}

export function storedReasons({
  reasons,
  // Leads that an earlier release left in the spool have none.
  merits = [],
}: Pick<Score, 'reasons'> & Partial<Pick<Score, 'merits'>>): StoredReason[] {
  return [...reasons, ...merits].map(
    ({ code, points, field, evidence }) => ({ code, points, field, evidence }) as StoredReason,
  );
}

/** A reason in a list. */
export type ListedReason = Pick<ScoreReason, 'code' | 'points'>;

export interface ShownReasons<Reason = ScoreReason> {
  readonly reasons: Reason[];
  readonly merits: Reason[];
  readonly fit: number;
  readonly intent: number;
}

export function shownReasons(stored: readonly StoredReason[]): ShownReasons {
  return sorted(stored, shown);
}

/** Without the texts, which are long and need work. */
export function listedReasons(stored: readonly StoredReason[]): ShownReasons<ListedReason> {
  return sorted(stored, ({ code, points }) => ({ code, points }));
}

/** Apart by axis; the merits add up to fit and intent. */
function sorted<Reason>(
  stored: readonly StoredReason[],
  show: (reason: StoredReason, rule: Rule | null) => Reason,
): ShownReasons<Reason> {
  const reasons: Reason[] = [];
  const merits: Reason[] = [];
  const sums = { fit: 0, intent: 0 };
  for (const reason of stored) {
    const rule = ruleOf(reason.code);
    (rule?.axis === 'score' ? merits : reasons).push(show(reason, rule));
    if (rule?.axis === 'score' && (rule.family === 'fit' || rule.family === 'intent'))
      sums[rule.family] += reason.points;
  }
  return { reasons, merits, fit: limited(sums.fit), intent: limited(sums.intent) };
}

/** Rules that no longer exist. Leads that they scored still have to say why. */
const retiredTexts = new Map([
  ['TEXT_MODEL_STRONG', 'Wording very similar to known spam'],
  ['TEXT_MODEL_MEDIUM', 'Wording similar to known spam'],
  ['TEXT_MODEL_WEAK', 'Wording slightly similar to known spam'],
  ['PHRASES_PITCH', 'Sales pitch: "{evidence}"'],
]);

function shown(reason: StoredReason, rule: Rule | null): ScoreReason {
  if (rule === null) {
    const text = textWith(retiredTexts.get(reason.code) ?? reason.code, reason.evidence);
    return { ...reason, text: reason.text ?? text };
  }
  const { family, axis, text } = rule;
  return { ...reason, family, axis, text: reason.text ?? textWith(text, reason.evidence) };
}

function limited(sum: number): number {
  return Math.min(100, Math.max(0, sum));
}

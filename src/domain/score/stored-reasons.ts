import { textWith } from './hits.ts';
import { ruleOf } from './rules.ts';
import type { Score, ScoreReason } from './score.ts';

/** The stored part of a reason. Family, axis and text are in the table of rules, where a code never changes its meaning. */
export type StoredReason = Pick<ScoreReason, 'code' | 'points' | 'field' | 'evidence'> & {
  /** Only on leads that were scored before the table existed. */
  readonly text?: string;
};

/** Kept short, because it is written with every lead. */
export function storedReasons({
  reasons,
  // Leads that an earlier release left in the spool have none.
  merits = [],
}: Pick<Score, 'reasons'> & Partial<Pick<Score, 'merits'>>): StoredReason[] {
  return [...reasons, ...merits].map(
    ({ code, points, field, evidence }) => ({ code, points, field, evidence }) as StoredReason,
  );
}

export interface ShownReasons {
  readonly reasons: ScoreReason[];
  readonly merits: ScoreReason[];
  readonly fit: number;
  readonly intent: number;
}

export function shownReasons(stored: readonly StoredReason[]): ShownReasons {
  const all = stored.map(shown);
  const merits = all.filter(({ axis }) => axis === 'score');
  return {
    reasons: all.filter(({ axis }) => axis !== 'score'),
    merits,
    fit: sumOf(merits, 'fit'),
    intent: sumOf(merits, 'intent'),
  };
}

function shown(reason: StoredReason): ScoreReason {
  const rule = ruleOf(reason.code);
  if (rule === null) return { ...reason, text: reason.text ?? reason.code };
  const { family, axis, text } = rule;
  return { ...reason, family, axis, text: reason.text ?? textWith(text, reason.evidence) };
}

function sumOf(merits: readonly ScoreReason[], family: 'fit' | 'intent'): number {
  const sum = merits.reduce((total, merit) => total + (merit.family === family ? merit.points : 0), 0);
  return Math.min(100, Math.max(0, sum));
}

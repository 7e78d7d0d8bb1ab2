import type { CompiledScoring } from './compile.ts';
import { type RuleCode, ruleIndex, rules } from './rules.ts';
import type { ScoreReason } from './score.ts';

export interface Hit {
  readonly rule: number;
  readonly points: number;
  readonly field: string | null;
  readonly evidence: string | null;
}

const hitsMax = 64;

/** The findings about one lead, with the points its form gives them. */
export class Hits {
  readonly list: Hit[] = [];
  #form: CompiledScoring;

  constructor(form: CompiledScoring) {
    this.#form = form;
  }

  add(code: RuleCode, field: string | null = null, evidence: string | null = null): void {
    const rule = ruleIndex(code);
    this.addPoints(rule, this.#form.points[rule] as number, field, evidence);
  }

  addPoints(rule: number, points: number, field: string | null, evidence: string | null): void {
    if (points !== 0 && this.list.length < hitsMax) this.list.push({ rule, points, field, evidence });
  }

  /** The same finding in several fields counts once. */
  addOnce(code: RuleCode, field: string | null = null, evidence: string | null = null): void {
    if (!this.has(code)) this.add(code, field, evidence);
  }

  has(code: RuleCode): boolean {
    const rule = ruleIndex(code);
    return this.list.some((hit) => hit.rule === rule);
  }

  get hasRisk(): boolean {
    return this.list.some(({ rule }) => rules[rule]?.axis === 'risk');
  }
}

const evidenceCharactersMax = 60;

export function reasonOf({ rule, points, field, evidence }: Hit): ScoreReason {
  const { code, family, axis, text } = rules[rule] as (typeof rules)[number];
  const shown = evidence === null ? null : shortened(evidence);
  return {
    code,
    family,
    axis,
    points,
    ...(field === null ? {} : { field }),
    text: textWith(text, shown),
    ...(shown === null ? {} : { evidence: shown }),
  };
}

export function textWith(text: string, evidence: string | null | undefined): string {
  return text.replace('{evidence}', () => evidence ?? '…');
}

/** Short, in one line, and well formed: it was written by whoever sent the lead. */
function shortened(evidence: string): string {
  const line = evidence
    .slice(0, evidenceCharactersMax)
    .toWellFormed()
    .replace(/[\p{C}\s]+/gu, ' ');
  return evidence.length > evidenceCharactersMax ? `${line}…` : line;
}

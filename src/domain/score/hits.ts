import { type RuleCode, ruleIndex, rules } from './rules.ts';
import type { ScoreReason } from './score.ts';
import type { CompiledScoring } from './settings/compile.ts';

export interface Hit {
  readonly rule: number;
  readonly points: number;
  readonly field: string | null;
  readonly evidence: string | null;
}

const hitsMax = 64;
const isWording = Uint8Array.from(rules, ({ code }) =>
  code.startsWith('PHRASES_') || (code.startsWith('WORDING_') && code !== 'WORDING_DOUBTFUL') ? 1 : 0,
);
const baitCodes: ReadonlySet<string> = new Set<RuleCode>([
  'WORDING_FRAUD',
  'PHRASES_LURE',
  'PHRASES_PRIZE',
  'PHRASES_CRYPTO',
]);
const isBait = Uint8Array.from(rules, ({ code }) => (baitCodes.has(code) ? 1 : 0));
export const isRisk = Uint8Array.from(rules, ({ axis }) => (axis === 'risk' ? 1 : 0));

/** The findings about one lead, with the points its form gives them. One object serves all leads in turn. */
export class Hits {
  list: Hit[] = [];
  /** The sum of the risk points so far, before any cap. */
  risk = 0;
  #form: CompiledScoring | null = null;
  readonly #found = new Uint8Array(rules.length);

  begin(form: CompiledScoring): void {
    for (const { rule } of this.list) this.#found[rule] = 0;
    this.list = [];
    this.risk = 0;
    this.#form = form;
  }

  add(code: RuleCode, field: string | null = null, evidence: string | null = null): void {
    this.#addRule(ruleIndex(code), field, evidence);
  }

  addPoints(rule: number, points: number, field: string | null, evidence: string | null): void {
    if (points === 0 || this.list.length >= hitsMax) return;
    this.list.push({ rule, points, field, evidence });
    this.#found[rule] = 1;
    if (isRisk[rule] === 1) this.risk += points;
  }

  /** The same finding in several fields counts once. */
  addOnce(code: RuleCode, field: string | null = null, evidence: string | null = null): void {
    const rule = ruleIndex(code);
    if (this.#found[rule] === 0) this.#addRule(rule, field, evidence);
  }

  #addRule(rule: number, field: string | null, evidence: string | null): void {
    this.addPoints(rule, this.#form?.points[rule] ?? 0, field, evidence);
  }

  /** True if spam phrases were found, or wording clearly similar to spam. */
  get readsLikeSpam(): boolean {
    for (const { rule } of this.list) if (isWording[rule] === 1) return true;
    return false;
  }

  /** True if the text wants its reader to follow a link: a parcel, an account, a prize, gains. */
  get readsLikeBait(): boolean {
    for (const { rule } of this.list) if (isBait[rule] === 1) return true;
    return false;
  }

  has(code: RuleCode): boolean {
    return this.#found[ruleIndex(code)] === 1;
  }
}

export const evidenceCharactersMax = 60;
/** Real form keys are shorter. Without a limit, a 100 KB key would be stored again with each finding. */
const fieldCharactersMax = 128;

/** A finding without field and evidence reads the same in each lead, unless its form gives it other points. */
const plainReasons: ScoreReason[] = rules.map(({ code, family, axis, points, text }) =>
  Object.freeze({ code, family, axis, points, text }),
);

export function reasonOf({ rule, points, field, evidence }: Hit): ScoreReason {
  if (field === null && evidence === null) return plainReason(rule, points);
  const { code, family, axis, text } = rules[rule] as (typeof rules)[number];
  if (evidence === null) return { code, family, axis, points, field: shownKey(field as string), text };
  const shown = shortened(evidence);
  const told = { code, family, axis, points, text: textWith(text, shown), evidence: shown };
  return field === null ? told : { ...told, field: shownKey(field) };
}

function shownKey(key: string): string {
  return key.length <= fieldCharactersMax ? key : `${key.slice(0, fieldCharactersMax).toWellFormed()}…`;
}

function plainReason(rule: number, points: number): ScoreReason {
  const plain = plainReasons[rule] as ScoreReason;
  return plain.points === points ? plain : { ...plain, points };
}

export function textWith(text: string, evidence: string | null | undefined): string {
  // Earlier releases stored some findings without evidence.
  if (evidence === null || evidence === undefined) text = text.replace(/: "?\{evidence\}"?$/, '');
  return text.replace('{evidence}', () => evidence ?? '…');
}

/** As almost all evidence is. */
const isShowable = /^[!-~]+(?: [!-~]+)*$/;

/** Short, on one line and well formed, because the sender wrote it. */
function shortened(evidence: string): string {
  if (evidence.length <= evidenceCharactersMax && isShowable.test(evidence)) return evidence;
  const line = evidence
    .slice(0, evidenceCharactersMax)
    .toWellFormed()
    .replace(/[\p{C}\s]+/gu, ' ');
  return evidence.length > evidenceCharactersMax ? `${line}…` : line;
}

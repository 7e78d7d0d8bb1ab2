import type { FormField } from '../form.ts';
import type { LeadFields } from '../lead.ts';
import type { CompiledScoring } from './compile.ts';
import { classifyDomain, parseEmail } from './email.ts';
import { type FieldKind, type RecognisedField, recogniseFields } from './fields.ts';

export const verdicts = ['clean', 'suspect', 'spam'] as const;
export type Verdict = (typeof verdicts)[number];
export type Grade = 'A' | 'B' | 'C' | 'D' | 'E';

/** One finding, in a sentence for the owner. The points of all findings add up to the risk. */
export interface ScoreReason {
  readonly code: string;
  readonly points: number;
  readonly field?: string;
  readonly text: string;
}

type Finding = Omit<ScoreReason, 'points'>;

export interface Score {
  readonly score: number;
  readonly risk: number;
  readonly grade: Grade;
  readonly verdict: Verdict;
  readonly reasons: readonly ScoreReason[];
  readonly ruleset: string;
}

const scannedCharactersMax = 2_048;
const linkShape = /https?:\/\/|www\./i;
const gradeFloors: readonly [Grade, number][] = [
  ['A', 75],
  ['B', 55],
  ['C', 35],
  ['D', 15],
  ['E', 0],
];
const qualityPoints: Record<FieldKind, number> = { email: 40, name: 20, company: 25, phone: 15 };

/** Pure and synchronous: it runs before the commit of each lead. */
export function score(fields: LeadFields, form: CompiledScoring): Score {
  const recognised = recogniseFields(fields);
  const findings: Finding[] = [];
  if (recognised.length === 0) findings.push(...emptyLead(fields));
  for (const field of recognised) {
    const finding = field.kind === 'email' ? emailFinding(field) : linkFinding(field);
    if (finding !== null) findings.push(finding);
  }
  if (form.fields.length > 0) findings.push(...missingFields(fields, form.fields));
  const reasons: ScoreReason[] = [];
  let sum = 0;
  for (const finding of findings) {
    const points = form.points.get(finding.code) ?? 0;
    if (points !== 0) reasons.push({ ...finding, points });
    sum += points;
  }
  const risk = Math.max(0, Math.min(100, sum));
  const { suspect, spam } = form.thresholds;
  const verdict = risk >= spam ? 'spam' : risk >= suspect ? 'suspect' : 'clean';
  const final = verdict === 'spam' ? 0 : Math.round(completeness(recognised) * (1 - risk / 140));
  return { score: final, risk, grade: gradeOf(final), verdict, reasons, ruleset: form.ruleset };
}

function gradeOf(score: number): Grade {
  for (const [grade, floor] of gradeFloors) if (score >= floor) return grade;
  return 'E';
}

function emptyLead(fields: LeadFields): Finding[] {
  const filled = Object.keys(fields).some((key) => fields[key] !== null && fields[key] !== '');
  return filled ? [] : [{ code: 'LEAD_EMPTY', text: 'The lead has no filled field.' }];
}

function emailFinding({ key, value }: RecognisedField): Finding | null {
  const email = parseEmail(value);
  if (email === null) {
    return { code: 'EMAIL_INVALID', field: key, text: 'The e-mail address is not valid.' };
  }
  if (classifyDomain(email.domain) !== 'disposable') return null;
  const text = `The address uses ${email.domain}, a throw-away mail service.`;
  return { code: 'EMAIL_DISPOSABLE', field: key, text };
}

function linkFinding({ key, kind, value }: RecognisedField): Finding | null {
  if (!linkShape.test(value.slice(0, scannedCharactersMax))) return null;
  return { code: 'LINK_IN_NAME', field: key, text: `The ${kind} contains a link.` };
}

function missingFields(fields: LeadFields, configured: readonly FormField[]): Finding[] {
  return configured
    .filter(
      ({ key, required }) => required === true && isEmpty(Object.hasOwn(fields, key) ? fields[key] : null),
    )
    .map(({ key, label }) => ({
      code: 'FIELD_MISSING',

      field: key,
      text: `The required field "${label ?? key}" is missing or empty.`,
    }));
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

function completeness(recognised: readonly RecognisedField[]): number {
  let quality = 0;
  for (const [i, { kind }] of recognised.entries()) {
    const isFirst = recognised.findIndex((field) => field.kind === kind) === i;
    if (isFirst) quality += qualityPoints[kind];
  }
  return quality;
}

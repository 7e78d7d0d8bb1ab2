import type { FormField } from '../../form.ts';
import { type CompiledModel, compileModel, type NumberedModel } from '../learning/learned-model.ts';
import { rules } from '../rules.ts';
import { effectivePoints } from './effective-points.ts';
import type { FieldKind } from './field-kinds.ts';
import { compileGlob, type Glob } from './glob.ts';
import { type RiskFamily, riskFamilies, type ScoringSettings } from './settings.ts';

/** Changes whenever rules, tables or models change. */
export const rulesVersion = '2026.11.8';

/** The most that a family can count, unless the form sets another cap. */
export const familyCaps: Readonly<Record<RiskFamily, number>> = {
  email: 60,
  identity: 45,
  links: 50,
  content: 38,
  phone: 15,
  behaviour: 60,
  repeat: 45,
  tenant: 100,
};

/** The settings of one form in a flat form: built once per version, read for each lead. */
export interface CompiledScoring {
  readonly ruleset: string;
  /** By index of the rule in the table; 0 disables it. */
  readonly points: Int16Array;
  /** By index of the family in `riskFamilies`. */
  readonly caps: Int16Array;
  readonly suspect: number;
  readonly spam: number;
  readonly honeypot: ReadonlySet<string>;
  readonly timing: { readonly renderedAtField: string; readonly minMs: number } | null;
  readonly countries: ReadonlySet<string>;
  readonly titles: readonly Glob[];
  readonly allowed: AddressList;
  readonly blocked: AddressList;
  readonly keywords: readonly { readonly glob: Glob; readonly text: string; readonly points: number }[];
  readonly fieldMap: ReadonlyMap<string, FieldKind>;
  readonly required: readonly { readonly key: string; readonly label: string }[];
  /** What the form has learned from marks; null if it has learned nothing, or does not use it. */
  readonly learned: CompiledModel | null;
}

export interface AddressList {
  readonly emails: ReadonlySet<string>;
  readonly domains: ReadonlySet<string>;
}

/** `version` is that of the form's settings; 0 for settings that were never changed. */
export function compileScoring(
  settings: ScoringSettings,
  formFields: readonly FormField[],
  version: number,
  learned: NumberedModel | null = null,
): CompiledScoring {
  const used = settings.learning.enabled ? learned : null;
  return {
    ruleset: rulesetOf(version, used?.number ?? 0),
    points: Int16Array.from(rules, (rule) => effectivePoints(rule, settings)),
    caps: Int16Array.from(riskFamilies, (family) => settings.families[family]?.cap ?? familyCaps[family]),
    suspect: settings.thresholds.suspect,
    spam: settings.thresholds.spam,
    honeypot: new Set(settings.honeypot),
    timing: settings.timing,
    countries: new Set(settings.expect.countries),
    titles: settings.expect.titles.map((title) => compileGlob(title)),
    allowed: compileList(settings.allow),
    blocked: compileList(settings.block),
    keywords: settings.block.keywords.map(({ text, points }) => ({ glob: compileGlob(text), text, points })),
    fieldMap: compileFieldMap(settings, formFields),
    required: formFields
      .filter(({ required }) => required === true)
      .map(({ key, label }) => ({ key, label: label ?? key })),
    learned: used === null ? null : compileModel(used.model),
  };
}

/** Names the versions of everything that decides a score. */
function rulesetOf(version: number, learnedNumber: number): string {
  const form = version === 0 ? '' : `+form.${version}`;
  return `${rulesVersion}${form}${learnedNumber === 0 ? '' : `+learned.${learnedNumber}`}`;
}

/** The contract has already normalised the entries. */
function compileList({
  emails,
  domains,
}: {
  readonly emails: readonly string[];
  readonly domains: readonly string[];
}): AddressList {
  return { emails: new Set(emails.map(lower)), domains: new Set(domains.map(lower)) };
}

function lower(text: string): string {
  return text.toLowerCase();
}

const kindByType: Partial<Record<NonNullable<FormField['type']>, FieldKind>> = {
  email: 'email',
  phone: 'phone',
  url: 'website',
};

/** The kind that the form's fields or settings declare takes precedence over what the key suggests. */
function compileFieldMap(
  { fieldMap }: ScoringSettings,
  formFields: readonly FormField[],
): ReadonlyMap<string, FieldKind> {
  const map = new Map<string, FieldKind>();
  for (const { key, type } of formFields) {
    const kind = type === undefined ? undefined : kindByType[type];
    if (kind !== undefined) map.set(key, kind);
  }
  for (const key of Object.keys(fieldMap)) map.set(key, fieldMap[key] as FieldKind);
  return map;
}

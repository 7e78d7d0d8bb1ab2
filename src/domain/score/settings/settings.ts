import type { FieldKind } from './field-kinds.ts';

/** Who the leads come from: companies, consumers, event guests, people who need support. */
export const presets = ['b2b', 'b2c', 'event', 'support'] as const;
export type Preset = (typeof presets)[number];

export const riskFamilies = [
  'email',
  'identity',
  'links',
  'content',
  'phone',
  'behaviour',
  'repeat',
  'tenant',
] as const;
export type RiskFamily = (typeof riskFamilies)[number];

interface KeywordRule {
  /** Plain text, or a glob with `*`; never a regular expression. */
  readonly text: string;
  readonly points: number;
}

/** How one form scores its leads. Validated by the contract, stored with a version, compiled once. */
export interface ScoringSettings {
  readonly preset: Preset;
  readonly thresholds: { readonly suspect: number; readonly spam: number };
  /** Points by rule code, instead of the rule's own. */
  readonly weights: Readonly<Record<string, number>>;
  readonly families: Readonly<
    Partial<Record<RiskFamily, { readonly cap?: number; readonly scale?: number }>>
  >;
  readonly disabled: readonly string[];
  readonly honeypot: readonly string[];
  readonly timing: { readonly renderedAtField: string; readonly minMs: number } | null;
  readonly expect: { readonly countries: readonly string[]; readonly titles: readonly string[] };
  readonly allow: { readonly emails: readonly string[]; readonly domains: readonly string[] };
  readonly block: {
    readonly emails: readonly string[];
    readonly domains: readonly string[];
    readonly keywords: readonly KeywordRule[];
  };
  readonly fieldMap: Readonly<Record<string, FieldKind>>;
  /** Whether marks on the leads of the form shift the risk of similar ones. */
  readonly learning: { readonly enabled: boolean };
}

export const defaultScoringSettings: ScoringSettings = {
  preset: 'b2b',
  thresholds: { suspect: 30, spam: 70 },
  weights: {},
  families: {},
  disabled: [],
  honeypot: [],
  timing: null,
  expect: { countries: [], titles: [] },
  allow: { emails: [], domains: [] },
  block: { emails: [], domains: [], keywords: [] },
  fieldMap: {},
  learning: { enabled: true },
};

/**
 * The stored settings of a form, with defaults for what an earlier release did not have. Null means that nothing was
 * ever set.
 */
export function completeSettings(stored: ScoringSettings | null): ScoringSettings {
  if (stored === null) return defaultScoringSettings;
  const { thresholds, expect, allow, block, learning } = defaultScoringSettings;
  const { weights, disabled } = { ...defaultScoringSettings, ...stored };
  return {
    ...defaultScoringSettings,
    ...stored,
    weights: Object.fromEntries(
      Object.keys(weights).flatMap((code) =>
        currentCodes(code).map((current) => [current, weights[code] ?? 0]),
      ),
    ),
    disabled: [...new Set(disabled.flatMap(currentCodes))],
    thresholds: { ...thresholds, ...stored.thresholds },
    expect: { ...expect, ...stored.expect },
    allow: { ...allow, ...stored.allow },
    block: { ...block, ...stored.block },
    learning: { ...learning, ...stored.learning },
  };
}

/** Rules of earlier releases, and those that took their place. */
const successors: Readonly<Record<string, readonly string[]>> = {
  TEXT_MODEL_STRONG: ['WORDING_SALES', 'WORDING_FRAUD', 'WORDING_ADVERT'],
  TEXT_MODEL_MEDIUM: [],
  TEXT_MODEL_WEAK: ['WORDING_DOUBTFUL'],
  PHRASES_PITCH: ['WORDING_SALES'],
};

function currentCodes(code: string): readonly string[] {
  return Object.hasOwn(successors, code) ? (successors[code] ?? []) : [code];
}

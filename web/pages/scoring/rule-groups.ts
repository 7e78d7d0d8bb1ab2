import type { ScoringRule } from '../../../src/contract/scoring.ts';
import type { ScoringSettings } from './settings-draft.ts';

/** What is shown of the rules. It outlives saving. */
export interface RulesView {
  readonly search: string;
  /** The rules that were changed when the filter was turned on, so that none vanishes while it is edited; null without it. */
  readonly only: ReadonlySet<string> | null;
  /** The families that are open. */
  readonly open: ReadonlySet<string>;
}

export const firstRulesView: RulesView = { search: '', only: null, open: new Set() };

export interface RuleGroup {
  readonly family: string;
  readonly name: string;
  /** Those that the search and the filter leave. */
  readonly shown: readonly ScoringRule[];
  readonly count: number;
  readonly changed: number;
}

const names: Readonly<Record<string, string>> = {
  email: 'Email address',
  identity: 'Name and identity',
  links: 'Links',
  content: 'Message',
  phone: 'Phone number',
  behaviour: 'How it was submitted',
  repeat: 'Repetition',
  tenant: 'Your lists and marks',
  fit: 'Fit',
  intent: 'Intent',
};

/** Whether the settings say something else about a rule than the default. */
export function isChanged({ code }: ScoringRule, { weights, disabled }: ScoringSettings): boolean {
  return weights[code] !== undefined || disabled.includes(code);
}

/**
 * The rules by family. What was changed comes first, by the saved settings: if it followed the draft, rows would jump away
 * while they are edited. Rules with an error are always shown.
 */
export function groupRules(
  rules: readonly ScoringRule[],
  saved: ScoringSettings,
  draft: ScoringSettings,
  { search, only }: RulesView,
  hasError: (rule: ScoringRule) => boolean,
): RuleGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const isShown = (rule: ScoringRule) => {
    const text = `${rule.code} ${rule.description}`.toLowerCase();
    return hasError(rule) || (words.every((word) => text.includes(word)) && (only?.has(rule.code) ?? true));
  };
  const firstChanged = (a: ScoringRule, b: ScoringRule) =>
    Number(isChanged(b, saved)) - Number(isChanged(a, saved));
  const sorted = rules.toSorted(firstChanged);
  return [...new Set(sorted.map(({ family }) => family))].map((family) => {
    const all = sorted.filter((rule) => rule.family === family);
    return {
      family,
      name: names[family] ?? family,
      shown: all.filter(isShown),
      count: all.length,
      changed: all.filter((rule) => isChanged(rule, draft)).length,
    };
  });
}

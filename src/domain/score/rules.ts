import type { RiskFamily } from './settings.ts';

/** A `cap` is no rule to find something, but the reason that takes points away from a family. */
export type RuleFamily = RiskFamily | 'cap' | 'fit' | 'intent';

export interface Rule {
  /** Stable: settings and stored reasons name rules by it. */
  readonly code: string;
  readonly family: RuleFamily;
  readonly axis: 'risk' | 'score';
  readonly points: number;
  /** What was found, in a sentence for the owner. */
  readonly text: string;
}

/** Every rule there is, and the points it has unless a form's settings say otherwise. */
export const rules: readonly Rule[] = [
  risk('LEAD_EMPTY', 'content', 40, 'The lead has no filled field.'),
  risk('EMAIL_INVALID', 'email', 35, 'The e-mail address is not valid.'),
  risk('EMAIL_DISPOSABLE', 'email', 40, 'The address uses {evidence}, a throw-away mail service.'),
  risk('LINK_IN_NAME', 'links', 30, 'A field that should hold no link contains one.'),
  risk('FIELD_MISSING', 'content', 5, 'The required field "{evidence}" is missing or empty.'),
];

function risk(code: string, family: RuleFamily, points: number, text: string): Rule {
  return { code, family, axis: 'risk', points, text };
}

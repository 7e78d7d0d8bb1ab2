import type { RiskFamily } from './settings.ts';

export interface Rule {
  /** Stable: settings and stored reasons name rules by it. */
  readonly code: string;
  readonly family: RiskFamily;
  readonly axis: 'risk' | 'score';
  readonly points: number;
  /** What the rule looks for, in a sentence for the owner. */
  readonly description: string;
}

/** Every rule there is, and the points it has unless a form's settings say otherwise. */
export const rules: readonly Rule[] = [
  risk('LEAD_EMPTY', 'content', 40, 'The lead has no filled field.'),
  risk('EMAIL_INVALID', 'email', 35, 'The e-mail address is not valid.'),
  risk('EMAIL_DISPOSABLE', 'email', 40, 'The address belongs to a throw-away mail service.'),
  risk('LINK_IN_NAME', 'links', 30, 'A name, company or phone number contains a link.'),
  risk('FIELD_MISSING', 'content', 5, 'A required field is missing or empty.'),
];

function risk(code: string, family: RiskFamily, points: number, description: string): Rule {
  return { code, family, axis: 'risk', points, description };
}

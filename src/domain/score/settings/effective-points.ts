import type { Rule, RuleCode } from '../rules.ts';
import type { Preset, RiskFamily, ScoringSettings } from './settings.ts';

/** Points that differ for other kinds of forms; the table of rules is made for companies. */
const presetPoints: Readonly<Record<Preset, Readonly<Partial<Record<RuleCode, number>>>>> = {
  b2b: {},
  b2c: {
    EMAIL_ROLE: 0,
    FIT_BUSINESS_DOMAIN: 20,
    FIT_FREE_MAIL: 30,
    FIT_COMPANY: 0,
    FIT_COMPANY_DOMAIN: 0,
    FIT_FUNCTION_ADDRESS: 0,
    FIT_PHONE: 25,
    FIT_FULL_NAME: 25,
  },
  event: { FIT_FREE_MAIL: 25, FIT_FULL_NAME: 20, INTENT_MESSAGE: 15, INTENT_ELSEWHERE: 0 },
  support: {
    EMAIL_ROLE: 0,
    FIT_FREE_MAIL: 30,
    FIT_FUNCTION_ADDRESS: 0,
    INTENT_ELSEWHERE: 0,
    INTENT_QUESTION: 25,
    LINKS_1: 0,
    LINKS_2: 4,
    LINK_ELSEWHERE: 0,
  },
};

/** What was learned can shift the risk by no more than this, whatever the settings say. */
export const learnedBounds: Readonly<Partial<Record<string, readonly [min: number, max: number]>>> = {
  LEARNED_SPAM: [0, 20],
  LEARNED_WANTED: [-20, 0],
} satisfies Partial<Record<RuleCode, readonly [number, number]>>;

/**
 * What a rule adds under these settings, before its family is capped: the form's own weight, otherwise the preset's,
 * otherwise the rule's; multiplied by the scale of the family.
 */
export function effectivePoints({ code, family, points }: Rule, settings: ScoringSettings): number {
  if (settings.disabled.includes(code)) return 0;
  const own = Object.hasOwn(settings.weights, code) ? settings.weights[code] : undefined;
  const scale = settings.families[family as RiskFamily]?.scale ?? 1;
  const effective = Math.round((own ?? presetPoints[settings.preset][code as RuleCode] ?? points) * scale);
  const [min, max] = learnedBounds[code] ?? [effective, effective];
  return Math.min(max, Math.max(min, effective));
}

/** A cap subtracts what is above it, so it has no points to change or disable. */
export function isAdjustable({ family }: Rule): boolean {
  return family !== 'cap';
}

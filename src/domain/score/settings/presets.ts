import type { RuleCode } from '../rules.ts';
import type { Preset } from './settings.ts';

/** What counts differently for other kinds of forms; the table of rules is made for companies. */
const points: Readonly<Record<Preset, Readonly<Partial<Record<RuleCode, number>>>>> = {
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
  },
};

export function presetPoints(preset: Preset, code: string): number | undefined {
  return points[preset][code as RuleCode];
}

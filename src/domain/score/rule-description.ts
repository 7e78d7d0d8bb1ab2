import type { Rule, RuleCode } from './rules.ts';

/** For rules whose text counts or names something in the middle of a sentence. */
const others: Partial<Record<string, string>> = {
  EMAIL_TYPO: 'Misspelt email domain',
  LEAD_READ_IN_PART: 'Only the beginning of a very long lead was scored; the whole lead is stored',
  PHONE_LENGTH: 'Phone number with too few or too many digits',
  SENT_INSTANTLY: 'Form submitted instantly after it was shown',
  SENT_FAST: 'Form submitted quickly after it was shown',
  REPEAT_BODY: 'Same lead received again within 6 hours',
  REPEAT_FLOOD: 'Flood: same lead received many times within 6 hours',
  REPEAT_NEAR_MANY:
    'Similar messages from many other people; varied by a program, or from a template of the form',
  REPEAT_NEAR_FLOOD: 'The same text from many other people; the form may fill it in',
  REPEAT_VARIED: 'Many variants of one message from the same person within 6 hours',
  REPEAT_EMAIL: 'Several leads from the same address within an hour',
  REPEAT_NETWORK: 'Several leads by other people from the same network within ten minutes',
  REPEAT_NETWORK_MANY: 'Many leads by other people from the same network within ten minutes',
  KEYWORD: 'Contains one of your keywords',
} satisfies Partial<Record<RuleCode, string>>;

/** What a rule looks for, without a finding. */
export function describeRule({ code, text }: Rule): string {
  return others[code] ?? text.replace(/: "?\{evidence\}"?$/, '');
}

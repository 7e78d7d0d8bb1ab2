import type { AlarmView } from '../../../src/contract/alarms/alarm.ts';
import type { AlarmSettingsView } from '../../../src/contract/alarms/alarm-settings.ts';

export type AlarmRule = AlarmSettingsView['rules'][number];
export type RuleSubject = Pick<AlarmRule, 'kind' | 'form_id' | 'token_id'>;

const defaults = { enabled: true, sensitive: false, silent_days: null, muted_until: null } as const;

/** The narrowest subject that a rule can have. There are no rules about single destinations. */
export function subjectOf({ kind, form_id, token_id }: AlarmView): RuleSubject {
  return { kind, form_id, token_id: form_id === null ? null : token_id };
}

export const isAbout = (rule: RuleSubject, { kind, form_id, token_id }: RuleSubject) =>
  rule.kind === kind && rule.form_id === form_id && rule.token_id === token_id;

/** The most specific rule: about the token, else about the form, else about the kind. */
export function ruleFor(rules: readonly AlarmRule[], subject: RuleSubject): AlarmRule {
  const { kind, form_id } = subject;
  const ofKind = { kind, form_id: null, token_id: null };
  const found = [subject, { kind, form_id, token_id: null }, ofKind]
    .map((each) => rules.find((rule) => isAbout(rule, each)))
    .find((rule) => rule !== undefined);
  return found ?? { ...defaults, ...ofKind };
}

/** The rules after a change for one subject. One that says the same as the rule above it is not needed. */
export function changeRule(
  rules: readonly AlarmRule[],
  subject: RuleSubject,
  change: Partial<Omit<AlarmRule, keyof RuleSubject>>,
): AlarmRule[] {
  const changed = { ...ruleFor(rules, subject), ...subject, ...change };
  const others = rules.filter((rule) => !isAbout(rule, subject));
  return isSame(changed, ruleFor(others, subject)) ? others : [...others, changed];
}

function isSame(one: AlarmRule, other: AlarmRule): boolean {
  return (Object.keys(defaults) as (keyof typeof defaults)[]).every((key) => one[key] === other[key]);
}

export const isMuted = ({ muted_until }: Pick<AlarmRule, 'muted_until'>) =>
  muted_until !== null && Date.parse(muted_until) > Date.now();

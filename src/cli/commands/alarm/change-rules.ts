import type { AlarmSettingsView } from '../../../contract/alarms/alarm-settings.ts';
import type { AlarmKind } from '../../../domain/alarm/alarm.ts';

export type RuleView = AlarmSettingsView['rules'][number];

/** Which alarms a change is about: those of a kind, of all forms or of one. */
interface Chosen {
  readonly kinds: readonly AlarmKind[];
  readonly formId: string | null;
}

type Change = Partial<Pick<RuleView, 'enabled' | 'muted_until' | 'sensitive' | 'silent_days'>>;

/**
 * The rules after a change. More specific rules change too: otherwise they would still apply, and a kind that was turned off
 * would be raised for one form.
 */
export function changedRules(
  rules: readonly RuleView[],
  { kinds, formId }: Chosen,
  change: Change,
): RuleView[] {
  const isChosen = (rule: RuleView) =>
    kinds.includes(rule.kind) && (formId === null || rule.form_id === formId);
  const missing = kinds.filter((kind) => !rules.some((rule) => isAbout(rule, kind, formId)));
  const added = missing.map((kind) => ({ ...broaderRule(rules, kind), form_id: formId }));
  const all = [...rules, ...added].map((rule) => (isChosen(rule) ? { ...rule, ...change } : rule));
  return all.filter((rule) => !isWithoutEffect(rule));
}

const isAbout = (rule: RuleView, kind: AlarmKind, formId: string | null) =>
  rule.kind === kind && rule.form_id === formId && rule.token_id === null;

/** A rule about a form starts as what applied to it so far. */
function broaderRule(rules: readonly RuleView[], kind: AlarmKind): RuleView {
  return rules.find((rule) => isAbout(rule, kind, null)) ?? { ...defaults, kind };
}

const defaults = {
  form_id: null,
  token_id: null,
  enabled: true,
  muted_until: null,
  sensitive: false,
  silent_days: null,
} as const;

/** A rule about a form that says nothing special may still be an exception of the rule about its kind. */
function isWithoutEffect(rule: RuleView): boolean {
  const { form_id, enabled, muted_until, sensitive, silent_days } = rule;
  return form_id === null && enabled && muted_until === null && !sensitive && silent_days === null;
}

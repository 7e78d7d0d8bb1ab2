import { type AlarmKind, type AlarmSubject, alarmKinds } from './alarm.ts';

/** What an owner decides about the alarms of a workspace. */
export interface AlarmSettings {
  /** Whether owners get an email, if the service has a mail server. */
  readonly emailOwners: boolean;
  /** An IANA name such as `Europe/Berlin`: when leads usually come is a matter of local time. */
  readonly timeZone: string;
  /** The hour of the day, in the time zone, at which the digest is sent. */
  readonly digestHour: number;
  readonly rules: readonly AlarmRule[];
}

/** Applies to alarms of its kind: all of them, or those about one form or one token. */
export interface AlarmRule {
  readonly kind: AlarmKind;
  readonly formId: string | null;
  readonly tokenId: string | null;
  readonly isEnabled: boolean;
  /** Until then nobody is told. */
  readonly mutedUntil: Date | null;
  /** Of silence: sooner, with about twice as many false alarms. */
  readonly isSensitive: boolean;
  /** Of silence: tell after this many days without a lead, whatever is usual. */
  readonly silentDays: number | null;
}

export const alarmSettingsLimits = { rules: 500, silentDays: 90 } as const;

export const defaultAlarmSettings: AlarmSettings = {
  emailOwners: true,
  timeZone: 'UTC',
  digestHour: 8,
  rules: [],
};

type RuleSubject = Pick<AlarmSubject, 'formId' | 'tokenId'> & { readonly kind: AlarmKind };

/** The most specific rule: about the token, else about the form, else about the kind. */
export function ruleFor({ rules }: AlarmSettings, { kind, formId, tokenId }: RuleSubject): AlarmRule {
  const known = indexOf(rules);
  return (
    (tokenId === null ? undefined : known.get(`${kind} ${tokenId}`)) ??
    (formId === null ? undefined : known.get(`${kind} ${formId}`)) ??
    known.get(kind) ?? { ...defaultRule, kind }
  );
}

type Index = ReadonlyMap<string, AlarmRule>;
const indexes = new WeakMap<readonly AlarmRule[], Index>();

/** By kind and what they are about. Every source of a workspace asks once a minute, and there may be thousands of them. */
function indexOf(rules: readonly AlarmRule[]): Index {
  const known = indexes.get(rules);
  if (known !== undefined) return known;
  const index = new Map<string, AlarmRule>();
  // The first one of several counts.
  for (const rule of rules.toReversed()) {
    const about = rule.tokenId ?? rule.formId;
    index.set(about === null ? rule.kind : `${rule.kind} ${about}`, rule);
  }
  indexes.set(rules, index);
  return index;
}

const defaultRule = {
  formId: null,
  tokenId: null,
  isEnabled: true,
  mutedUntil: null,
  isSensitive: false,
  silentDays: null,
} as const;

export function isAlarmKind(kind: string): kind is AlarmKind {
  return (alarmKinds as readonly string[]).includes(kind);
}

import type { AnyAlarmKind, Evidence } from '../../../src/domain/alarm/alarm.ts';
import type { ToldAlarm } from '../../../src/domain/alarm/alarm-text.ts';

export const formId = '0190a6c8-1111-7000-8000-000000000001';
export const tokenId = '0190a6c8-2222-7000-8000-000000000001';
export const destinationId = '0190a6c8-3333-7000-8000-000000000001';
/** An hour before the alarm. */
export const from = 'from=2026-11-17T13%3A03%3A00.000Z';

export function alarmOf(kind: AnyAlarmKind, values: Partial<ToldAlarm> = {}): ToldAlarm {
  return {
    id: '0190a6c8-4444-7000-8000-000000000001',
    workspaceId: '0190a6c8-5555-7000-8000-000000000001',
    kind,
    severity: 'high',
    formId: null,
    tokenId: null,
    destinationId: null,
    reason: null,
    names: {},
    evidence: {},
    openedAt: new Date('2026-11-17T14:03:00.000Z'),
    closedAt: null,
    closedAs: null,
    ...values,
  };
}

export const ofForm = { formId, names: { form: 'Contact form' } };
export const ofToken = { formId, tokenId, names: { form: 'Contact form', token: 'Backend' } };
export const ofDestination = { destinationId, names: { destination: 'CRM' } };

/** An alarm, and what people read about it. */
export type KnownText = readonly [
  kind: AnyAlarmKind,
  values: Partial<ToldAlarm>,
  evidence: Evidence,
  expected: {
    readonly title: string;
    readonly facts: Readonly<Record<string, string>>;
    readonly path: string;
  },
];

import { randomUUID } from 'node:crypto';

/** The data of an event about one alarm, as it is stored. */
export function alarmData(values: Readonly<Record<string, unknown>> = {}) {
  return { alarm: someAlarm(values) };
}

export function someAlarm(values: Readonly<Record<string, unknown>> = {}) {
  return {
    id: randomUUID(),
    kind: 'all_rejected',
    severity: 'high',
    form_id: null,
    form_name: 'Contact',
    token_id: null,
    token_name: null,
    destination_id: null,
    destination_name: null,
    reason: null,
    opened_at: '2026-11-17T14:03:00.000Z',
    closed_at: null,
    title: 'All leads for Contact are rejected',
    facts: [{ label: 'Rejected', value: '1,412 in 30 minutes' }],
    url_path: '/tokens/diagnostics?form_id=1',
    evidence: { rejected: 1_412, minutes: 30 },
    ...values,
  };
}

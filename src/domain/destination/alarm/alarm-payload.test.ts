import { describe, expect, test } from 'vitest';
import type { EventType, Format } from '../destination.ts';
import { formats } from '../destination.ts';
import { payloadOf } from '../request/delivery-request.ts';
import { alarmDataFor, alarmUrl } from './alarm-event.ts';

const workspaceId = '0190a6c8-2222-7000-8000-000000000001';
const at = new Date('2026-11-17T14:03:00.000Z');
const publicUrl = 'https://leads.example';
const url = `${publicUrl}/w/${workspaceId}/tokens/diagnostics?form_id=f`;
// In the order of the database, which sorts keys by their length.
const stored = {
  id: 'a',
  kind: 'silence',
  facts: [{ label: 'Last lead', value: 'never' }],
  title: 'No leads for Contact',
  reason: null,
  form_id: 'f',
  evidence: { silent_hours: 19 },
  severity: 'high',
  token_id: null,
  url_path: '/tokens/diagnostics?form_id=f',
  closed_at: null,
  form_name: 'Contact',
  opened_at: '2026-11-17T14:00:00.000Z',
  token_name: null,
  destination_id: null,
  destination_name: null,
};
const whole = {
  id: 'a',
  kind: 'silence',
  severity: 'high',
  form_id: 'f',
  form_name: 'Contact',
  token_id: null,
  token_name: null,
  destination_id: null,
  destination_name: null,
  reason: null,
  opened_at: '2026-11-17T14:00:00.000Z',
  closed_at: null,
  title: 'No leads for Contact',
  facts: [{ label: 'Last lead', value: 'never' }],
  url_path: '/tokens/diagnostics?form_id=f',
  evidence: { silent_hours: 19 },
  url,
};
const thin = {
  id: 'a',
  kind: 'silence',
  severity: 'high',
  form_id: 'f',
  token_id: null,
  destination_id: null,
  opened_at: '2026-11-17T14:00:00.000Z',
  closed_at: null,
  url,
};
const head = { timestamp: at.toISOString() };

function bodyOf(format: Format, data: Record<string, unknown> | null, type: EventType = 'alarm.opened') {
  const event = { workspaceId, number: 1, type, at, submissionId: null };
  const mapping = [{ from: 'email' }];
  return payloadOf({ event, data, lead: null }, { format, mapping }, publicUrl)?.body.toString() ?? '';
}

describe('the body of a delivery about an alarm', () => {
  test.each([
    ['standard', { type: 'alarm.opened', ...head, data: { alarm: whole } }],
    ['mapped', { type: 'alarm.opened', ...head, data: { alarm: whole } }],
    ['flat', { _leadgate: { type: 'alarm.opened', ...head, alarm: whole } }],
    ['thin', { type: 'alarm.opened', ...head, data: { alarm: thin } }],
  ] as const)('in the format %s, with its members in a fixed order', (format, expected) => {
    expect(bodyOf(format, { alarm: stored })).toBe(JSON.stringify(expected));
  });

  test.each([
    ['standard', { type: 'alarm.digest', ...head, data: { alarms: [whole, whole], more: 3 } }],
    ['flat', { _leadgate: { type: 'alarm.digest', ...head, alarms: [whole, whole], more: 3 } }],
    ['thin', { type: 'alarm.digest', ...head, data: { alarms: [thin, thin], more: 3 } }],
  ] as const)('of a digest in the format %s', (format, expected) => {
    expect(bodyOf(format, { alarms: [stored, stored], more: 3 }, 'alarm.digest')).toBe(
      JSON.stringify(expected),
    );
  });

  test('that would be too large has only IDs', () => {
    const large = { ...stored, evidence: { text: 'x'.repeat(300_000) } };
    const body = JSON.parse(bodyOf('standard', { alarm: large }));
    expect(body.data).toEqual({ alarm: thin, truncated: true });
  });

  test.each(formats)('can be written in the format %s whatever the data lacks', (format) => {
    for (const data of [
      null,
      {},
      { alarm: 5 },
      { alarm: {} },
      { alarms: 'x', more: -1 },
      { alarms: [1, {}] },
    ])
      for (const type of ['alarm.opened', 'alarm.digest'] as const)
        expect(() => JSON.parse(bodyOf(format, data, type))).not.toThrow();
  });
});

test.each([
  ['/tokens', `${publicUrl}/w/${workspaceId}/tokens`],
  [`/w/${workspaceId}/tokens`, `${publicUrl}/w/${workspaceId}/tokens`],
  ['//evil.example/', `${publicUrl}/w/${workspaceId}/alarms`],
  ['https://evil.example/', `${publicUrl}/w/${workspaceId}/alarms`],
  [null, `${publicUrl}/w/${workspaceId}/alarms`],
])('the path %s leads to a page of the workspace', (urlPath, expected) => {
  expect(alarmUrl({ urlPath }, workspaceId, publicUrl)).toBe(expected);
  expect(alarmUrl({ urlPath }, workspaceId, null)).toBeNull();
});

test('data without alarms is for nobody', () => {
  for (const data of [null, {}, { alarm: null }, { alarms: [] }, { alarms: 'x' }])
    expect(alarmDataFor(data, { id: 'd', formIds: null })).toBeNull();
});

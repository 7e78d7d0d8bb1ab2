import { expect, test } from 'vitest';
import { alarmKinds, instanceAlarmKinds } from '../../../src/domain/alarm/alarm.ts';
import { alarmText } from '../../../src/domain/alarm/alarm-text.ts';
import { otherTexts } from './other-texts.ts';
import { alarmOf, destinationId, formId, tokenId } from './some-alarm.ts';
import { sourceTexts } from './source-texts.ts';

const known = [...sourceTexts, ...otherTexts];

test.each(known)('people read what is wrong by %s, and what to do', (kind, values, evidence, expected) => {
  const { title, facts, path } = alarmText(alarmOf(kind, { ...values, evidence }));
  const told = Object.fromEntries(facts.map(({ label, value }) => [label, value]));
  expect({ title, facts: told, path }).toEqual(expected);
});

const everyKind = [...alarmKinds, ...instanceAlarmKinds];

test('every kind is tested', () => {
  expect(new Set(known.map(([kind]) => kind))).toEqual(new Set(everyKind));
});

const strange: readonly unknown[] = [
  null,
  'text',
  [],
  { reasons: 'x', change: [], rejected: '7', last_accepted_at: 'never', key: 5, shape: {} },
  { reasons: [null, 5, { reason: 7 }, { reason: 'unknown_reason' }], change: null, rejected: Number.NaN },
];

test.each(everyKind)('an alarm of the kind %s can be told whatever its evidence lacks', (kind) => {
  for (const evidence of strange)
    for (const names of [{}, null, { form: 5, token: '', destination: '\n' }])
      for (const reason of [null, '', 'x', '__proto__', 'server_day_', 'days_x']) {
        const values = { evidence, names, reason, formId, tokenId, destinationId } as never;
        const { title, facts, path } = alarmText(alarmOf(kind, values));
        expect(title).not.toMatch(/undefined|null|NaN|\[object/);
        expect(path).toMatch(/^\//);
        for (const { value } of facts) expect(value).not.toMatch(/undefined|null|NaN|\[object/);
      }
});

test.each(everyKind)('a hostile name cannot break the lines of an alarm of the kind %s', (kind) => {
  const hostile = `A\r\nBcc: x@example.com\u2028<b>\u202e${'x'.repeat(5_000)}`;
  const names = { form: hostile, token: hostile, destination: hostile };
  const evidence = {
    key: hostile,
    last_error: hostile,
    host: hostile,
    change: { text: hostile, by: hostile },
    reasons: [{ reason: hostile, count: 1 }],
  };
  const values = { names, evidence, reason: hostile, formId, tokenId, destinationId };
  const { title, facts, path } = alarmText(alarmOf(kind, values));
  for (const text of [title, path, ...facts.flatMap(({ label, value }) => [label, value])])
    expect(text).not.toMatch(/[\u0000-\u001f\u2028\u2029\u202e]/);
  expect(title.length).toBeLessThan(250);
});

test('the text of an alarm stays the same when it closes', () => {
  for (const [kind, values, evidence] of known) {
    const open = alarmOf(kind, { ...values, evidence });
    const closed = { ...open, closedAt: new Date('2026-11-18T00:00:00Z'), closedAs: 'recovered' as const };
    expect(alarmText(closed)).toEqual(alarmText(open));
  }
});

import { expect, test } from 'vitest';
import { rejectionReasons } from '../rejection.ts';
import { rejectionSentence } from './sentences.ts';

test('every reason has one line of text, with and without the values of a request', () => {
  const hostile = {
    ...{
      method: 'GET\r\nReason: none',
      encoding: '\u202egzip',
      type: '__proto__',
    },
    ...{
      former_slug: '\u001b[31mold',
      origin: 'x'.repeat(5_000),
      content_type: 'text/html\u0000',
      found: {},
    },
    ...{
      characters: 0,
      bytes: 0,
      drift_seconds: 0,
      expired_seconds: 0,
      grace_ended_at: 'soon',
      replaced_by: 'x',
    },
  };
  for (const { code } of rejectionReasons)
    for (const detail of [{}, hostile]) {
      const sentence = rejectionSentence(code, { detail, form: 'Con\ntact', token: 'Website' });
      expect(sentence, code).toMatch(/^[A-Z][^\p{Cc}\p{Cf}]{10,400}\.$/u);
    }
});

test('a sentence has the values of its request', () => {
  const of = (reason: string, detail: object, names = {}) =>
    rejectionSentence(reason, { detail: { ...detail }, ...names });
  expect(of('timestamp_outside_window', { drift_seconds: 372, signature_valid: true })).toBe(
    'The timestamp was 6 min 12 s ahead of our clock; 5 min is allowed. The signature itself matches.',
  );
  expect(of('timestamp_outside_window', { drift_seconds: -7_200 })).toContain('2 h behind our clock');
  expect(of('content_type_unsupported', { content_type: 'text/plain' })).toContain('was text/plain, not');
  expect(of('form_inactive', {}, { form: 'Contact' })).toBe(
    'The form “Contact” was inactive when the request arrived.',
  );
  expect(of('token_revoked', { expired: true }, { token: 'Website' })).toBe(
    'The token “Website” has expired.',
  );
  expect(of('token_revoked', { replaced_by: 'x', grace_ended_at: '2026-11-15T08:30:00.000Z' })).toBe(
    'The token was rotated, and stopped working on 2026-11-15 at 08:30 UTC.',
  );
  expect(of('body_not_object', { found: 'a list' })).toBe('The body was a list; a lead is one object.');
  expect(of('signature_malformed', { characters: 44 })).toContain('has 44 characters');
  expect(of('content_type_unsupported', { content_type: '' })).toBe(
    'The request had no Content-Type header.',
  );
  expect(of('content_type_unsupported', { content_type: 'malformed' })).toBe(
    'The Content-Type header was not a single media type.',
  );
  expect(of('no_such_reason', {})).toBe('');
});

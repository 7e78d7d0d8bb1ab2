import { expect, test } from 'vitest';
import { isJsonContentType, shownContentType } from './content-type.ts';

test.each([
  ['', ''],
  ['text/plain', 'text/plain'],
  ['text/html; boundary=Jane-Doe', 'text/html'],
  ['application/json; charset=latin1; name=Jane', 'application/json; charset=latin1'],
  ['application/json; v=1; charset="latin1"', 'application/json; charset="latin1"'],
  ['text/plain Jane Doe, +49 30 1234', 'text/plain'],
  ['Jane Doe', 'malformed'],
  ['jane@example.com', 'malformed'],
  ['application/json, text/html', 'malformed'],
  [`${'x'.repeat(5_000)}/json`, 'malformed'],
])('of the content type %j, diagnostics show %j', (value, shown) => {
  expect(isJsonContentType(value)).toBe(false);
  expect(shownContentType(value)).toBe(shown);
});

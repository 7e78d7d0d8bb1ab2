import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indentJson } from '../../../web/parts/code/indent-json.ts';

test('any JSON gets the line breaks that JSON.stringify would give it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

test('a number of many digits stays as it is', () => {
  expect(indentJson('{"id":1234567890123456789,"n":1.10}')).toBe(
    '{\n  "id": 1234567890123456789,\n  "n": 1.10\n}',
  );
});

test.each(['', 'plain text', '<html>{"a":1}</html>', '{"cut off": [1, 2'])(
  'what is not JSON is shown as it is: %j',
  (text) => {
    expect(indentJson(text)).toBe(text);
  },
);

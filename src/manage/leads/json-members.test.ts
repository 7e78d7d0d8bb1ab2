import fc from 'fast-check';
import { expect, test } from 'vitest';
import { membersOf } from './json-members.ts';

/** JSON with blanks where PostgreSQL puts them. */
function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}: ${written(inner)}`)
    .join(', ')}}`;
}

function read(text: string): [string, unknown][] {
  const members = [...membersOf(text)].filter((member) => member !== null);
  expect(members.map(({ key, keyText }) => [key, JSON.parse(keyText)])).toEqual(
    members.map(({ key }) => [key, key]),
  );
  return members.map(({ key, valueText }) => [key, JSON.parse(valueText)]);
}

test('the members of any object are found as JSON.parse finds them', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), (object) => {
      const text = written(object);
      expect(read(text)).toEqual(Object.entries(JSON.parse(text)));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['{}', []],
  ['{"": ""}', [['', '']]],
  [
    '{"a\\"}": "\\\\", "b": "]"}',
    [
      ['a"}', '\\'],
      ['b', ']'],
    ],
  ],
  [
    '{"__proto__": 1, "constructor": null}',
    [
      ['__proto__', 1],
      ['constructor', null],
    ],
  ],
  [
    '{"a": -1.50, "b": true, "c": [], "d": {}}',
    [
      ['a', -1.5],
      ['b', true],
      ['c', []],
      ['d', {}],
    ],
  ],
])('%s has its members', (text, members) => {
  expect(read(text)).toEqual(members);
});

test('a long value is read with pauses', () => {
  const text = written({ list: new Array(200_000).fill(1), after: 2 });
  const steps = [...membersOf(text)];
  expect(steps.filter((step) => step === null).length).toBeGreaterThan(2);
  expect(steps.filter((step) => step !== null).map(({ key }) => key)).toEqual(['list', 'after']);
});

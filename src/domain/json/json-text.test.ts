import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compact, itemsOf, membersOf, textOf, valueAt } from './json-text.ts';

const blanks = fc.stringMatching(/^[ \n\r\t]{0,3}$/);
const objects = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue());

/** JSON with blanks in every place that allows them. */
function spread(value: unknown, blank: string): string {
  const around = (parts: string[], open: string, close: string) =>
    `${open}${blank}${parts.join(`${blank},${blank}`)}${blank}${close}`;
  if (Array.isArray(value))
    return around(
      value.map((item) => spread(item, blank)),
      '[',
      ']',
    );
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(
    ([key, inner]) => `${JSON.stringify(key)}${blank}:${blank}${spread(inner, blank)}`,
  );
  return around(parts, '{', '}');
}

test('the members of any object are found as JSON.parse finds them', () => {
  fc.assert(
    fc.property(objects, blanks, (object, blank) => {
      const text = spread(object, blank);
      const members = [...membersOf(text)].map(([key, json]) => [key, JSON.parse(json)]);
      expect(members).toEqual(Object.entries(JSON.parse(text)));
    }),
  );
});

test('the items of any list are found as JSON.parse finds them', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), blanks, (list, blank) => {
      const text = spread(list, blank);
      expect(itemsOf(text).map((json) => JSON.parse(json))).toEqual(JSON.parse(text));
    }),
  );
});

test('the value at any path is found as JSON.parse finds it', () => {
  const keys = fc.constantFrom('a', 'b', '0', '1', '"', '\\', '');
  const tree = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue({ maxDepth: 0 }),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(keys, tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  const at = (value: unknown, path: readonly string[]): unknown =>
    path.reduce<unknown>((inner, part) => {
      const isInside = typeof inner === 'object' && inner !== null && Object.hasOwn(inner, part);
      return isInside ? (inner as Record<string, unknown>)[part] : undefined;
    }, value);
  fc.assert(
    fc.property(tree, fc.array(keys, { maxLength: 4 }), blanks, (value, path, blank) => {
      const text = spread(value, blank);
      const found = valueAt(text, path);
      expect(found === undefined ? undefined : JSON.parse(found)).toEqual(at(JSON.parse(text), path));
    }),
  );
});

test('compact text is what JSON.stringify writes', () => {
  fc.assert(
    fc.property(objects, blanks, (object, blank) => {
      expect(compact(spread(object, blank))).toBe(JSON.stringify(object));
    }),
  );
});

test('numbers stay as they are written', () => {
  const text = '{"id": 9223372036854775807, "rate": 1.10, "size": 1e400}';
  expect(Object.fromEntries(membersOf(text))).toEqual({
    id: '9223372036854775807',
    rate: '1.10',
    size: '1e400',
  });
  expect(compact(text)).toBe('{"id":9223372036854775807,"rate":1.10,"size":1e400}');
});

test('keys of prototypes are keys like others, and the last of equal keys counts', () => {
  const members = membersOf('{"__proto__": {"a": 1}, "constructor": 2, "a": 3, "\\u0061": 4}');
  expect([...members]).toEqual([
    ['__proto__', '{"a": 1}'],
    ['constructor', '2'],
    ['a', '4'],
  ]);
});

test('text with escapes, brackets and lone surrogates is read whole', () => {
  const [value = ''] = membersOf('{"a": "\\"}],{\\\\\\ud800"}').values();
  expect(textOf(value)).toBe('"}],{\\\ud800');
});

test.each(['{"a": "x', '{"a', '{"a": [1', '{', '[', '[1,'])('broken text %s ends', (text) => {
  expect(() => [membersOf(text), itemsOf(text), compact(text)]).not.toThrow();
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostileBodies } from '../../../chaos/hostile/bodies.ts';
import { isHeavy, shapeOf } from './body-shape.ts';
import { bodyBytesMax } from './lead.ts';

const shapeOfText = (text: string) => shapeOf(Buffer.from(text));

/** Keys, values and depth of the parsed JSON, to compare with the result of the byte pass. */
function counted(value: unknown, depth = 0): { keys: number; values: number; depth: number } {
  if (typeof value !== 'object' || value === null) return { keys: 0, values: 0, depth };
  const inner = Object.values(value).map((one) => counted(one, depth + 1));
  const own = Array.isArray(value) ? 0 : inner.length;
  return {
    keys: inner.reduce((sum, { keys }) => sum + keys, own),
    values: inner.reduce((sum, { values }) => sum + values, inner.length),
    depth: Math.max(depth + 1, ...inner.map((one) => one.depth)),
  };
}

test('keys and depth match the JSON, and values are never undercounted, whatever the strings contain', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      const shape = shapeOfText(JSON.stringify(value, null, space));
      const { keys, values, depth } = counted(value);
      expect({ keys: shape.keys, depth: shape.depth }).toEqual({ keys, depth });
      expect(shape.values).toBeGreaterThanOrEqual(values);
      expect(shape.values).toBeLessThanOrEqual(2 * values + 1);
    }),
  );
});

test('no bytes make the pass fail, and stopping early does not change what is heavy', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(isHeavy(shapeOf(bytes, true))).toBe(isHeavy(shapeOf(bytes)));
    }),
  );
  for (const [name, body] of Object.entries(hostileBodies))
    expect([name, isHeavy(shapeOf(body(), true))]).toEqual([name, isHeavy(shapeOf(body()))]);
});

test('more than 1,000 keys or 10,000 values are heavy, however short they are', () => {
  const keys = (count: number) => `{${Array.from({ length: count }, (_, n) => `"${n}":1`)}}`;
  expect(isHeavy(shapeOfText(keys(1_001)))).toBe(true);
  expect(isHeavy(shapeOfText(keys(500)))).toBe(false);
  expect(isHeavy(shapeOfText(`{"a":[${'1,'.repeat(9_999)}1]}`))).toBe(true);
  expect(isHeavy(shapeOfText(`{"a":[${'1,'.repeat(5_000)}1]}`))).toBe(false);
});

test('neither an ordinary lead nor the longest text is heavy', () => {
  expect(isHeavy(shapeOfText(JSON.stringify({ name: 'Ada', message: 'Zoë '.repeat(300) })))).toBe(false);
  expect(isHeavy(shapeOfText(`{"message":"${'a'.repeat(bodyBytesMax - 14)}"}`))).toBe(false);
});

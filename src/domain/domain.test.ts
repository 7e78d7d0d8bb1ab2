import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Random } from '../time/random.ts';
import { isSlug, slugCharactersMax, slugFromName } from './form.ts';
import { parseIdempotencyKey } from './lead/idempotency.ts';
import { rejectionCategory, rejectionReasons } from './rejection.ts';
import { SecretBox } from './secrets/secret-box.ts';
import { shardCount, shardOf } from './workspace.ts';

describe('idempotency keys', () => {
  test('1 to 255 characters of any UTF-8 are a key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 255 }), (key) => {
        const characters = [...key].length;
        const parsed = parseIdempotencyKey(Buffer.from(key).toString('latin1'));
        return characters <= 255 ? parsed === key : parsed === null;
      }),
    );
  });
});

describe('slugs', () => {
  test('a slug made from a name is a slug, or empty', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        (name) => slugFromName(name) === '' || isSlug(slugFromName(name)),
      ),
    );
  });

  test.each([
    ['Contact us (EU)', 'contact-us-eu'],
    ['Größe & Café', 'gro-e-cafe'],
    ['  --  ', ''],
    ['x'.repeat(100), 'x'.repeat(slugCharactersMax)],
  ])('%s', (name, slug) => {
    expect(slugFromName(name)).toBe(slug);
  });

  test.each(['', '-a', 'a-', 'A', 'a b', 'a/b', 'é', 'x'.repeat(65)])('%s is no slug', (text) => {
    expect(isSlug(text)).toBe(false);
  });
});

describe('secrets at rest', () => {
  const box = new SecretBox('an encryption key of 32 characters');

  test('what is sealed opens again, and is not readable meanwhile', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8 }), (secret) => {
        const sealed = box.seal(secret, 'form');
        return box.open(sealed, 'form') === secret && !sealed.includes(Buffer.from(secret));
      }),
    );
  });

  test('another key, another owner or a changed byte opens nothing', () => {
    const sealed = box.seal('a secret', 'form');
    const changed = Buffer.from(sealed);
    changed[changed.length - 1] = (changed[changed.length - 1] ?? 0) ^ 1;
    expect(() => new SecretBox('another key of at least 32 characters').open(sealed, 'form')).toThrow();
    expect(() => box.open(sealed, 'another form')).toThrow();
    expect(() => box.open(changed, 'form')).toThrow();
  });
});

test('shards are evenly used', () => {
  const counts = new Map<number, number>();
  const random = new Random(1);
  const part = () => random.integer(0, 0xffff).toString(16).padStart(4, '0');
  for (let i = 0; i < 6_400; i++) {
    const id = `${part()}${part()}-${part()}-4${part().slice(1)}-8${part().slice(1)}-${part()}${part()}${part()}`;
    const shard = shardOf(id);
    counts.set(shard, (counts.get(shard) ?? 0) + 1);
  }
  expect(counts.size).toBe(shardCount);
  expect(Math.max(...counts.values())).toBeLessThan(200);
});

test('reasons have unique codes, and only the two limits are of the category rate_limit', () => {
  const codes = rejectionReasons.map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes.filter((code) => rejectionCategory(code) === 'rate_limit')).toEqual([
    'rate_limited_minute',
    'rate_limited_day',
  ]);
});

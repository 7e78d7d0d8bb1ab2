import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSlug, slugCharactersMax, slugFromName } from './form.ts';

test('a slug made from a name is valid, or empty', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      (name) => slugFromName(name) === '' || isSlug(slugFromName(name)),
    ),
  );
});

test.each([
  ['Contact us (EU)', 'contact-us-eu'],
  ['Größe & Café', 'grosse-cafe'],
  ['Łódź – Ærø', 'lodz-aero'],
  ['Связаться с нами', 'svyazatsya-s-nami'],
  ['Зворотний зв’язок', 'zvorotnii-zv-yazok'],
  ['Επικοινωνία', 'epikoinonia'],
  ['联系我们', ''],
  ['اتصل بنا 2026', '2026'],
  ['🎉🎉', ''],
  ['  --  ', ''],
  ['x'.repeat(100), 'x'.repeat(slugCharactersMax)],
])('%s', (name, slug) => {
  expect(slugFromName(name)).toBe(slug);
});

test.each(['', '-a', 'a-', 'A', 'a b', 'a/b', 'é', 'x'.repeat(65)])('%s is not a slug', (text) => {
  expect(isSlug(text)).toBe(false);
});

import { bodyBytesMax } from '../../src/domain/lead/lead.ts';

/**
 * Bodies that are expensive on purpose: each is about as large as allowed, and most are valid leads. By name; created on
 * demand, because together they take several megabytes.
 */
export const hostileBodies: Readonly<Record<string, () => Buffer>> = {
  'wide: distinct keys': () => object((n) => `"k${n}":1`),
  'wide: short keys, empty values': () => object((n) => `"${n.toString(36)}":""`),
  'wide: keys that are numbers': () => object((n) => `"${n}":1`),
  'wide: keys that hash alike': () => object((n) => `"${collidingName(n)}":1`),
  'wide: keys named like fields': () => object((n) => `"email_${n}":"a${n}@b.example"`),
  'duplicate keys': () => object(() => '"a":1'),
  'duplicate keys, each an object': () => object(() => '"a":{"b":1}'),
  prototypes: () => object((n) => `"__proto__":{"a":${n}}`),
  '999 keys of 128 bytes': () => object((n) => `"${String(n).padStart(5, '0').padEnd(120, 'k')}":1`, 999),
  '999 keys of numbers, unlike any field': () =>
    object((n) => `"field_${n}_answer_${'x'.repeat(40)}":${n}`, 999),
  '999 keys of text with accents': () =>
    object((n) => `"ﬁéld ${n} ${'ä'.repeat(25)}":"${'ö'.repeat(20)}"`, 999),
  '900 objects of 900 keys, in an array': () => array((n) => `{"k${n}":1}`, 900),
  'array of numbers': () => array(() => '1'),
  'array of numbers behind an escape': () => array(() => '1', Number.POSITIVE_INFINITY, '"x":"\\u0041",'),
  '9,900 numbers behind an escape': () => array(() => '1234567890', 9_900, '"x":"\\u0041",'),
  'array of objects': () => array(() => '{"a":1}'),
  'array of objects behind an escape': () =>
    array(() => '{"a":1}', Number.POSITIVE_INFINITY, '"x":"\\u0041",'),
  'array of empty objects': () => array(() => '{}'),
  'array of empty arrays': () => array(() => '[]'),
  'array of empty strings': () => array(() => '""'),
  '9,900 texts': () => array((n) => `"text ${n}"`, 9_900),
  '9,900 texts with escapes': () => array(() => '"\\u0000"', 9_900),
  'array of nulls': () => array(() => 'null'),
  'numbers that overflow': () => array(() => '1e999'),
  '9,900 numbers that overflow': () => array(() => '1e999', 9_900),
  'numbers that become longer when formatted': () => array(() => '1e15'),
  '9,900 numbers that become longer when formatted': () => array(() => '1e15', 9_900),
  'numbers of 20 digits': () => array(() => '12345678901234567890'),
  'one number of 128 KB': () => filled('{"n":', '1', '}'),
  'one fraction of 128 KB': () => filled('{"n":0.', '1', '}'),
  'one exponent of 128 KB': () => filled('{"n":1e', '0', '1}'),
  'deep: 64 levels, as wide as fits': () =>
    filled('{"a":'.repeat(62), '{"b":1},', `{}]${'}'.repeat(62)}`, '['),
  'deep: chains of 60 objects': () => array(() => `${'{"a":'.repeat(59)}1${'}'.repeat(59)}`),
  'deep: chains of 60 arrays': () => array(() => `${'['.repeat(59)}${']'.repeat(59)}`),
  'too deep: brackets only': () => Buffer.from(`{"a":${'['.repeat(65_000)}${']'.repeat(65_000)}}`),
  'too deep: objects only': () => Buffer.from(`${'{"a":'.repeat(21_000)}1${'}'.repeat(21_000)}`),
  'not JSON: brackets without an end': () => filled('{"a":', '[', ''),
  'not JSON: an error at the very end': () => object((n) => `"k${n}":1`, Number.POSITIVE_INFINITY, '!'),
  'not an object: an array': () => Buffer.from(`[${'1,'.repeat(65_000)}1]`),
  'one text': () => filled('{"message":"', 'we offer your ', '"}'),
  'one text of escapes': () => filled('{"message":"', '\\u0041', '"}'),
  'one text of short escapes': () => filled('{"message":"', '\\n', '"}'),
  'one text of NUL': () => filled('{"message":"', '\\u0000', '"}'),
  'one text of lone surrogates': () => filled('{"message":"', '\\ud800', '"}'),
  'one text of surrogate pairs': () => filled('{"message":"', '\\ud83d\\ude00', '"}'),
  'one text of four-byte characters': () => filled('{"message":"', '😀', '"}'),
  'one text of quotes': () => filled('{"message":"', '\\"', '"}'),
  'one text of colons and commas': () => filled('{"message":"', ':,', '"}'),
  'one text of digits in runs of 299': () => filled('{"message":"', `${'1'.repeat(299)} `, '"}'),
  'one text of digits': () => filled('{"message":"', '1', '"}'),
  'one text of spaces': () => filled('{"message":"', ' ', 'x"}'),
  'one address of dots': () => filled('{"email":"a', '.a', '@b.example"}'),
  'one key': () => filled('{"', 'k', '":"http://a.example"}'),
  'one key with escapes': () => filled('{"', '\\u0041', '":1}'),
  'one key with many matches': () =>
    filled('{"', 'k', `":"${'<a href=http://x.example.top> FREE casino bonus {a|b} Hеllо '.repeat(20)}"}`),
  'spaces between': () => filled('{"a":1,', ' ', '"b":2}'),
  'spaces in front': () => filled('', ' ', '{"a":1}'),
  'spaces behind': () => filled('{"a":1}', '\n', ''),
  'spaces in an array': () => array(() => '1 ', 9_900),
  'links only': () => filled('{"message":"', 'http://x.example.top/a?b ', '"}'),
  'dots and brackets': () => filled('{"message":"', '{a|b.{<a [', '"}'),
  '60 messages of 2 KB': () => object((n) => `"message_${n}":"${'free casino bonus click '.repeat(84)}"`, 60),
  '900 texts of 100 characters': () => object((n) => `"message_${n}":"${'a.b '.repeat(25)}"`, 900),
};

/** An object with the given number of members, or as many as fit. */
function object(member: (n: number) => string, max = Number.POSITIVE_INFINITY, end = ''): Buffer {
  return joined('{', member, `}${end}`, max);
}

/** A lead whose field `a` is an array of the given number of elements, or as many as fit. */
function array(element: (n: number) => string, max = Number.POSITIVE_INFINITY, before = ''): Buffer {
  return joined(`{${before}"a":[`, element, ']}', max);
}

function joined(start: string, part: (n: number) => string, end: string, max: number): Buffer {
  const parts: string[] = [];
  let size = start.length + end.length;
  for (let n = 0; n < max; n++) {
    const next = part(n);
    size += Buffer.byteLength(next) + 1;
    if (size > bodyBytesMax) break;
    parts.push(next);
  }
  return Buffer.from(start + parts.join(',') + end);
}

function filled(start: string, unit: string, end: string, opening = ''): Buffer {
  const room = bodyBytesMax - Buffer.byteLength(start + opening + end);
  return Buffer.from(start + opening + unit.repeat(Math.floor(room / Buffer.byteLength(unit))) + end);
}

/** Names of the same length that differ only at the end, so that comparing them is slow. */
function collidingName(n: number): string {
  return `${'a'.repeat(40)}${n.toString(36).padStart(4, '0')}`;
}

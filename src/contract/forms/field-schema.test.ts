import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FormField } from '../../domain/form.ts';
import { fieldsOfSchema, schemaOfFields } from './field-schema.ts';

const field = fc.record(
  {
    key: fc
      .string({ minLength: 1, maxLength: 20 })
      .filter((key) => key !== '__proto__' && !/^\d+$/.test(key)),
    label: fc.constantFrom('Name', 'Ihr Name', 'a "b" \\ {c}: [d]'),
    type: fc.constantFrom('text', 'email', 'phone', 'url', 'number', 'boolean'),
    required: fc.constant(true),
  },
  { requiredKeys: ['key'] },
);
const fieldLists = fc.uniqueArray(field, { selector: ({ key }) => key, maxLength: 20 });

test('fields that are exported and imported again are the same, in the same order, and nothing is left out', () => {
  fc.assert(
    fc.property(fieldLists, fc.string(), (fields, name) => {
      expect(fieldsOfSchema(schemaOfFields(name, fields as FormField[]))).toEqual({ fields, losses: [] });
    }),
  );
});

test('an import names everything that a field cannot keep', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    additionalProperties: false,
    $defs: { address: { type: 'object' } },
    properties: {
      email: { type: 'string', format: 'email', pattern: '.+@.+', title: ' Your email ' },
      site: { type: ['string', 'null'], format: 'uri' },
      age: { type: 'integer', minimum: 0 },
      born: { type: 'string', format: 'date' },
      address: { $ref: '#/$defs/address' },
      tags: { type: 'array', items: {} },
      mixed: { type: ['string', 'number'], title: 'a\nb' },
      anything: true,
    },
    required: ['email', 'consent'],
  };
  expect(fieldsOfSchema(JSON.stringify(schema))).toEqual({
    fields: [
      { key: 'email', label: 'Your email', type: 'email', required: true },
      { key: 'site', type: 'url' },
      { key: 'age', type: 'number' },
      { key: 'born', type: 'text' },
      { key: 'address' },
      { key: 'tags' },
      { key: 'mixed' },
      { key: 'anything' },
      { key: 'consent', required: true },
    ],
    losses: [
      { key: null, keyword: 'additionalProperties' },
      { key: null, keyword: '$defs' },
      { key: 'email', keyword: 'pattern' },
      { key: 'site', keyword: 'type null' },
      { key: 'age', keyword: 'minimum' },
      { key: 'age', keyword: 'type integer' },
      { key: 'born', keyword: 'format date' },
      { key: 'address', keyword: '$ref' },
      { key: 'tags', keyword: 'items' },
      { key: 'tags', keyword: 'type array' },
      { key: 'mixed', keyword: 'title' },
      { key: 'mixed', keyword: 'type string, number' },
    ],
  });
});

const properties = (text: string) => `{"type":"object","properties":${text}}`;
const refused: [string, string, RegExp][] = [
  ['no JSON', '{', /not valid JSON/],
  ['a list', '[]', /must be a JSON object/],
  ['a schema of text', '{"type":"string"}', /"type" must be "object"/],
  ['a reference only', '{"$ref":"#/$defs/lead"}', /no "properties"/],
  ['a key that occurs twice', properties('{"a":{},"a":{"type":"string"}}'), /"a" occurs twice/],
  ['a key that is written in two ways', properties('{"a":{},"\\u0061":{}}'), /"a" occurs twice/],
  ['__proto__', properties('{"__proto__":{"type":"string"}}'), /"__proto__" is not allowed/],
  ['__proto__ deeper inside', properties('{"a":{"x":{"__proto__":1}}}'), /"__proto__" is not allowed/],
  ['deep nesting', properties(`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`), /levels deep/],
  ['a megabyte', properties(`{"a":{"title":"${'x'.repeat(1_000_000)}"}}`), /200,000 characters/],
  [
    'too many fields',
    properties(JSON.stringify(Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`k${i}`, {}])))),
    /at most 200 fields/,
  ],
  ['a property that is no schema', properties('{"a":7}'), /"a" must be a schema/],
  ['an empty key', properties('{"":{}}'), /empty key/],
  ['required keys that are no list', '{"properties":{},"required":"a"}', /must be a list of keys/],
];

test.each(refused)('an import refuses %s and says why', (_, text, why) => {
  expect(() => fieldsOfSchema(text)).toThrow(why);
});

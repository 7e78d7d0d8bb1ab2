import fc from 'fast-check';

interface JsonSchema {
  readonly [keyword: string]: unknown;
}

const texts: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.uuid(),
  email: fc.constantFrom('ada@example.com', 'Max.Weber+1@mail.example.co.uk'),
  'date-time': fc
    .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
};

/** What a text often has to be although its schema does not say so. */
const likelyTexts = fc.constantFrom(
  'ada@example.com',
  'contact',
  'token_missing',
  '0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10',
  'YWRhQGV4YW1wbGUuY29tIGFkYUBleGFtcGxlLmNvbSBhZGFAZXhhbXBsZS5jb20g',
);
const scalars = fc.oneof(fc.constantFrom('', 'DE', true, null), fc.integer());

/** Values that a JSON Schema accepts, of the keywords that the contract uses. */
export function anythingOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const definitions = (schema.$defs ?? {}) as Record<string, JsonSchema>;
  return fc.letrec<Record<string, unknown>>((tie) => ({
    ...Object.fromEntries(
      Object.entries(definitions).map(([id, definition]) => [id, valuesOf(definition, tie)]),
    ),
    '': valuesOf(schema, tie),
  }))[''] as fc.Arbitrary<unknown>;
}

type Tie = (id: string) => fc.Arbitrary<unknown>;

function valuesOf(schema: JsonSchema, tie: Tie): fc.Arbitrary<unknown> {
  const { $ref, const: only, enum: words, type, anyOf, oneOf } = schema;
  if (typeof $ref === 'string') return tie($ref.replace('#/$defs/', ''));
  if (only !== undefined) return fc.constant(only);
  if (Array.isArray(words)) return fc.constantFrom(...words);
  const ways = anyOf ?? oneOf;
  if (Array.isArray(ways)) return fc.oneof(...ways.map((way) => valuesOf(way, tie)));
  if (type === 'object') return objectsOf(schema, tie);
  if (type === 'array') {
    const {
      items,
      minItems = 0,
      maxItems = 3,
    } = schema as { items: JsonSchema; minItems: number; maxItems: number };
    return fc.array(valuesOf(items, tie), {
      minLength: minItems,
      maxLength: Math.min(maxItems, minItems + 3),
    });
  }
  if (type === 'string') return textsOf(schema);
  if (type === 'integer' || type === 'number') return numbersOf(schema);
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  return scalars;
}

function objectsOf(schema: JsonSchema, tie: Tie): fc.Arbitrary<unknown> {
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = schema as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
    additionalProperties?: boolean | JsonSchema;
  };
  const members = Object.fromEntries(
    Object.entries(properties).map(([key, member]) => [key, valuesOf(member, tie)]),
  );
  const named = fc.record(members, { requiredKeys: required });
  if (typeof additionalProperties !== 'object') return named;
  const free = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), valuesOf(additionalProperties, tie), {
    maxKeys: 3,
  });
  return fc.tuple(free, named).map(([others, known]) => ({ ...others, ...known }));
}

function textsOf({ format, pattern, minLength = 0, maxLength = 50 }: JsonSchema): fc.Arbitrary<string> {
  const formatted = texts[String(format)];
  if (formatted !== undefined) return formatted;
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern));
  const shortMax = Math.min(Number(maxLength), Number(minLength) + 20);
  return fc.oneof(likelyTexts, fc.string({ minLength: Number(minLength), maxLength: shortMax }));
}

function numbersOf({ type, minimum = -1000, maximum = 1000 }: JsonSchema): fc.Arbitrary<number> {
  const range = { min: Number(minimum), max: Number(maximum) };
  return type === 'integer' ? fc.integer(range) : fc.double({ ...range, noNaN: true });
}

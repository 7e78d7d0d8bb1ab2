import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { depthMax, type Lead, parseLead } from './lead.ts';

function parsed(text: string | Buffer): Lead {
  const lead = parseLead(Buffer.from(text));
  if (typeof lead === 'string') throw new Error(lead);
  return lead;
}

const projectionOf = (text: string) => parsed(text).projection.toString();

test('any JSON object is a lead with the fields that were sent', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (object) => {
      const text = JSON.stringify(object);
      const { fields, projection } = parsed(text);
      expect(JSON.stringify(fields)).toBe(JSON.stringify(JSON.parse(projection.toString())));
      expect(Object.keys(fields).length).toBe(Object.keys(JSON.parse(projection.toString())).length);
    }),
  );
});

test('no bytes make the parser throw', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => parseLead(Buffer.from(bytes)) !== undefined));
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => parseLead(Buffer.from(text)) !== undefined));
});

test('a projection contains nothing that jsonb rejects, whatever escapes and numbers the body has', () => {
  const oddStrings = fc.string({
    unit: fc.constantFrom('a', '\\u0000', '\\ud800', '\\udc00', '\\n', 'é', '😀'),
  });
  const oddNumbers = fc.constantFrom(
    '1',
    '-0',
    '1e400',
    '-1e400',
    '12345678901234567890',
    '1e-400',
    '1e131071',
    '0.1',
  );
  fc.assert(
    fc.property(oddStrings, oddStrings, oddNumbers, (key, value, number) => {
      const projection = projectionOf(`{"k${key}":"${value}","n":[${number}]}`);
      expect(projection).not.toMatch(/\\u0000|\\ud[89a-f]/i);
      expect(JSON.parse(projection)).toBeTruthy();
      for (const lexeme of projection.match(/(?<=\[)[-+.eE\d]+(?=\])/g) ?? []) {
        expect(Math.abs(Number(lexeme))).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
        expect(lexeme.length).toBeLessThan(30);
      }
    }),
  );
});

test('an ordinary body is its own projection, byte for byte', () => {
  const body = Buffer.from('{ "name": "Zoë", "n": 1.50 }');
  expect(projectionOf(body.toString())).toBe(body.toString());
});

test('cleaning changes what jsonb cannot hold, and nothing else', () => {
  const numbers = fc.constantFrom(
    ...['0', '1.5', '1e2', '1E+2', '-1.25e-3', '1e400', '-1e400', '9007199254740991', '9007199254740992'],
    ...[
      '12345678901234567890',
      '0.12345678901234567890',
      '1e-400',
      `1${'0'.repeat(400)}`,
      `0.${'1'.repeat(400)}`,
    ],
  );
  const texts = fc
    .string({
      unit: fc.constantFrom(
        'a',
        '1e5',
        '\\u0000',
        '\\ud800',
        '\\u0041',
        '\\\\',
        '\\"',
        ':',
        ',',
        '[',
        '{',
        'é',
      ),
    })
    .map((text) => `"${text}"`);
  const { json } = fc.letrec<{ json: string; list: string; object: string }>((tie) => ({
    json: fc.oneof({ depthSize: 'small' }, numbers, texts, fc.constant('true'), tie('list'), tie('object')),
    list: fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join(' ,')}]`),
    object: fc
      .array(fc.tuple(texts, tie('json')), { maxLength: 4 })
      .map((members) => `{${members.map(([key, value]) => `${key}: ${value}`)}}`),
  }));
  fc.assert(
    fc.property(json, (value) => {
      const { projection, fields } = parsed(`{"a":${value}}`);
      expect(JSON.parse(projection.toString())).toEqual(cleanedByReviver(`{"a":${value}}`));
      expect(JSON.parse(JSON.stringify(fields))).toEqual(JSON.parse(projection.toString()));
    }),
  );
});

/** The same, slowly: with a reviver that reads the source of each number. */
function cleanedByReviver(text: string): unknown {
  const parse = JSON.parse as (
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown;
  const clean = (part: string) => part.replaceAll('\0', '\uFFFD').toWellFormed();
  const revived = parse(text, (_key, value, { source }) => {
    if (typeof value === 'string') return clean(value);
    if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : source;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [clean(key), inner]));
  });
  return JSON.parse(JSON.stringify(revived));
}

describe('what is accepted', () => {
  test.each([
    ['a byte order mark', '\ufeff{"a":1}', '{"a":1}'],
    ['duplicate keys: the last wins', '{"a":1,"a":2}', '{"a":1,"a":2}'],
    ['an empty key', '{"":1}', '{"":1}'],
    ['NUL, replaced in the projection', '{"a":"x\\u0000y"}', '{"a":"x\ufffdy"}'],
    ['a lone surrogate, replaced', '{"a":"\\ud800"}', '{"a":"\ufffd"}'],
    ['a surrogate pair, kept', '{"a":"\\ud83d\\ude00"}', '{"a":"😀"}'],
    ['a number beyond 2^53, kept as text', '{"a":12345678901234567890}', '{"a":"12345678901234567890"}'],
    ['a number too large for any type, kept as text', '{"a":[1e400]}', '{"a":["1e400"]}'],
    [
      'a number that would be written out at length, kept as text',
      '{"a":[1e-300,1e-5]}',
      '{"a":["1e-300",0.00001]}',
    ],
    ['white space around it', ' {} \n', ' {} \n'],
  ])('%s', (_, body, projection) => {
    expect(projectionOf(body)).toBe(projection);
  });

  test('the key __proto__ is data like any other', () => {
    const lead = parsed('{"__proto__":{"polluted":1},"a":"\\u0000"}');
    expect(lead.projection.toString()).toBe('{"__proto__":{"polluted":1},"a":"\ufffd"}');
    expect(({} as { polluted?: number }).polluted).toBe(undefined);
  });

  test(`a depth of ${depthMax}`, () => {
    expect(parsed(nested(depthMax)).fields).toBeTruthy();
  });
});

describe('what is rejected', () => {
  test.each([
    ['nothing', '', 'body_not_json'],
    ['broken JSON', '{"a":', 'body_not_json'],
    ['two objects', '{}{}', 'body_not_json'],
    ['single quotes', "{'a':1}", 'body_not_json'],
    ['a raw control character', '{"a":"\n"}', 'body_not_json'],
    ['an array', '[{}]', 'body_not_object'],
    ['a string', '"a"', 'body_not_object'],
    ['null', 'null', 'body_not_object'],
    ['a depth of 65', nested(depthMax + 1), 'body_too_deep'],
    ['a depth of 60,000', nested(60_000), 'body_too_deep'],
    ['a deep array', `${'['.repeat(60_000)}${']'.repeat(60_000)}`, 'body_not_object'],
  ])('%s', (_, body, fault) => {
    expect(parseLead(Buffer.from(body))).toBe(fault);
  });

  test('invalid UTF-8', () => {
    expect(parseLead(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toBe('body_not_json');
  });

  test('UTF-16', () => {
    expect(parseLead(Buffer.from('{"a":1}', 'utf16le'))).toBe('body_not_json');
  });
});

function nested(depth: number): string {
  return `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;
}

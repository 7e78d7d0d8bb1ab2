import { describe, expect, test } from 'vitest';
import type { LeadFacts } from './lead-facts.ts';
import { type Mapping, mapped } from './mapping.ts';
import { sampleLead } from './sample-lead.ts';

const sample = sampleLead({
  workspaceId: '0198a0c0-0000-7000-8000-000000000001',
  submissionId: '0198a0c0-0000-7000-8000-000000000002',
  form: { id: '0198a0c0-0000-7000-8000-000000000003', slug: 'contact', name: 'Contact' },
  at: new Date('2026-11-16T08:00:00Z'),
});

function written(mapping: Mapping, fields = sample.fields, lead: LeadFacts = sample): string {
  const members = mapped(mapping, { ...lead, fields });
  return `{${[...members].map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`;
}

test('rows send fields under other keys, in their order, and nothing else', () => {
  const rows = [{ from: 'email', to: 'Email' }, { from: 'name', to: 'FullName' }, { from: 'company' }];
  expect(written(rows)).toBe(
    '{"Email":"ada@example.com","FullName":"Ada Lovelace","company":"Analytical Engines"}',
  );
});

test('a pointer reads anything that the standard format has', () => {
  const rows = [
    { from: '/submission_id', to: 'id' },
    { from: '/form/slug', to: 'form' },
    { from: '/received_at', to: 'at' },
    { from: '/enrichment/company/domain', to: 'domain' },
    { from: '/attribution/utm_source', to: 'source' },
    { from: '/fields/tags/1', to: 'tag' },
    { from: '/fields/a~1b~0c', to: 'odd' },
    { from: '/score', to: 'score' },
  ];
  expect(written(rows, '{"tags": ["x", "y"], "a/b~c": 1, "utm_source": "bing"}')).toBe(
    '{"id":"0198a0c0-0000-7000-8000-000000000002","form":"contact","at":"2026-11-16T08:00:00.000Z",' +
      '"domain":"example.com","source":"bing","tag":"y","odd":1,"score":72}',
  );
});

describe('a value that is missing, empty or impossible', () => {
  const fields = '{"blank": "", "nothing": null, "none": [ ], "word": "many"}';
  test.each([
    ['missing', undefined],
    ['blank', undefined],
    ['nothing', undefined],
    ['none', undefined],
    ['/fields/missing/deep', undefined],
    ['/fields/word/deep', undefined],
    ['word', 'number' as const],
  ])('%s is not sent, or its default is', (from, as) => {
    expect(written([{ from, to: 'x', as }], fields)).toBe('{}');
    expect(written([{ from, to: 'x', as, default: 0 }], fields)).toBe('{"x":0}');
    expect(written([{ from, to: 'x', as, default: null }], fields)).toBe('{"x":null}');
  });

  test('false and 0 are values', () => {
    expect(
      written(
        [
          { from: 'a', default: 1 },
          { from: 'b', default: 1 },
        ],
        '{"a": false, "b": 0}',
      ),
    ).toBe('{"a":false,"b":0}');
  });
});

describe('the other fields', () => {
  const fields = '{"a": 1, "b": {"c": [1, 2]}, "phone": "x", "to": "own"}';

  test('keep their keys, except those that a row sends or drops', () => {
    const rows = [{ from: 'a', to: 'A' }, { from: '*' }, { from: 'phone', drop: true }];
    expect(written(rows, fields)).toBe('{"A":1,"b":{"c":[1,2]},"to":"own"}');
  });

  test('never replace what a row sends', () => {
    expect(written([{ from: '*' }, { from: 'a', to: 'to' }], fields)).toBe(
      '{"b":{"c":[1,2]},"phone":"x","to":1}',
    );
    expect(written([{ from: 'a', to: 'to' }, { from: '*' }], fields)).toBe(
      '{"to":1,"b":{"c":[1,2]},"phone":"x"}',
    );
    expect(written([{ from: '/fields/phone', drop: true }, { from: '*' }], fields)).not.toContain('phone');
  });
});

describe('hostile leads', () => {
  test('an ID of 19 digits keeps its digits', () => {
    const fields = '{"id": 9223372036854775807, "text": "9223372036854775807"}';
    const rows: Mapping = [
      { from: 'id' },
      { from: 'id', to: 'asText', as: 'text' },
      { from: 'text', to: 'asNumber', as: 'number' },
    ];
    expect(written(rows, fields)).toBe(
      '{"id":9223372036854775807,"asText":"9223372036854775807","asNumber":9223372036854775807}',
    );
  });

  test.each(['__proto__', 'constructor', '=1+1', '<b>', 'Host', '_leadgate', 'a"b\\'])(
    'a field named %j is sent only under the key that the row names',
    (key) => {
      const fields = JSON.stringify({ x: 1 }).replace('x', JSON.stringify(key).slice(1, -1));
      expect(written([{ from: key, to: 'y' }], fields)).toBe('{"y":1}');
      expect(written([{ from: key, to: 'y' }], '{"z": 1}')).toBe('{}');
    },
  );

  test('a lead of 128 KB is mapped by fifty rows', () => {
    const fields = `{"x": "${'<'.repeat(131_000)}"}`;
    const rows = Array.from({ length: 50 }, (_, i) => ({ from: 'x', to: `k${i}`, as: 'email' as const }));
    expect(written(rows, fields)).toBe('{}');
  });

  // Otherwise this takes minutes, during which nothing else is sent.
  test('fifty rows read a value far inside a lead of 128 KB', () => {
    const depth = 240;
    const fields = `${'{"a": '.repeat(depth)}"${'x'.repeat(128_000)}"${'}'.repeat(depth)}`;
    const from = `/fields${'/a'.repeat(depth)}`;
    const rows = Array.from({ length: 50 }, (_, i) => ({ from, to: `k${i}`, as: 'email' as const }));
    for (let i = 0; i < 3; i++) expect(written(rows, fields)).toBe('{}');
  });
});

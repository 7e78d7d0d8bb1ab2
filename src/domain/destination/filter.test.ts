import { describe, expect, test } from 'vitest';
import { destinationDefaults } from './destination.ts';
import { type Condition, matches, mayMatch } from './filter.ts';
import type { LeadFacts } from './lead-facts.ts';
import { sampleLead } from './sample-lead.ts';

const sample = sampleLead({
  workspaceId: '0198a0c0-0000-7000-8000-000000000001',
  submissionId: '0198a0c0-0000-7000-8000-000000000002',
  form: { id: '0198a0c0-0000-7000-8000-000000000003', slug: 'contact', name: 'Contact' },
  at: new Date('2026-11-16T08:00:00Z'),
});

function withFields(fields: string): LeadFacts {
  return { ...sample, fields };
}

const lead = withFields(
  `{"company": "Analytical Engines", "size": "250", "budget": 1000.50, "consent": true, "blank": "", "nothing": null,
    "tags": ["blue", 7, {"a": 1}], "none": [], "address": {"city": "London"}, "a.b": "dotted", "id": 9223372036854775807,
    "utm_source": "google", "email": "Ada@Example.com"}`,
);

function met(field: string, op: Condition['op'], value?: Condition['value']): boolean {
  return matches({ all: [{ field, op, value }] }, lead);
}

test('a new destination gets clean leads', () => {
  expect(matches(destinationDefaults.filter, lead)).toBe(true);
  expect(matches(destinationDefaults.filter, { ...lead, verdict: 'suspect' })).toBe(false);
});

test('all needs every condition, any needs one, and an empty all is every lead', () => {
  const yes: Condition = { field: 'grade', op: 'eq', value: 'B' };
  const no: Condition = { field: 'grade', op: 'eq', value: 'E' };
  expect(matches({ all: [yes, no] }, lead)).toBe(false);
  expect(matches({ any: [no, yes] }, lead)).toBe(true);
  expect(matches({ any: [no] }, lead)).toBe(false);
  expect(matches({ all: [] }, lead)).toBe(true);
});

describe('fields of the lead itself', () => {
  test('a form is named by its ID or its slug', () => {
    expect(met('form', 'eq', 'contact')).toBe(true);
    expect(met('form', 'in', ['other', sample.form?.id ?? ''])).toBe(true);
    expect(met('form', 'ne', 'contact')).toBe(false);
    const deleted = { ...lead, form: null };
    expect(matches({ all: [{ field: 'form', op: 'ne', value: 'contact' }] }, deleted)).toBe(true);
    expect(matches({ all: [{ field: 'form', op: 'eq', value: String(lead.formId) }] }, deleted)).toBe(true);
  });

  test.each<[string, Condition['op'], Condition['value']]>([
    ['surface', 'eq', 'server'],
    ['verdict', 'not_in', ['spam', 'suspect']],
    ['grade', 'in', ['A', 'B']],
    ['score', 'gte', 72],
    ['score', 'lte', 72.0],
    ['enrichment.company.domain', 'eq', 'example.com'],
    ['enrichment.status', 'starts_with', 'built'],
    ['attribution.utm_source', 'eq', 'google'],
    ['attribution.source', 'eq', 'google'],
  ])('%s %s %j is met', (field, op, value) => {
    expect(met(field, op, value)).toBe(true);
  });
});

describe('values', () => {
  test.each<[string, Condition['op'], Condition['value'], boolean]>([
    ['field.company', 'eq', 'Analytical Engines', true],
    ['field.company', 'eq', 'analytical engines', false],
    ['field.company', 'contains', 'ENGINE', true],
    ['field.email', 'ends_with', '@example.COM', true],
    ['field.email', 'starts_with', 'ada@', true],
    ['field.email', 'starts_with', 'da@', false],
    ['field.size', 'eq', 250, true],
    ['field.size', 'gte', 250, true],
    ['field.size', 'gte', '251', false],
    ['field.budget', 'eq', 1000.5, true],
    ['field.budget', 'eq', '1000.5', false],
    ['field.budget', 'eq', '1000.50', true],
    ['field.budget', 'lte', 1000.5, true],
    ['field.company', 'gte', 0, false],
    ['field.company', 'lte', 0, false],
    ['field.consent', 'eq', true, true],
    ['field.consent', 'eq', 'true', true],
    ['field.consent', 'ne', false, true],
    ['field.tags', 'eq', 'blue', true],
    ['field.tags', 'in', [7], true],
    ['field.tags', 'ne', 'blue', false],
    ['field.tags', 'gte', 7, true],
    ['field.address', 'eq', 'London', false],
    ['field.address', 'ne', 'London', true],
    ['field.address', 'contains', 'London', false],
    ['field.tags', 'contains', '"a"', false],
    ['field.a.b', 'eq', 'dotted', true],
    ['field.address.city', 'exists', true, false],
  ])('%s %s %j is %s', (field, op, value, expected) => {
    expect(met(field, op, value)).toBe(expected);
  });

  test.each(['field.missing', 'field.blank', 'field.nothing', 'field.none', 'enrichment.company.country'])(
    '%s has no value: only ne, not_in and exists false are met',
    (field) => {
      expect(met(field, 'exists')).toBe(false);
      expect(met(field, 'exists', false)).toBe(true);
      expect(met(field, 'ne', 'x')).toBe(true);
      expect(met(field, 'not_in', ['x'])).toBe(true);
      expect(met(field, 'eq', 'x')).toBe(false);
      expect(met(field, 'lte', 0)).toBe(false);
      expect(met(field, 'contains', 'x')).toBe(false);
    },
  );

  test.each([
    'field.company',
    'field.consent',
    'field.tags',
    'field.address',
    'form',
    'attribution.utm_source',
  ])('%s exists', (field) => {
    expect(met(field, 'exists')).toBe(true);
    expect(met(field, 'exists', false)).toBe(false);
  });

  test('an ID of 19 digits is compared digit by digit', () => {
    expect(met('field.id', 'eq', '9223372036854775807')).toBe(true);
    expect(met('field.id', 'eq', '9223372036854775808')).toBe(false);
    expect(met('field.id', 'gte', '9223372036854775807')).toBe(true);
    expect(met('field.id', 'gte', '9223372036854775808')).toBe(false);
    // The number that JavaScript would round the ID to.
    expect(met('field.id', 'eq', 9223372036854776000)).toBe(false);
  });
});

describe('before the enrichment', () => {
  const waiting = { ...lead, enrichment: null, isEnriched: false };
  const country: Condition = { field: 'enrichment.company.country', op: 'eq', value: 'DE' };

  test('conditions on it count as met, and the others decide', () => {
    const large: Condition = { field: 'field.size', op: 'gte', value: 1000 };
    expect(mayMatch({ all: [country] }, waiting)).toBe(true);
    expect(matches({ all: [country] }, waiting)).toBe(false);
    expect(mayMatch({ all: [country, large] }, waiting)).toBe(false);
    expect(mayMatch({ any: [country, large] }, waiting)).toBe(true);
  });

  test('an enriched lead is what it is', () => {
    expect(mayMatch({ all: [country] }, lead)).toBe(false);
  });
});

describe('hostile leads', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'field.%s is no value unless sent',
    (key) => {
      expect(met(`field.${key}`, 'exists')).toBe(false);
      expect(met(`enrichment.${key}`, 'exists')).toBe(false);
      expect(met(`enrichment.company.${key}.name`, 'exists')).toBe(false);
      const sent = withFields(`{"${key}": "x"}`);
      expect(matches({ all: [{ field: `field.${key}`, op: 'eq', value: 'x' }] }, sent)).toBe(true);
    },
  );

  test.each(['=HYPERLINK("x")', '<script>', 'Content-Length', '', ' ', 'a"b\\c'])(
    'a field named %j is found',
    (key) => {
      const sent = withFields(JSON.stringify({ [key]: 'x' }));
      const expected = key !== '';
      expect(matches({ all: [{ field: `field.${key}`, op: 'eq', value: 'x' }] }, sent)).toBe(expected);
    },
  );

  test('128 KB of text, items or digits are compared', () => {
    const filter = { any: [{ field: 'field.x', op: 'contains', value: 'needle' }] } as const;
    expect(matches(filter, withFields(`{"x": "${'a'.repeat(131_000)}needle"}`))).toBe(true);
    expect(matches(filter, withFields(`{"x": [${'"a",'.repeat(32_000)}"needle"]}`))).toBe(false);
    const large = withFields(`{"x": ${'9'.repeat(131_000)}}`);
    expect(matches({ all: [{ field: 'field.x', op: 'gte', value: 1 }] }, large)).toBe(true);
  });

  // Otherwise each of these takes minutes, during which the relay of all workspaces stands still.
  test('a long list is compared with many values', () => {
    const fields = JSON.stringify({ x: Array.from({ length: 1_000 }, (_, i) => i) });
    const value = Array.from({ length: 100 }, (_, i) => 100_000 + i);
    const all = Array.from({ length: 20 }, () => ({ field: 'field.x', op: 'not_in' as const, value }));
    for (let i = 0; i < 10; i++) expect(matches({ all }, withFields(fields))).toBe(true);
    const last = { field: 'field.x', op: 'in', value: [...value, 999] } as const;
    expect(matches({ all: [last] }, withFields(fields))).toBe(true);
  });

  test('text that nearly contains a part everywhere is searched', () => {
    const value = `${'a'.repeat(500)}b${'a'.repeat(499)}`;
    const any = Array.from({ length: 20 }, () => ({ field: 'field.x', op: 'contains' as const, value }));
    const near = JSON.stringify({ x: 'a'.repeat(131_000) });
    for (let i = 0; i < 10; i++) expect(matches({ any }, withFields(near))).toBe(false);
    expect(matches({ any }, withFields(JSON.stringify({ x: `${'A'.repeat(130_000)}${value}` })))).toBe(true);
  });

  test('text with lone surrogates is compared, not parsed', () => {
    const sent = withFields('{"x": "\\ud800"}');
    expect(matches({ all: [{ field: 'field.x', op: 'eq', value: '\ud800' }] }, sent)).toBe(true);
  });
});

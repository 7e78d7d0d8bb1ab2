import fc from 'fast-check';
import { expect, test } from 'vitest';
import { enrichmentFields } from '../../domain/enrichment/fields.ts';
import { type Method, methods } from '../../domain/enrichment/vocabulary.ts';
import { runBuiltin } from '../providers/builtin/builtin.ts';
import { fitFields, type Said } from '../providers/provider.ts';
import { readInput } from '../reading/input.ts';
import { mergeSaid } from './merge.ts';

const methodNames = Object.keys(methods) as Method[];
const fault = (_: string, error: unknown) => {
  throw error;
};

function said(path: string, value: unknown, method: Method, confidence = 0.5): Said {
  return { path, value, method, confidence, provider: method };
}

test('what the person typed is never overwritten, whatever a provider returns and however confident it is', () => {
  const lead = {
    email: 'ada@acme.de',
    first_name: 'Ada',
    last_name: 'Lovelace',
    company: 'Acme',
    title: 'CEO',
    country: 'France',
    website: 'https://acme.de/',
    phone: '+49 30 901820',
    utm_source: 'google',
  };
  const typed = runBuiltin(readInput(lead), fault).said;
  const alone = mergeSaid(typed, []);
  const own = Object.entries(alone.provenance).filter(([, { method }]) =>
    ['submitted', 'normalised'].includes(method),
  );
  expect(own.length).toBeGreaterThan(8);
  const anything = fc.array(
    fc.record({
      path: fc.constantFrom(...enrichmentFields.map(({ path }) => path)),
      value: fc.oneof(fc.string(), fc.constantFrom('DE', 'owner', 'https://evil.com/', true)),
      confidence: fc.constant(1),
      method: fc.constantFrom(...methodNames.filter((m) => m !== 'submitted' && m !== 'normalised')),
    }),
  );
  fc.assert(
    fc.property(anything, (fields) => {
      const others = fitFields(fields).map((field): Said => ({ ...field, provider: 'external' }));
      const { provenance, ...view } = mergeSaid([...others, ...typed], []);
      for (const [path] of own) {
        expect(at(view, path)).toEqual(at(alone, path));
        expect(provenance[path]?.provider).toBe(alone.provenance[path]?.provider);
      }
    }),
  );
});

function at(view: object, path: string): unknown {
  return path.split('.').reduce<unknown>((place, part) => (place as Record<string, unknown>)[part], view);
}

test('if providers differ, the more trusted method wins and the others become alternatives', () => {
  const view = mergeSaid(
    [
      said('company.name', 'Acme', 'guess', 0.4),
      said('company.name', 'ACME – tools', 'meta', 0.9),
      said('company.name', 'ACME Inc.', 'external', 0.5),
      said('company.name', 'Acme Incorporated', 'json_ld', 0.9),
      said('company.name', 'ACME Inc.', 'json_ld', 0.1),
    ],
    [],
  );
  expect(view.company).toEqual({ name: 'ACME Inc.' });
  expect(view.provenance['company.name']).toMatchObject({ method: 'external', confidence: 0.5 });
  expect(view.provenance['company.name']?.alternatives?.map(({ value }) => value)).toEqual([
    'Acme Incorporated',
    'ACME – tools',
    'Acme',
  ]);
});

test('of two values found by the same method, the more confident one wins', () => {
  const view = mergeSaid(
    [said('company.city', 'Bern', 'meta', 0.2), said('company.city', 'Basel', 'meta', 0.3)],
    [],
  );
  expect(view.company).toEqual({ city: 'Basel' });
});

test('a value of the wrong type or of an unknown field is dropped, the rest is cleaned for storage', () => {
  const fields = [
    { path: 'company.name', value: ` A\u0000c\nme\u202e \ud800` },
    { path: 'company.logo', value: 'javascript:alert(1)' },
    { path: 'company.website', value: 'https://user:pass@acme.com/' },
    { path: 'company.country', value: 'Germany' },
    { path: 'company.description', value: 'x'.repeat(10_000) },
    { path: 'company.size_range', value: '7' },
    { path: 'company.phones', value: ['1', 2, null, {}, '1'] },
    { path: 'company.socials.linkedin', value: { deep: {} } },
    { path: 'email.role', value: 'yes' },
    { path: '__proto__.polluted', value: 'x' },
    { path: 'constructor', value: 'x' },
  ].map((field) => ({ ...field, confidence: 0.5, method: 'external' as const }));
  const view = mergeSaid(
    fitFields(fields).map((field) => ({ ...field, provider: 'external' })),
    [],
  );
  expect(view.company).toEqual({
    name: 'A c me \ufffd',
    description: `${'x'.repeat(254)}…`,
    phones: ['1', '2'],
  });
  expect(Object.keys(view.provenance)).toHaveLength(3);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test.each([
  [
    [
      ['builtin', 'found'],
      ['dns', 'skip'],
    ],
    'builtin_only',
  ],
  [
    [
      ['builtin', 'none'],
      ['dns', 'none'],
    ],
    'complete',
  ],
  [
    [
      ['builtin', 'found'],
      ['dns', 'found'],
      ['http', 'skip'],
    ],
    'complete',
  ],
  [
    [
      ['builtin', 'found'],
      ['dns', 'found'],
      ['http', 'retry'],
    ],
    'partial',
  ],
  [
    [
      ['builtin', 'found'],
      ['dns', 'pending'],
    ],
    'partial',
  ],
  [
    [
      ['builtin', 'found'],
      ['dns', 'fail'],
    ],
    'partial',
  ],
  [
    [
      ['builtin', 'fail'],
      ['dns', 'found'],
    ],
    'failed',
  ],
] as const)('provider outcomes %j give the status %s', (outcomes, status) => {
  const reports = outcomes.map(([phase, outcome]) => ({ id: phase, phase, version: 1, outcome }));
  expect(mergeSaid([], reports).status).toBe(status);
});

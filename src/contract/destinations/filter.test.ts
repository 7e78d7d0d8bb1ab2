import { expect, test } from 'vitest';
import { filterOps } from '../../domain/destination/filter.ts';
import { inputErrorMessage, inputErrors } from '../problem.ts';
import { filter } from './filter.ts';

function errorsOf(input: unknown): string[] {
  const { error } = filter.safeParse(input, { error: inputErrorMessage });
  return error === undefined ? [] : inputErrors(error).map(({ message }) => message);
}

const fine = { field: 'score', op: 'gte', value: 50 };

test.each([
  [{ all: [] }],
  [{ all: [fine, { field: 'field.email', op: 'exists' }] }],
  [{ any: [{ field: 'verdict', op: 'in', value: ['clean', 'suspect'] }] }],
  [{ all: [{ field: 'form', op: 'eq', value: 'contact' }] }],
  [{ all: [{ field: 'attribution.gclid', op: 'exists', value: true }] }],
  [{ all: [{ field: 'enrichment.company.country', op: 'not_in', value: ['DE'] }] }],
  [{ all: [{ field: 'field.id', op: 'eq', value: '9223372036854775807' }] }],
  [{ all: [{ field: 'field.id', op: 'gte', value: '9223372036854775807' }] }],
  [{ all: Array.from({ length: 20 }, () => fine) }],
])('%j is a filter', (input) => {
  expect(errorsOf(input)).toEqual([]);
});

const whole = 'use either `all` or `any`, with a list of conditions';

test.each([
  [{}, whole],
  [{ all: [fine], any: [fine] }, whole],
  ['all', whole],
  [null, whole],
  [{ all: [fine], none: [] }, whole],
  [{ any: [] }, '`any` needs at least one condition'],
  [{ all: fine }, 'must be a list of conditions'],
  [{ all: Array.from({ length: 21 }, () => fine) }, 'use at most 20 conditions'],
])('%j is no filter', (input, message) => {
  expect(errorsOf(input)).toEqual([message]);
});

test.each([
  [{ field: 'score', op: 'gte', value: 'many' }, '`gte` needs a number'],
  [{ field: 'field.size', op: 'lte' }, '`lte` needs a number'],
  [{ field: 'grade', op: 'gte', value: 'B' }, '`gte` needs a number'],
  [{ field: 'score', op: 'eq', value: 'high' }, '`score` is a number'],
  [{ field: 'verdict', op: 'eq', value: 'good' }, '`verdict` is one of clean, suspect, spam'],
  [{ field: 'grade', op: 'in', value: ['A', 'F'] }, '`grade` is one of A, B, C, D, E'],
  [{ field: 'surface', op: 'ne', value: 'email' }, '`surface` is one of server, webhook, browser'],
  [{ field: 'field.a', op: 'in', value: 'x' }, '`in` needs a list of 1 to 100 values'],
  [{ field: 'field.a', op: 'not_in', value: [] }, '`not_in` needs a list of 1 to 100 values'],
  [{ field: 'field.a', op: 'eq', value: ['x'] }, '`eq` needs text, a number, or true or false'],
  [{ field: 'field.a', op: 'contains', value: 5 }, '`contains` needs text'],
  [{ field: 'field.a', op: 'starts_with', value: '' }, '`starts_with` needs text'],
  [{ field: 'field.a', op: 'exists', value: 'yes' }, '`exists` needs true or false'],
  [{ field: 'field.a', op: 'eq', value: 2 ** 60 }, 'write a number of more than 15 digits as text'],
  [{ field: 'field.a', op: 'eq', value: 'x'.repeat(1001) }, 'use at most 1000 characters'],
  [{ field: 'field.a', op: 'eq', value: '\0' }, 'contains characters that cannot be stored'],
  [{ field: 'field.a', op: 'matches', value: '.*' }, `\`op\` is one of ${filterOps.join(', ')}`],
  [{ field: 7, op: 'eq', value: 1 }, '`field` must be text'],
  [
    { field: 'field.a', op: 'eq', value: null },
    '`value` must be text, a number, true or false, or a list of them',
  ],
  [{ ...fine, not: true }, 'use the members `field`, `op` and `value`'],
  ['score >= 50', 'use the members `field`, `op` and `value`'],
])('%j is refused with the number of its row', (condition, message) => {
  expect(errorsOf({ all: [fine, fine, condition] })).toEqual([`Condition 3: ${message}`]);
});

test.each([
  'email',
  'field.',
  'field',
  '__proto__',
  'constructor',
  'enrichment.',
  'enrichment..a',
  'enrichment.a.',
  '',
  '.a',
  'field.\ud800',
  `field.${'x'.repeat(500)}`,
])('the field %j is refused', (field) => {
  expect(errorsOf({ any: [{ field, op: 'exists' }] })).toEqual([
    expect.stringMatching(/^Condition 1: `.{0,70}` is not a field of a lead; use form, surface, verdict/),
  ]);
});

test('an attribution that no lead has is refused with those that leads have', () => {
  expect(errorsOf({ all: [{ field: 'attribution.colour', op: 'exists' }] })).toEqual([
    expect.stringContaining(
      'Condition 1: `attribution.colour` is not known; use attribution. with utm_source',
    ),
  ]);
});

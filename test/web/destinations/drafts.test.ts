import { expect, test } from 'vitest';
import { mappingRowOf, rowOf } from '../../../web/pages/destinations/draft/mapping.ts';
import {
  type Condition,
  conditionOf,
  conditionRowOf,
  withOperator,
} from '../../../web/parts/conditions/condition.ts';

test.each<Condition>([
  { field: 'verdict', op: 'eq', value: 'clean' },
  { field: 'score', op: 'gte', value: 40 },
  { field: 'field.ref', op: 'eq', value: '1234567890123456789' },
  { field: 'field.zip', op: 'in', value: ['01067', '10115x'] },
  { field: 'field.budget', op: 'in', value: [1000, 2.5] },
  { field: 'field.phone', op: 'starts_with', value: '49' },
  { field: 'enrichment.company.name', op: 'exists', value: false },
])('a condition that nobody edits is saved as it was: %j', (condition) => {
  expect(conditionOf(conditionRowOf(condition))).toEqual(condition);
});

test('a condition without a value means that there is one', () => {
  expect(conditionOf(conditionRowOf({ field: 'field.email', op: 'exists' }))).toEqual({
    field: 'field.email',
    op: 'exists',
    value: true,
  });
});

test('another operator keeps the value as far as it fits', () => {
  const row = conditionRowOf({ field: 'field.country', op: 'eq', value: 'DE' });
  const list = withOperator(row, 'in');
  expect(list.value).toEqual(['DE']);
  expect(withOperator(list, 'contains').value).toBe('DE');
  expect(withOperator(withOperator(row, 'exists'), 'eq').value).toBe('');
});

test.each([
  { from: 'email' },
  { from: '*' },
  { from: 'password', drop: true },
  { from: '/enrichment/company/name', to: 'company', as: 'text', default: '' },
  { from: 'seats', to: 'size', as: 'number', default: 5 },
  { from: 'zip', default: '01067' },
  { from: 'level', default: 3 },
  { from: 'consent', as: 'boolean', default: false },
  { from: 'referrer', default: null },
] as const)('a row of a mapping that nobody edits is saved as it was: %j', (row) => {
  expect(rowOf(mappingRowOf(row))).toEqual(row);
});

test('a default that is typed is of the type that the row sends', () => {
  const typed = (as: '' | 'number' | 'boolean' | 'text', text: string) =>
    rowOf({ from: 'a', to: '', as, default: text, drop: false }).default;
  expect([
    typed('number', '5'),
    typed('number', 'five'),
    typed('boolean', 'true'),
    typed('text', '5'),
  ]).toEqual([5, 'five', true, '5']);
  expect(typed('', '')).toBeUndefined();
});

import { expect, test } from 'vitest';
import { inputErrorMessage, inputErrors } from '../problem.ts';
import { mapping } from './mapping.ts';

function errorsOf(input: unknown): string[] {
  const { error } = mapping.safeParse(input, { error: inputErrorMessage });
  return error === undefined ? [] : inputErrors(error).map(({ message }) => message);
}

const fine = { from: 'email', to: 'Email', as: 'email', default: null };

test.each([
  [[]],
  [[fine, { from: '/enrichment/company/name', to: 'Company' }]],
  [[{ from: '*' }, { from: 'phone', drop: true }, { from: '/fields/fax', drop: true }]],
  [[{ from: 'email' }, { from: 'email', to: 'again' }]],
  [[{ from: '/fields/*', to: 'star' }]],
])('%j is a mapping', (input) => {
  expect(errorsOf(input)).toEqual([]);
});

test.each([
  [
    { from: '' },
    '`from` is empty; use the key of a field, or a JSON pointer such as `/enrichment/company/name`',
  ],
  [{ from: '/enrichment/company/name' }, '`to` is required with a JSON pointer'],
  [{ from: '/fields/a~2', to: 'a' }, '`from` has a `~` that is not `~0` or `~1`'],
  [{ from: 'a', to: '' }, '`to` is empty'],
  [{ from: 'a', to: 'x'.repeat(201) }, '`to` has more than 200 characters'],
  [{ from: 'x'.repeat(501), to: 'a' }, '`from` has more than 500 characters'],
  [{ from: 'a', to: '\ud800' }, '`to` contains characters that cannot be stored'],
  [{ from: '\0', to: 'a' }, '`from` contains characters that cannot be stored'],
  [{ from: 'a', default: '\0' }, '`default` contains characters that cannot be stored'],
  [{ from: 'mail', to: 'Email' }, 'row 1 sends `Email` already'],
  [{ from: 'phone', drop: true }, '`drop` needs a row with `from` `*`'],
  [{ from: 'phone', to: 'x', drop: true }, 'a row with `drop` has no `to`, `as` or `default`'],
  [{ from: '*', to: 'x' }, '`*` sends fields as they are, without `to`, `as` or `default`'],
  [{ from: 'a', as: 'uppercase' }, '`as` is one of text, number, boolean, date, email, phone, list'],
  [{ from: 7 }, '`from` must be text'],
  [{ from: 'a', default: {} }, '`default` must be text, a number, true, false or null'],
  [{ from: 'a', drop: 'yes' }, '`drop` must be true or false'],
  [{ from: 'a', script: '1' }, 'use the members `from`, `to`, `as`, `default` and `drop`'],
  ['a', 'use the members `from`, `to`, `as`, `default` and `drop`'],
])('%j is refused with the number of its row', (row, message) => {
  expect(errorsOf([fine, row])).toEqual([`Row 2: ${message}`]);
});

test.each(['/', '/secret/x', '/__proto__/x', '/workspace_id'])('the pointer %s is refused', (from) => {
  expect(errorsOf([{ from, to: 'x' }])).toEqual([
    expect.stringMatching(/^Row 1: `.*` starts with none of \/submission_id, \/form/),
  ]);
});

test('a field is dropped once, and only as a whole', () => {
  const rows = [{ from: '*' }, { from: 'a', drop: true }];
  expect(errorsOf([...rows, { from: 'a', drop: true }])).toEqual(['Row 3: row 2 drops this field already']);
  expect(errorsOf([...rows, { from: '/fields/a/b', drop: true }])).toEqual([
    'Row 3: `drop` needs the key of a field',
  ]);
});

test('more than fifty rows are refused', () => {
  const rows = Array.from({ length: 51 }, (_, i) => ({ from: `k${i}` }));
  expect(errorsOf(rows)).toEqual(['use at most 50 rows']);
  expect(errorsOf('rows')).toEqual(['must be a list of rows']);
});

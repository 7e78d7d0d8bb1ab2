import { expect, test } from 'vitest';
import type { Mapping, MappingRow } from '../mapping.ts';
import { type HubspotProperty, mappingProblems } from './contact-mapping.ts';

function property(name: string, type = 'string', more: Partial<HubspotProperty> = {}): HubspotProperty {
  return { name, label: `The ${name}`, type, isWritable: true, options: null, ...more };
}

const properties = [
  property('email'),
  property('firstname', 'string', { label: 'First Name' }),
  property('createdate', 'datetime', { isWritable: false }),
  property('employees', 'number'),
  property('newsletter', 'bool'),
  property('birthday', 'date'),
  property('first_seen', 'datetime'),
  property('interests', 'enumeration', { options: ['forms', 'leads'] }),
];
const email = { from: 'email' };

function problemOf(row: MappingRow): string | undefined {
  const [problem, ...others] = mappingProblems([email, row], properties);
  expect(others).toEqual([]);
  if (problem !== undefined) expect(problem.place).toBe(1);
  return problem?.message;
}

test('a mapping that HubSpot accepts has no problems', () => {
  const mapping: Mapping = [
    { from: 'mail', to: 'email', as: 'email' },
    { from: 'firstname' },
    { from: 'size', to: 'employees', as: 'number' },
    { from: '/score', to: 'employees' },
    { from: 'news', to: 'newsletter', as: 'boolean' },
    { from: 'born', to: 'birthday', as: 'date' },
    { from: '/received_at', to: 'first_seen' },
    { from: 'tags', to: 'interests', default: 'forms' },
  ];
  expect(mappingProblems(mapping, properties)).toEqual([]);
});

test.each<[string, MappingRow, RegExp]>([
  [
    'a property that does not exist',
    { from: 'a', to: 'nope' },
    /^Row 2: HubSpot has no contact property `nope`$/,
  ],
  ['a label', { from: 'a', to: 'first name' }, /internal name `firstname`/],
  ['a name in another case', { from: 'FirstName' }, /internal name `firstname`/],
  ['a read-only property', { from: 'a', to: 'createdate' }, /`createdate` is read-only/],
  ['all other fields', { from: '*' }, /name each property/],
  ['text in a number', { from: 'a', to: 'employees' }, /use `as` `number`/],
  ['a date in a number', { from: 'a', to: 'employees', as: 'date' }, /use `as` `number`/],
  ['text in a checkbox', { from: 'a', to: 'newsletter', as: 'text' }, /use `as` `boolean`/],
  ['text in a date', { from: 'a', to: 'birthday' }, /use `as` `date`/],
  ['a time in a date', { from: '/received_at', to: 'birthday' }, /has a time/],
  ['a list with commas in choices', { from: 'a', to: 'interests', as: 'list' }, /semicolons/],
  ['a default that is no choice', { from: 'a', to: 'interests', default: 'cars' }, /none of the options/],
])('%s is a problem of its row', (_, row, message) => {
  expect(problemOf(row)).toMatch(message);
});

test('a mapping without an address is a problem of the whole', () => {
  const whole = [{ place: null, message: 'one row must set `email`, which contacts are found by' }];
  expect(mappingProblems([{ from: 'firstname' }], properties)).toEqual(whole);
  expect(mappingProblems([], properties)).toEqual(whole);
});

test('the address has no default, or strangers would become one contact', () => {
  const problems = mappingProblems([{ from: 'a', to: 'email', default: 'x@example.com' }], properties);
  expect(problems).toEqual([{ place: 0, message: 'Row 1: `email` cannot have a `default`' }]);
  expect(mappingProblems([{ from: 'a', to: 'email', as: 'phone' }], properties)).toHaveLength(1);
});

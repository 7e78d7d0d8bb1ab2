import { expect, test } from 'vitest';
import type { Mapping } from '../mapping.ts';
import { sampleLead } from '../sample-lead.ts';
import { contactOf } from './contact.ts';

const sample = sampleLead({
  workspaceId: '0198a0c0-0000-7000-8000-000000000001',
  submissionId: '0198a0c0-0000-7000-8000-000000000002',
  form: null,
  at: new Date('2026-11-16T08:00:00Z'),
});

const email = { from: 'email' };

function contact(mapping: Mapping, fields: object) {
  return contactOf(mapping, { ...sample, fields: JSON.stringify(fields) });
}

test('a contact has the properties of the mapping as text, and is found by its address', () => {
  const mapping = [
    { from: 'mail', to: 'email' },
    { from: 'name', to: 'firstname' },
    { from: '/score', to: 'score' },
    { from: 'news', to: 'newsletter', as: 'boolean' as const },
    { from: 'tags', to: 'interests' },
    { from: 'address' },
  ];
  const fields = {
    ...{ mail: 'ada@example.com', name: 'Ada "A" Lovelace', news: 'yes', secret: 'not mapped' },
    ...{ tags: ['forms', 'leads', null, 3], address: { city: 'London', zip: [1, 2] } },
  };
  expect(contact(mapping, fields)).toEqual({
    id: 'ada@example.com',
    idProperty: 'email',
    properties: {
      firstname: 'Ada "A" Lovelace',
      score: '72',
      newsletter: 'true',
      interests: 'forms;leads;3',
      address: '{"city":"London","zip":[1,2]}',
    },
  });
});

test('addresses that differ in case or in blanks around them are one contact', () => {
  const ids = [' Ada@Example.COM ', 'ada@example.com'].map(
    (address) => contact([email], { email: address })?.id,
  );
  expect(ids).toEqual(['ada@example.com', 'ada@example.com']);
});

test.each([
  ['none', {}],
  ['empty text', { email: ' ' }],
  ['a list', { email: ['ada@example.com'] }],
  ['an object', { email: { a: 1 } }],
  ['a number', { email: 5 }],
  ['text without a host', { email: 'ada' }],
  ['two addresses', { email: 'ada@example.com, bob@example.com' }],
  ['a line break', { email: 'ada@example.com\nbcc: bob@example.com' }],
  ['a very long one', { email: `${'a'.repeat(300)}@example.com` }],
])('a lead whose address is %s makes no contact', (_, fields) => {
  expect(contact([email], fields)).toBeNull();
});

test('only the row for `email` decides, whatever other fields contain', () => {
  expect(
    contact([{ from: 'work', to: 'email' }], { email: 'a@example.com', work: 'b@example.com' })?.id,
  ).toBe('b@example.com');
  expect(contact([{ from: 'work', to: 'email' }], { email: 'a@example.com' })).toBeNull();
});

test('long numbers stay as they are written, and null clears a property', () => {
  const lead = { ...sample, fields: '{"email":"a@example.com","n":12345678901234567890.10}' };
  const mapping = [email, { from: 'n' }, { from: 'missing', default: null }];
  expect(contactOf(mapping, lead)?.properties).toEqual({ n: '12345678901234567890.10', missing: '' });
});

test('a value is shortened to what HubSpot accepts, and never ends in half a character', () => {
  const value = contact([email, { from: 'message' }], {
    email: 'a@example.com',
    message: `${'x'.repeat(65_534)}😀😀`,
  })?.properties.message as string;
  expect(value.length).toBeLessThanOrEqual(65_536);
  expect(value.isWellFormed()).toBe(true);
  expect(value.endsWith('…')).toBe(true);
});

test('a key such as __proto__ is a property like others', () => {
  const made = contactOf([email, { from: 'a', to: '__proto__' }], {
    ...sample,
    fields: '{"email":"a@example.com","a":"b"}',
  });
  expect(JSON.stringify(made?.properties)).toBe('{"__proto__":"b"}');
});

import { expect, test } from 'vitest';
import { BodyHashes } from '../lead/body-hash.ts';
import { personHashesOf } from './person-hashes.ts';

const hashes = new BodyHashes({ keyed: Buffer.alloc(32, 1), signed: Buffer.alloc(32, 2) });
const of = (fields: Record<string, unknown>, workspaceId = '00000000-0000-4000-8000-000000000001') =>
  personHashesOf(hashes, workspaceId, fields).map((hash) => hash.toString('hex'));

test('an address or a number has the same hash however it is spelled and wherever it is', () => {
  const [email] = of({ email: 'ada@example.com' });
  expect(of({ contact: { fields: [{ 'E-Mail': ' Ada@EXAMPLE.com ' }] } })).toEqual([email]);
  expect(of({ note: 'x', whatever: 'ADA@example.com' })).toEqual([email]);
  const [phone] = of({ phone: '+49 30 123456' });
  expect(of({ tel: '004930123456' })).toEqual([phone]);
  expect(of({ telephone: 4930123456 })).toEqual([phone]);
  expect(of({ email: 'ada@example.com', phone: '+49 (30) 12-34-56' })).toEqual([email, phone]);
});

test('other people and other workspaces have other hashes', () => {
  const [ada] = of({ email: 'ada@example.com' });
  expect(of({ email: 'max@example.com' })).not.toContain(ada);
  expect(of({ email: 'ada@example.com' }, '00000000-0000-4000-8000-000000000002')).not.toContain(ada);
  expect(hashes.of('00000000-0000-4000-8000-000000000001', Buffer.from('ada@example.com'))).not.toEqual(ada);
});

test('text that only mentions an address, short numbers and empty values have none', () => {
  expect(
    of({ message: 'write to ada@example.com', phone: '12', email: '', company: 'ACME', age: 123456 }),
  ).toEqual([]);
});

test('a body with very many values costs little and has few hashes', () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, `a${n}@example.com`]));
  expect(of(many)).toHaveLength(8);
  expect(of({ list: Array.from({ length: 5_000 }, () => 'x'), email: 'ada@example.com' })).toEqual([]);
});

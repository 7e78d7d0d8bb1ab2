import { expect, test } from 'vitest';
import { jsonOfForm } from './form-body.ts';

const urlencoded = 'application/x-www-form-urlencoded';
const read = (body: string) => {
  const json = jsonOfForm(urlencoded, Buffer.from(body));
  return typeof json === 'string' ? json : JSON.parse(json.toString());
};

test('fields of a form become members, and repeated names a list', () => {
  expect(read('email=a%40b.example&topic=x&topic=y&empty=')).toEqual({
    email: 'a@b.example',
    topic: ['x', 'y'],
    empty: '',
  });
  expect(Object.keys(read('__proto__=x'))).toEqual(['__proto__']);
});

test('a body with more fields than any form has is not read', () => {
  const fields = (count: number) => Array.from({ length: count }, (_, n) => `f${n}=1`).join('&');
  expect(Object.keys(read(fields(1_000)))).toHaveLength(1_000);
  expect(read(fields(1_001))).toBe('body_not_json');
  expect(read('a&'.repeat(65_000))).toBe('body_not_json');
});

import { expect, test } from 'vitest';
import { ownHeaderErrors, ownHeadersError } from './own-headers.ts';

test.each([
  { 'X-Api-Key': 'abc' },
  { Authorization: 'Bearer a.b-c_d=' },
  { 'User-Agent': 'Leads (Acme)' },
  { cookie: 'a=b; c=d' },
  { 'X-Long': 'x'.repeat(1024) },
])('%j may be added', (headers) => {
  expect([...ownHeaderErrors(headers)]).toEqual([]);
});

test.each([
  'Host',
  'content-length',
  'Content-Type',
  'Connection',
  'webhook-signature',
  'Webhook-Anything',
  'Transfer-Encoding',
  'Accept-Encoding',
  'Upgrade',
  'TE',
  'trailer',
  'Expect',
  'Keep-Alive',
  'Proxy-Authorization',
])('%s belongs to the service', (name) => {
  expect([...ownHeaderErrors({ 'X-Fine': 'a', [name]: 'b' })]).toEqual([
    [name, `Header 2 (\`${name}\`): the service sets this header itself`],
  ]);
});

test.each(['', ' X', 'X ', 'X:', 'X Y', 'X\r\nHost', 'X\0', 'Ä', ':path', '_proto_', '<b>', 'x'.repeat(101)])(
  '%j is not the name of a header',
  (name) => {
    expect([...ownHeaderErrors({ [name]: 'b' }).values()]).toEqual([
      expect.stringMatching(/^Header 1 \(`[\s\S]*`\): use a letter, then letters, digits and hyphens/),
    ]);
  },
);

test('__proto__ is refused like any other name', () => {
  const headers = JSON.parse('{"__proto__": "x"}');
  expect([...ownHeaderErrors(headers).keys()]).toEqual(['__proto__']);
});

test.each(['', ' a', 'a ', 'a\r\nHost: b', 'a\nb', 'a\tb', 'ä', 'a\0', 'a\u2028b'])(
  '%j is not a value',
  (value) => {
    expect(ownHeaderErrors({ 'X-Key': value }).get('X-Key')).toBe(
      'Header 1 (`X-Key`): use printable ASCII characters without spaces at the ends',
    );
  },
);

test('a value is up to 1 KB, and a message never repeats it', () => {
  const error = ownHeaderErrors({ 'X-Key': 's3cret'.repeat(200) }).get('X-Key');
  expect(error).toBe('Header 1 (`X-Key`): use at most 1024 characters');
});

test('a name counts once, whatever its case', () => {
  expect(ownHeaderErrors({ 'X-Key': 'a', 'x-key': 'b' }).get('x-key')).toBe(
    'Header 2 (`x-key`): header 1 has the same name',
  );
});

test('there are up to ten headers', () => {
  const headers = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-${i}`, 'a']));
  expect(ownHeadersError(headers(10))).toBeNull();
  expect(ownHeadersError(headers(11))).toBe('use at most 10 headers');
});

import { describe, expect, test } from 'vitest';
import { isAllowedOrigin, isLocalhost, normalOrigin, originRules } from './origin.ts';

describe('a form allows exactly the origins in its list', () => {
  const rules = originRules([
    'https://www.example.com',
    'https://shop.example.com:8443',
    'https://*.example.org',
    'https://xn--bcher-kva.example',
  ]);

  test.each([
    ['https://www.example.com', true],
    ['https://shop.example.com:8443', true],
    ['https://xn--bcher-kva.example', true],
    ['https://a.example.org', true],
    ['https://a-1.example.org', true],
    [`https://${'a'.repeat(63)}.example.org`, true],
    [`https://${'a'.repeat(64)}.example.org`, false],
    [`https://${'a'.repeat(12_000)}.example.org`, false],
    ['', false],
    ['null', false],
    ['https://example.com', false],
    ['http://www.example.com', false],
    ['https://www.example.com:443', false],
    ['https://www.example.com:8443', false],
    ['https://shop.example.com', false],
    ['https://www.example.com.evil.test', false],
    ['https://evil.test/https://www.example.com', false],
    ['https://evilwww.example.com', false],
    ['HTTPS://WWW.EXAMPLE.COM', false],
    ['https://WWW.example.com', false],
    ['https://bücher.example', false],
    ['https://www.example.com.', false],
    ['https://www.example.com/', false],
    ['https://user@www.example.com', false],
    ['https://www.example.com@evil.test', false],
    ['https://example.org', false],
    ['https://a.b.example.org', false],
    ['https://.example.org', false],
    ['https://*.example.org', false],
    ['https://-.example.org', false],
    ['https://a.example.org.', false],
    ['https://a.example.org.evil.test', false],
    ['https://evil.test/.example.org', false],
    ['https://user@a.example.org', false],
    ['https://evil.test#.example.org', false],
    ['https://evil.test:1.example.org', false],
    ['https://A.example.org', false],
    ['https://a.example.org:8443', false],
    ['http://a.example.org', false],
    [' https://www.example.com', false],
    ['https://www.example.com, https://www.example.com', false],
    ['__proto__', false],
  ])('%j: %j', (origin, isAllowed) => {
    expect(isAllowedOrigin(rules, origin)).toBe(isAllowed);
  });
});

describe('an owner may write an origin in any usual spelling', () => {
  test.each([
    ['https://www.example.com', 'https://www.example.com'],
    [' https://WWW.Example.com/ ', 'https://www.example.com'],
    ['HTTPS://example.com:443', 'https://example.com'],
    ['https://example.com:8443', 'https://example.com:8443'],
    ['http://example.com', 'http://example.com'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://*.example.com', 'https://*.example.com'],
    ['https://*.Bücher.example', 'https://*.xn--bcher-kva.example'],
    ['https://*.example.com:8443', 'https://*.example.com:8443'],
  ])('%j becomes %j', (text, normal) => {
    expect(normalOrigin(text)).toBe(normal);
  });

  test.each([
    '',
    'null',
    '*',
    'example.com',
    '//example.com',
    'ftp://example.com',
    'javascript:alert(1)',
    'https://',
    'https://example.com/path',
    'https://example.com?x',
    'https://example.com#x',
    'https://user@example.com',
    'https://user:secret@example.com',
    'https://exa mple.com',
    'https://*',
    'https://*.com',
    'https://*.*.example.com',
    'https://a.*.example.com',
    'https://a*.example.com',
    'https://*example.com',
    'http://*.example.com',
    'https://*..example.com',
    'https://example.com:99999',
    'https://example.com\\@evil.test',
    `https://${'a'.repeat(300)}.example.com`,
  ])('%j is none', (text) => {
    expect(normalOrigin(text)).toBeNull();
  });
});

test.each([
  ['http://localhost', true],
  ['http://localhost:3000', true],
  ['http://127.0.0.1:8080', true],
  ['https://localhost', false],
  ['http://localhost.evil.test', false],
  ['http://localhost:3000@evil.test', false],
  ['http://127.0.0.2', false],
  ['http://LOCALHOST', false],
])("the developer's own machine: %s is %j", (origin, isIt) => {
  expect(isLocalhost(origin)).toBe(isIt);
});

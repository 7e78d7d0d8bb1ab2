import { expect, test } from 'vitest';
import { chatResult } from './chat-result.ts';

const url =
  'https://hooks.slack.com/services/T0123ABCD/B0123ABCD/aVerySecretToken24Chars?sig=a%2Fb%2Fc%2F0123456789';
const answer = (status: number, head: string | null) => ({
  ...{ status, retryAfterMs: null, ms: 1 },
  head: head === null ? null : Buffer.from(head),
});

test.each([
  [200, 'ok', 'delivered', null],
  [204, '', 'delivered', null],
  [202, '', 'delivered', null],
  [400, 'invalid_payload', 'refused', 'refused'],
  [400, 'invalid_blocks', 'refused', null],
  [403, 'action_prohibited', 'refused', null],
  [404, 'no_service', 'refused', 'gone'],
  [404, '{"message": "Unknown Webhook", "code": 10015}', 'refused', 'gone'],
  [410, 'channel_is_archived', 'refused', 'gone'],
  [429, '', 'throttled', null],
  [
    200,
    'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429',
    'throttled',
    null,
  ],
  [200, 'invalid_payload', 'delivered', null],
  [500, 'invalid_payload', 'failed', null],
])('the response %d %s means %s, and disables %s', (status, body, meaning, disables) => {
  const result = chatResult(answer(status, `content-type: text/plain\n\n${body}`), url);
  expect([result.meaning, result.disables]).toEqual([meaning, disables]);
  expect(result.error === null).toBe(meaning === 'delivered');
});

test('a header does not count as the body', () => {
  const head = 'server: invalid_payload\n\nno';
  expect(chatResult(answer(400, head), url).disables).toBeNull();
  expect(chatResult(answer(400, null), url).disables).toBeNull();
});

test.each([
  ['the URL', url],
  ['the path', '/services/T0123ABCD/B0123ABCD/aVerySecretToken24Chars'],
  ['the token', '"id": "aVerySecretToken24Chars"'],
  ['the signature', 'a%2Fb%2Fc%2F0123456789'],
  ['the signature, decoded', 'a/b/c/0123456789'],
])('a response that repeats %s is shown without it', (_, text) => {
  for (const head of [`location: ${text}\n\n`, `\n<p>né ${text}`, `\n${text}${text}`]) {
    const shown = chatResult(answer(500, head), url).head?.toString() ?? '';
    expect(shown).not.toMatch(/VerySecret|123456789/);
  }
});

test('the beginning of the token at the end of what was kept is not shown', () => {
  const head = '\nCannot POST aVerySecretToken2';
  expect(chatResult(answer(500, head), url).head?.toString()).toBe('\nCannot POST ');
});

test('what is not secret stays in a response', () => {
  const head = 'server: nginx\n\nThe services are down. Größe: 10015';
  expect(chatResult(answer(500, head), url).head?.toString()).toBe(head);
});

test('a failure without a response has none', () => {
  const result = chatResult({ failure: 'timeout', text: 'Too late.', ms: 5 }, url);
  expect(result).toMatchObject({ meaning: 'failed', status: null, head: null, error: 'Too late.' });
});

import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { isLinkToken, linkToken, recipientIdIn } from './link-token.ts';

const id = '0190a6c8-1111-7000-8000-000000000001';
const secret = randomBytes(32).toString('base64url');
const askedAt = new Date('2026-11-15T08:00:00.123Z');

test('a token names its recipient and is valid for one purpose, recipient, time and secret', () => {
  const token = linkToken('confirm', id, askedAt, secret);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(recipientIdIn(token)).toBe(id);
  expect(isLinkToken(token, 'confirm', id, askedAt, secret)).toBe(true);
  expect(isLinkToken(token, 'unsubscribe', id, askedAt, secret)).toBe(false);
  expect(isLinkToken(token, 'confirm', randomUUID(), askedAt, secret)).toBe(false);
  expect(isLinkToken(token, 'confirm', id, new Date(askedAt.getTime() + 1), secret)).toBe(false);
  expect(isLinkToken(token, 'confirm', id, null, secret)).toBe(false);
  expect(isLinkToken(token, 'confirm', id, askedAt, `${secret}x`)).toBe(false);
});

test('no other text is a token', () => {
  const token = linkToken('unsubscribe', id, null, secret);
  const standard = Buffer.from(token, 'base64url').toString('base64');
  const others = [
    '',
    'x',
    token.slice(1),
    `${token}A`,
    `${token}=`,
    ` ${token}`,
    standard,
    'ä'.repeat(43),
    '\0'.repeat(43),
  ];
  for (const other of others) {
    expect(recipientIdIn(other)).toBeNull();
    expect(isLinkToken(other, 'unsubscribe', id, null, secret)).toBe(false);
  }
});

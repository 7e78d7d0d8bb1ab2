import { expect, test } from 'vitest';
import { dayMs } from '../../time/clock.ts';
import { type TokenCounts, type TokenFacts, type TokenHealth, tokenHealth } from './token-health.ts';

const now = Date.parse('2026-11-15T08:00:00Z');
const inDays = (days: number) => new Date(now + days * dayMs);
const used: TokenFacts = {
  createdAt: inDays(-90),
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: inDays(-1),
  replacedBy: null,
};
const none: TokenCounts = { accepted: 0, rateLimited: 0, other: 0, reason: null };
const limited = { ...none, accepted: 99, rateLimited: 1 };
const rejected = { ...none, accepted: 45, other: 5, reason: 'json_invalid' };

const cases: [TokenHealth, string, Partial<TokenFacts>, TokenCounts][] = [
  ['revoked', 'whatever else', { revokedAt: inDays(-1), expiresAt: inDays(-1) }, limited],
  ['expired', 'at its time', { expiresAt: inDays(0) }, limited],
  ['expires_soon', 'less than seven days before', { expiresAt: inDays(6.99) }, limited],
  ['rate_limited', 'after one such rejection', { expiresAt: inDays(7) }, { ...limited, other: 99 }],
  ['elevated_rejections', 'when 10 % are rejected', { lastUsedAt: null }, rejected],
  ['elevated_rejections', 'when all are rejected', {}, { ...none, other: 1 }],
  ['healthy', 'with fewer than 10 % rejected', {}, { ...rejected, accepted: 46 }],
  ['healthy', 'with four rejected', {}, { ...rejected, accepted: 4, other: 4 }],
  ['idle', 'when it was never used', { lastUsedAt: null }, none],
  ['idle', 'after seven days', { lastUsedAt: inDays(-7) }, none],
  ['healthy', 'before that', { lastUsedAt: inDays(-6.99) }, none],
];

test.each(cases)('a token is %s %s', (health, _, facts, counts) => {
  expect(tokenHealth({ ...used, ...facts }, counts, now).health).toBe(health);
});

test('after 30 days without use, the advice is to revoke it', () => {
  const advice = (facts: Partial<TokenFacts>) => tokenHealth({ ...used, ...facts }, none, now).advice;
  expect(advice({ lastUsedAt: inDays(-30) })).toMatch('revoke it');
  expect(advice({ lastUsedAt: null, createdAt: inDays(-30) })).toMatch('revoke it');
  expect(advice({ lastUsedAt: inDays(-29.99) })).not.toMatch('revoke it');
  expect(advice({ lastUsedAt: null, createdAt: inDays(-29.99) })).not.toMatch('revoke it');
});

test('the advice on rejections is how to fix the most frequent reason', () => {
  const counts = { ...rejected, reason: 'body_too_large' };
  expect(tokenHealth(used, counts, now).advice).toMatch(/body_too_large.*links to them instead/);
  const unknown = { ...rejected, reason: 'of_an_older_version' };
  expect(tokenHealth(used, unknown, now).advice).toMatch('open its log');
});

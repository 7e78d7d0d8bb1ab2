import { createHmac, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isLinkToken, linkToken, recipientIdIn } from './link-token.ts';
import { receives, recipientStatus } from './recipient.ts';

const early = new Date('2026-11-15T08:00:00.000Z');
const late = new Date('2026-11-15T09:00:00.000Z');
const never = { confirmedAt: null, unsubscribedAt: null, isMember: false };

describe('an address gets emails only if someone there agreed', () => {
  test.each([
    ['a member with a proven address', { ...never, isMember: true }, 'member'],
    ['someone who was only added', never, 'waiting'],
    ['someone who confirmed', { ...never, confirmedAt: early }, 'confirmed'],
    ['a member who confirmed', { ...never, isMember: true, confirmedAt: early }, 'confirmed'],
    ['someone who unsubscribed', { ...never, unsubscribedAt: early }, 'unsubscribed'],
    ['a member who unsubscribed', { ...never, isMember: true, unsubscribedAt: early }, 'unsubscribed'],
    [
      'someone who confirmed before they unsubscribed',
      { ...never, isMember: true, confirmedAt: early, unsubscribedAt: late },
      'unsubscribed',
    ],
    [
      'someone who did both at the same time',
      { ...never, confirmedAt: early, unsubscribedAt: early },
      'unsubscribed',
    ],
    ['someone who confirmed again', { ...never, confirmedAt: late, unsubscribedAt: early }, 'confirmed'],
  ] as const)('%s', (_, facts, status) => {
    expect(recipientStatus(facts)).toBe(status);
    expect(receives(status)).toBe(status === 'member' || status === 'confirmed');
  });
});

describe('the token of a link', () => {
  const id = '0199f3a2-5c1e-4c44-9c1b-0d9c7f2a4e10';

  test('is the ID of the recipient and the first half of an HMAC', () => {
    const mac = createHmac('sha256', 'secret').update(`confirm ${id} 2026-11-15T08:00:00.000Z`).digest();
    const bytes = Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), mac.subarray(0, 16)]);
    expect(linkToken('confirm', id, early, 'secret')).toBe(bytes.toString('base64url'));
  });

  test('names its recipient', () => {
    for (const each of [id, randomUUID(), randomUUID()])
      expect(recipientIdIn(linkToken('unsubscribe', each, null, 'secret'))).toBe(each);
  });

  test('is valid for one purpose, recipient, time and secret', () => {
    const token = linkToken('confirm', id, early, 'secret');
    expect(isLinkToken(token, 'confirm', id, early, 'secret')).toBe(true);
    expect(isLinkToken(token, 'unsubscribe', id, early, 'secret')).toBe(false);
    expect(isLinkToken(token, 'confirm', randomUUID(), early, 'secret')).toBe(false);
    expect(isLinkToken(token, 'confirm', id, late, 'secret')).toBe(false);
    expect(isLinkToken(token, 'confirm', id, null, 'secret')).toBe(false);
    expect(isLinkToken(token, 'confirm', id, early, 'other')).toBe(false);
  });

  test('has one spelling', () => {
    const token = linkToken('unsubscribe', id, null, 'secret');
    // The last character of 43 has two bits that decode to nothing.
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const others = [...last].map((one) => token.slice(0, -1) + one).filter((one) => one !== token);
    const spellings = [
      ...others,
      '',
      'x',
      `${token}=`,
      `${token}A`,
      ` ${token}`,
      token.slice(1),
      'é'.repeat(43),
    ];
    for (const other of spellings) expect(isLinkToken(other, 'unsubscribe', id, null, 'secret')).toBe(false);
    const sameBytes = others.filter((one) =>
      Buffer.from(one, 'base64url').equals(Buffer.from(token, 'base64url')),
    );
    expect(sameBytes).toHaveLength(3);
    for (const other of [...sameBytes, '', 'x', `${token}=`, `${token}A`, token.slice(1)])
      expect(recipientIdIn(other)).toBeNull();
  });
});

import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  type BrowserClaims,
  isTokenSignedWith,
  mintBrowserToken,
  readBrowserToken,
} from './browser-token.ts';
import { type Challenge, isChallengeSignedWith, jtiOf, readChallenge, signChallenge } from './challenge.ts';
import { BrowserSigningKeys, mintSecretKey } from './signing-keys.ts';

const workspaceId = '0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b';
const formId = '0190a1b2-c3d4-7e5f-8a6b-000000000001';
const keys = new BrowserSigningKeys('an encryption key of the tests', ['an older key']);

const claims: BrowserClaims = {
  workspaceId,
  formId,
  epoch: 3,
  origin: 'https://www.example.com:8443',
  issuedAt: 1_790_000_000,
  expiresAt: 1_790_000_120,
  jti: randomBytes(16),
  bodyHash: randomBytes(32),
  proof: 'work',
};
const challenge: Challenge = {
  workspaceId,
  formId,
  origin: 'https://xn--bcher-kva.example',
  nonce: '00112233445566778899aabbccddeeff',
  salt: 'ffeeddccbbaa99887766554433221100',
  cost: 1_000,
  bits: 9,
  issuedAt: 1_790_000_000_000,
  bodyHash: randomBytes(32),
};

/** Every text that differs from the given one in one character. */
function* changedTexts(text: string, from: number): Generator<string> {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  for (let at = from; at < text.length; at++) {
    const other = alphabet[(alphabet.indexOf(text[at] as string) + 1 + (at % 62)) % 64] as string;
    if (other !== text[at]) yield text.slice(0, at) + other + text.slice(at + 1);
  }
}

describe('a browser token', () => {
  const named = keys.current('tokens', workspaceId);
  const token = mintBrowserToken(claims, named);
  const isValid = (text: string) => {
    const read = readBrowserToken(text);
    const key = read === null ? null : keys.find('tokens', read.claims.workspaceId, read.kid);
    return read !== null && key !== null && isTokenSignedWith(read, key);
  };

  test('says what it was created with', () => {
    const read = readBrowserToken(token);
    expect(read?.claims).toEqual(claims);
    expect(read?.kid).toBe(named.kid);
    expect(isValid(token)).toBe(true);
    const free = mintBrowserToken({ ...claims, bodyHash: null, proof: 'backend' }, named);
    expect(readBrowserToken(free)?.claims).toEqual({ ...claims, bodyHash: null, proof: 'backend' });
  });

  test('is not valid after a change of any character', () => {
    for (const text of changedTexts(token, 'ingt_br_'.length)) expect(isValid(text)).toBe(false);
  });

  test('has one spelling', () => {
    for (const text of [`${token}=`, `${token}A`, token.slice(0, -1), ` ${token}`, token.replace('_', '/')])
      expect(isValid(text)).toBe(false);
    // The last character of 32 + n bytes may have bits that decoding ignores.
    for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
      const text = token.slice(0, -1) + last;
      expect(isValid(text)).toBe(text === token);
    }
  });

  test('is not valid under the key of another workspace, purpose, kid or encryption key', () => {
    const read = readBrowserToken(token) as NonNullable<ReturnType<typeof readBrowserToken>>;
    const other = '0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2c';
    const strange = new BrowserSigningKeys('another encryption key').current('tokens', workspaceId);
    expect(isTokenSignedWith(read, keys.current('tokens', other).key)).toBe(false);
    expect(isTokenSignedWith(read, keys.current('challenges', workspaceId).key)).toBe(false);
    expect(isTokenSignedWith(read, strange.key)).toBe(false);
    expect(keys.find('tokens', workspaceId, strange.kid)).toBeNull();
    expect(keys.find('tokens', workspaceId, '')).toBeNull();
  });

  test('that was signed before the encryption key was rotated stays valid', () => {
    const before = new BrowserSigningKeys('an older key').current('tokens', workspaceId);
    expect(isValid(mintBrowserToken(claims, before))).toBe(true);
  });

  test('of a mint secret names that secret', () => {
    const own = mintSecretKey('ingt_mint_of_the_tests');
    const read = readBrowserToken(mintBrowserToken(claims, own));
    expect(read?.kid).toBe(own.kid);
    expect(read !== null && isTokenSignedWith(read, own.key)).toBe(true);
    expect(own.kid).not.toContain('ingt_mint_of_the_tests');
  });

  test.each([
    ['lives for more than 300 seconds', { expiresAt: claims.issuedAt + 301 }],
    ['ends before it begins', { expiresAt: claims.issuedAt - 1 }],
    ['has a short ID', { jti: randomBytes(15) }],
    ['has a short hash', { bodyHash: randomBytes(31) }],
    ['has an unknown proof', { proof: 'magic' as BrowserClaims['proof'] }],
    ['has a fractional time', { issuedAt: claims.issuedAt + 0.5 }],
    ['has a negative epoch', { epoch: -1 }],
    ['has a huge epoch', { epoch: 2 ** 60 }],
    ['names no workspace', { workspaceId: 'abcd' }],
  ])('that %s cannot be read, even if its signature is right', (_, changes) => {
    expect(readBrowserToken(mintBrowserToken({ ...claims, ...changes }, named))).toBeNull();
  });

  test.each([
    '',
    'ingt_br_',
    'ingt_br_AAAA',
    `ingt_br_${'A'.repeat(1_501)}`,
    `ingt_br_${'A'.repeat(200)}`,
    token.slice(8),
  ])('is not %j', (text) => {
    expect(readBrowserToken(text)).toBeNull();
  });
});

describe('a challenge', () => {
  const named = keys.current('challenges', workspaceId);
  const text = signChallenge(challenge, named);
  const isValid = (changed: string) => {
    const read = readChallenge(changed);
    const key = read === null ? null : keys.find('challenges', read.challenge.workspaceId, read.kid);
    return read !== null && key !== null && isChallengeSignedWith(read, key);
  };

  test('says what it was signed with', () => {
    expect(readChallenge(text)?.challenge).toEqual(challenge);
    expect(isValid(text)).toBe(true);
  });

  test('is not valid after a change of any character', () => {
    for (const changed of changedTexts(text, 0)) expect(isValid(changed)).toBe(false);
  });

  test('is no token, and a token is no challenge', () => {
    expect(readBrowserToken(`ingt_br_${text}`)).toBeNull();
    expect(readChallenge(mintBrowserToken(claims, keys.current('tokens', workspaceId)).slice(8))).toBeNull();
  });

  test('gives the same token ID everywhere, and another one for another nonce or form', () => {
    expect(jtiOf(challenge)).toEqual(jtiOf({ ...challenge, salt: '', bits: 13 }));
    expect(jtiOf(challenge)).toHaveLength(16);
    expect(jtiOf({ ...challenge, nonce: '01' })).not.toEqual(jtiOf(challenge));
    expect(jtiOf({ ...challenge, formId: workspaceId })).not.toEqual(jtiOf(challenge));
  });
});

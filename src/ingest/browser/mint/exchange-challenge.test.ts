import { expect, test } from 'vitest';
import { signChallenge } from '../../../domain/browser/challenge.ts';
import type { Protection } from '../../../domain/browser/protection.ts';
import { BrowserSigningKeys } from '../../../domain/browser/signing-keys.ts';
import { type ExchangeDeps, exchangeChallenge } from './exchange-challenge.ts';

const workspaceId = '0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b';
const formId = '0190a1b2-c3d4-7e5f-8a6b-000000000001';
const origin = 'https://www.example.com';
const stranger = new BrowserSigningKeys('a key of somebody else').current('challenges', workspaceId);
const challenge = signChallenge(
  {
    ...{ workspaceId, formId, origin, nonce: '00', salt: '00', cost: 1_000, bits: 9 },
    issuedAt: 0,
    bodyHash: Buffer.alloc(32),
  },
  stranger,
);

/** The reason for refusing a challenge with a wrong signature. Whatever is used beyond that is not there, and fails. */
async function reasonWhen(isFull: boolean, protection: Protection) {
  const form = {
    id: formId,
    workspaceId,
    isActive: true,
    isDeleted: false,
    browser: { isEnabled: true, protection },
  };
  const deps = {
    directory: { workspace: () => ({ isSuspended: false }), form: () => form },
    keys: new BrowserSigningKeys('our key'),
    work: {
      mayAccept: (id: string, network: string) => !(isFull && id === formId && network === '10.0.0.1'),
    },
  } as unknown as ExchangeDeps;
  const visit = { body: { challenge, solution: '1' }, origin, network: '10.0.0.1', at: 1 };
  return exchangeChallenge(visit, deps);
}

test('while too many solutions of a form wait, another is refused before anything is verified or counted', async () => {
  expect(await reasonWhen(true, 'work')).toMatchObject({ reason: 'mint_limited', form: { id: formId } });
  expect(await reasonWhen(false, 'work')).toMatchObject({ reason: 'challenge_failed', form: null });
});

test('a form that demands no work does not wait for that of others', async () => {
  expect(await reasonWhen(true, 'turnstile')).toMatchObject({ reason: 'challenge_failed', form: null });
});

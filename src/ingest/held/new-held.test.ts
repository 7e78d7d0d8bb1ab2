import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { BodyHashes } from '../../domain/lead/body-hash.ts';
import { deriveIdRoot } from '../../domain/secrets/id-root.ts';
import type { FormEntry } from '../directory/directory.ts';
import { readWaiting } from './new-held.ts';
import type { KeptHeaders, WaitingRequest } from './waiting-held.ts';

const hashes = new BodyHashes(deriveIdRoot('encryption-key-of-the-tests-0123456789'));
const form = { id: randomUUID(), workspaceId: randomUUID(), slug: 'a' } as FormEntry;

function read(text: string, isProven: boolean) {
  const request: WaitingRequest = {
    id: randomUUID(),
    form,
    tokenId: null,
    surface: 'webhook',
    reason: isProven ? 'form_inactive' : 'signature_mismatch',
    isProven,
    at: 0,
    requestId: '',
    sentAs: null,
    headers: {} as KeptHeaders,
    body: Buffer.from(text),
    expiresAt: 1,
    size: 1,
  };
  const { class: kind, personHashes } = readWaiting(request, hashes);
  return [kind, personHashes.length];
}

test('persons are found in bodies of any class, but not in those that strangers made to take long', () => {
  const lead = '{"email":"ada@example.com"}';
  expect([read(lead, true), read(lead, false)]).toEqual([
    ['A', 1],
    ['D', 1],
  ]);
  const keys = Array.from({ length: 10_000 }, (_, n) => `"k${n}":0`).join();
  const many = `{"email":"ada@example.com",${keys}}`;
  expect([read(many, true), read(many, false)]).toEqual([
    ['A', 1],
    ['D', 0],
  ]);
});

test('a proven request whose body is too deep or no object can never be a lead', () => {
  const deep = `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`;
  for (const text of [deep, '[]', 'null', '{', '', '"\ud800"'])
    expect([read(text, true), read(text, false)], text).toEqual([
      ['C', 0],
      ['D', 0],
    ]);
});

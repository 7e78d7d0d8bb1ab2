import { expect, test } from 'vitest';
import { sealAsBefore } from '../../../test/support/database/earlier-seal.ts';
import { SubmissionIds } from '../lead/submission-id.ts';
import { deriveIdRoot, firstIdRoot, openIdRoot, sealIdRoot } from './id-root.ts';
import { SealedError, SecretBox } from './secret-box.ts';

const oldKey = 'encryption-key-of-the-tests-0123456789';
const newKey = 'another key, after a rotation of the first';
const id = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
const hash = Buffer.alloc(32, 7);
// What version 0.1.0 derived from the same key.
const keyedId = '4bf8cc17-d5f6-8429-8cbe-9c90c7fddec8';
const signedId = '01a1b2bb-9400-8a8f-9f43-fe0141719e54';

const idsOf = (root: Parameters<SubmissionIds['follow']>[0] | null) => {
  if (root === null) return null;
  const ids = new SubmissionIds(root);
  return [ids.keyed(id, hash, 0), ids.signed(id, 1_794_000_000, hash)];
};
const sealedWith = (key: string) => ({ owner: 'form', sealed: new SecretBox(key).seal('secret', 'form') });

test('ids are the same as in version 0.1.0, before and after a key rotation', () => {
  const root = deriveIdRoot(oldKey);
  const kept = openIdRoot(new SecretBox(newKey), sealIdRoot(new SecretBox(newKey), root));
  expect(idsOf(root)).toEqual([keyedId, signedId]);
  expect(idsOf(kept)).toEqual([keyedId, signedId]);
});

test('ids are derived from a root that becomes known later', () => {
  const ids = new SubmissionIds(deriveIdRoot(newKey));
  expect(ids.keyed(id, hash, 0)).not.toBe(keyedId);
  ids.follow(deriveIdRoot(oldKey));
  expect([ids.keyed(id, hash, 0), ids.signed(id, 1_794_000_000, hash)]).toEqual([keyedId, signedId]);
});

test.each([
  ['with one key', [oldKey], [sealedWith(oldKey)]],
  ['with one key and nothing sealed', [oldKey], []],
  ['when the key was swapped together with the upgrade', [newKey, oldKey], [sealedWith(oldKey)]],
  ['when the new key was added together with the upgrade', [oldKey, newKey], [sealedWith(oldKey)]],
  ['when other secrets do not open', [newKey, oldKey], [sealedWith('z'.repeat(32)), sealedWith(oldKey)]],
] as [string, [string, ...string[]], ReturnType<typeof sealedWith>[]][])(
  'the first root is derived from the key of earlier versions: %s',
  (_, keys, secrets) => {
    expect(idsOf(firstIdRoot(keys, secrets))).toEqual([keyedId, signedId]);
  },
);

const keptBy = (key: string) => ({ owner: 'snapshot', sealed: sealAsBefore(key, 'rows', 'snapshot') });

test('without secrets, the first root is derived from the key that opens the snapshot, if one does', () => {
  expect(idsOf(firstIdRoot([newKey, oldKey], [], keptBy(oldKey)))).toEqual([keyedId, signedId]);
  expect(idsOf(firstIdRoot([oldKey], [], keptBy('z'.repeat(32))))).toEqual([keyedId, signedId]);
});

test('a value sealed by an earlier version takes precedence over later ones', () => {
  const secrets = [sealedWith(newKey), { owner: 'form', sealed: sealAsBefore(oldKey, 'secret', 'form') }];
  expect(idsOf(firstIdRoot([newKey, oldKey], secrets))).toEqual([keyedId, signedId]);
});

test('a service with the wrong key creates no root for others', () => {
  expect(firstIdRoot([newKey], [sealedWith(oldKey)])).toBeNull();
});

test('a root of another size is rejected', () => {
  const box = new SecretBox(oldKey);
  expect(() => openIdRoot(box, box.seal('short', 'id root'))).toThrow(SealedError);
});

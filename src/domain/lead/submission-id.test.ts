import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deriveIdRoot } from '../secrets/id-root.ts';
import { ShortHmac } from '../secrets/short-hmac.ts';
import { firstGeneration, generationAt, SubmissionIds } from './submission-id.ts';

const idsOf = (key: string) => new SubmissionIds(deriveIdRoot(key));
const ids = idsOf('a key of the tests, long enough to be one');
const workspace = randomBytes(16);
const key = randomBytes(32);

test('the short HMAC is the HMAC-SHA-256 of the same bytes', () => {
  const bytes = (min: number, max: number) => fc.uint8Array({ minLength: min, maxLength: max });
  fc.assert(
    fc.property(bytes(0, 64), bytes(0, 100), bytes(0, 100), (secret, first, second) => {
      const hmac = new ShortHmac(Buffer.from(secret), first.length);
      // The second message must not depend on the first.
      const messages = [first, Buffer.alloc(first.length).fill(second.length > 0 ? second : 0)];
      return messages.every(
        (message) =>
          hmac.hex(Buffer.from(message)) === createHmac('sha256', secret).update(message).digest('hex'),
      );
    }),
  );
});

test('two instances with the same key derive the same id from the same workspace and idempotency key', () => {
  const other = idsOf('a key of the tests, long enough to be one');
  expect(other.keyed(workspace, key, firstGeneration)).toBe(ids.keyed(workspace, key, firstGeneration));
});

test('the id is the HMAC of workspace, key and generation, as a UUID of version 8', () => {
  const secret = Buffer.from(
    hkdfSync('sha256', 'a key of the tests, long enough to be one', '', 'leadgate submission ids', 32),
  );
  const generation = Buffer.alloc(4);
  generation.writeInt32BE(generationAt(1_794_000_000_000));
  const hex = createHmac('sha256', secret).update(workspace).update(key).update(generation).digest('hex');
  const id = ids.keyed(workspace, key, generationAt(1_794_000_000_000));
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const plain = id.replaceAll('-', '');
  expect(plain.slice(0, 12) + plain.slice(13, 16) + plain.slice(17)).toBe(
    hex.slice(0, 12) + hex.slice(13, 16) + hex.slice(17, 32),
  );
});

test('another workspace, key, generation or server key gives another id', () => {
  const all = [
    ids.keyed(workspace, key, 0),
    ids.keyed(workspace, key, 1),
    ids.keyed(randomBytes(16), key, 0),
    ids.keyed(workspace, randomBytes(32), 0),
    idsOf('another key of the tests, as long as it').keyed(workspace, key, 0),
    ids.unkeyed(),
    ids.unkeyed(),
  ];
  expect(new Set(all).size).toBe(all.length);
});

describe('the id of a signed request', () => {
  const form = randomBytes(16);
  const digest = randomBytes(32);
  const seconds = 1_794_000_000;

  test('is the same on two instances with the same key', () => {
    const other = idsOf('a key of the tests, long enough to be one');
    expect(other.signed(form, seconds, digest)).toBe(ids.signed(form, seconds, digest));
  });

  test('begins with the signed time, so that ids of later requests are greater', () => {
    const id = ids.signed(form, seconds, digest);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toBe(seconds * 1000);
    expect(ids.signed(form, seconds + 1, randomBytes(32)) > id).toBe(true);
  });

  test('differs for another form, time, signature or server key', () => {
    const all = [
      ids.signed(form, seconds, digest),
      ids.signed(randomBytes(16), seconds, digest),
      ids.signed(form, seconds + 1, digest),
      ids.signed(form, seconds, randomBytes(32)),
      idsOf('another key of the tests, as long as it').signed(form, seconds, digest),
      ids.keyed(form, digest, seconds),
    ];
    expect(new Set(all.map((id) => id.slice(14))).size).toBe(all.length);
  });
});

describe('the id of a held submission', () => {
  const workspaceId = '0199a0c4-3c54-7b5e-9e1d-0f6a1a1c2b3d';
  const heldId = '019a8b2c-1d3e-7f40-8a5b-6c7d8e9f0a1b';

  test('is the same on every instance, and begins with the time at which the request arrived', () => {
    const id = ids.held(workspaceId, heldId);
    expect(idsOf('a key of the tests, long enough to be one').held(workspaceId, heldId)).toBe(id);
    expect(ids.held(workspaceId.toUpperCase(), heldId.toUpperCase())).toBe(id);
    expect(id).toMatch(/^019a8b2c-1d3e-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('differs for each workspace, request and root', () => {
    const others = [
      ids.held(heldId, workspaceId),
      ids.held(workspaceId, heldId.replace(/b$/, 'c')),
      ids.held(workspaceId.replace(/d$/, 'e'), heldId),
      idsOf('another key of the tests, just as long').held(workspaceId, heldId),
    ];
    expect(new Set([ids.held(workspaceId, heldId), ...others]).size).toBe(5);
  });

  test('stays the same when the encryption key is rotated, because the root does', () => {
    const rotated = idsOf('another key of the tests, just as long');
    rotated.follow(deriveIdRoot('a key of the tests, long enough to be one'));
    expect(rotated.held(workspaceId, heldId)).toBe(ids.held(workspaceId, heldId));
  });
});

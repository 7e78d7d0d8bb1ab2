import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyIdOf, SealedError, SecretBox } from './secret-box.ts';

const oldKey = 'encryption-key-of-the-tests-0123456789';
const newKey = 'another key, after a rotation of the first';
const owner = '0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10';
const secret = 'whsec_sealed by version 0.1';
// Bytes that version 0.1.0 wrote.
const sealedByFirstVersion = Buffer.from(
  '01aff1c044438e7b8806200cbea7a8769d9d96461a5dcf93e76c45a083d864791b1a1ba9b247b88eb69314c9db580869f4ffbe0ab36e6013',
  'hex',
);

const sealedWithId = Buffer.from(
  '02ba010c999c5a1cbae5850e3b67ea1c2d41d399f266e328ea535f90dc5da57d1361478f207de3c88f87a9571dc86235aba114af8be124b9',
  'hex',
);

const before = new SecretBox(oldKey);
const during = new SecretBox(newKey, [oldKey]);
const after = new SecretBox(newKey);

describe('what version 0.1.0 sealed', () => {
  test.each([
    ['with its key alone', before],
    ['with its key as the previous one', during],
    [
      'with its key as the second of the previous ones',
      new SecretBox('x'.repeat(32), ['y'.repeat(32), oldKey]),
    ],
  ])('opens %s', (_, box) => {
    expect(box.open(sealedByFirstVersion, owner)).toBe(secret);
  });

  test('does not open without its key or for another owner', () => {
    expect(() => after.open(sealedByFirstVersion, owner)).toThrow(SealedError);
    expect(() => before.open(sealedByFirstVersion, 'another')).toThrow(SealedError);
  });

  test('has no key id, and is not current even under its own key', () => {
    expect(keyIdOf(sealedByFirstVersion)).toBeNull();
    expect(before.isCurrent(sealedByFirstVersion)).toBe(false);
  });
});

test('a sealed value has the id of its key, which is the same in every process and reveals nothing else', () => {
  const sealed = before.seal(secret, owner);
  expect(keyIdOf(sealed)).toBe('ba010c99');
  expect(new SecretBox(oldKey).keyId).toBe('ba010c99');
  expect(after.keyId).not.toBe(before.keyId);
});

test('a value sealed with a key id opens in every later version', () => {
  expect(before.open(sealedWithId, owner)).toBe('whsec_sealed with an id');
});

test('after a rotation the new key seals and either key opens; without the old key, earlier values do not open', () => {
  const [old, now] = [before.seal(secret, owner), during.seal(secret, owner)];
  expect(during.open(old, owner)).toBe(secret);
  expect(during.placeOf(old, owner)).toBe(1);
  expect(during.isCurrent(old)).toBe(false);
  expect(after.open(now, owner)).toBe(secret);
  expect(during.isCurrent(now)).toBe(true);
  expect(after.placeOf(old, owner)).toBeNull();
});

test('an instance that lists the new key as a previous one opens what other instances already seal with it', () => {
  const prepared = new SecretBox(oldKey, [newKey]);
  expect(prepared.open(during.seal(secret, owner), owner)).toBe(secret);
  expect(prepared.keyId).toBe(before.keyId);
});

test('the error for an unknown key names that key and the configured ones', () => {
  expect(() => during.open(new SecretBox('z'.repeat(32)).seal(secret, owner), owner)).toThrow(
    new RegExp(`encrypted with key [0-9a-f]{8}, .*${during.keyId}, ${before.keyId}`),
  );
});

describe('hostile bytes', () => {
  const sealed = [before.seal(secret, owner), sealedByFirstVersion, before.seal('', owner)];

  test('no truncated value opens, however little is missing, not even the tag of an empty value', () => {
    for (const whole of sealed)
      for (let length = 0; length < whole.length; length++)
        expect(() => during.openBytes(whole.subarray(0, length), owner)).toThrow(SealedError);
  });

  test('no value with a single flipped bit opens', () => {
    for (const whole of sealed) {
      for (let bit = 0; bit < whole.length * 8; bit++) {
        const changed = Buffer.from(whole);
        changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
        expect(() => during.openBytes(changed, owner)).toThrow(SealedError);
      }
    }
  });

  test('a value does not open in the other format, with its key id removed or added', () => {
    const [withId, withoutId] = [before.seal(secret, owner), sealedByFirstVersion];
    const stripped = Buffer.concat([Buffer.of(1), withId.subarray(5)]);
    const dressed = Buffer.concat([withId.subarray(0, 5), withoutId.subarray(1)]);
    for (const forged of [stripped, dressed])
      expect(() => before.openBytes(forged, owner)).toThrow(SealedError);
  });

  test('any bytes are rejected with a SealedError, never with another error', () => {
    const head = (box: SecretBox) => box.seal(secret, owner).subarray(0, 5);
    const heads = [Buffer.of(), Buffer.of(1), Buffer.of(2), Buffer.of(3), head(before), head(during)];
    fc.assert(
      fc.property(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 100 }), (head, rest) => {
        expect(() => during.openBytes(Buffer.concat([head, rest]), owner)).toThrow(SealedError);
      }),
    );
  });
});

describe('secrets at rest', () => {
  const box = new SecretBox('an encryption key of 32 characters');

  test('a sealed value opens again and is not readable while sealed', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8 }), (secret) => {
        const sealed = box.seal(secret, 'form');
        return box.open(sealed, 'form') === secret && !sealed.includes(Buffer.from(secret));
      }),
    );
  });

  test('nothing opens with another key, another owner or a changed byte', () => {
    const sealed = box.seal('a secret', 'form');
    const changed = Buffer.from(sealed);
    changed[changed.length - 1] = (changed[changed.length - 1] ?? 0) ^ 1;
    expect(() => new SecretBox('another key of at least 32 characters').open(sealed, 'form')).toThrow();
    expect(() => box.open(sealed, 'another form')).toThrow();
    expect(() => box.open(changed, 'form')).toThrow();
  });
});

describe('values of a workspace', () => {
  const ofWorkspace = (workspaceId: string, name = 'held 1') => ({ workspaceId, name });
  const box = new SecretBox('an encryption key of 32 characters');
  const sealed = box.seal('ada@example.com', ofWorkspace('one'));

  test('a value opens for its workspace and name, and for no other', () => {
    expect(box.open(sealed, ofWorkspace('one'))).toBe('ada@example.com');
    for (const other of [ofWorkspace('two'), ofWorkspace('one', 'held 2'), 'held 1'])
      expect(() => box.open(sealed, other)).toThrow(SealedError);
  });

  test('a value that was sealed without a workspace does not open as one of a workspace', () => {
    expect(() => box.open(box.seal('ada@example.com', 'held 1'), ofWorkspace('one'))).toThrow(SealedError);
  });

  test('a value names its key, and opens after a rotation', () => {
    const next = new SecretBox('another key of at least 32 characters', [
      'an encryption key of 32 characters',
    ]);
    expect(keyIdOf(sealed)).toBe(box.keyId);
    expect([box.isCurrent(sealed), next.isCurrent(sealed)]).toEqual([true, false]);
    expect(next.open(sealed, ofWorkspace('one'))).toBe('ada@example.com');
  });
});

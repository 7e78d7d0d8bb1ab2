import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWithinTolerance, parseSignature, parseTimestamp, sign, signaturesEqual } from './signature.ts';

const secrets = fc.string({ minLength: 1 });
const bodies = fc.uint8Array({ maxLength: 2_000 });
const timestamps = fc.nat(2_000_000_000).map(String);

test('the published test vector', () => {
  const signature = sign('whsec_test', '1750000000', Buffer.from('{"email":"ada@example.com"}'));
  expect(signature.toString('hex')).toBe('944edad83be510e9f6188f30f9c064ad180df68261c3bddf7a7723d62138f264');
});

test('a signature matches in every accepted spelling of the header', () => {
  fc.assert(
    fc.property(
      secrets,
      timestamps,
      bodies,
      fc.boolean(),
      fc.boolean(),
      (secret, timestamp, body, upper, prefix) => {
        const expected = sign(secret, timestamp, body);
        const hex = upper ? expected.toString('hex').toUpperCase() : expected.toString('hex');
        const received = parseSignature(prefix ? `sha256=${hex}` : hex);
        return received !== null && signaturesEqual(received, expected);
      },
    ),
  );
});

test('changing any byte of the body, the timestamp or the secret changes the signature', () => {
  fc.assert(
    fc.property(
      secrets,
      timestamps,
      fc.uint8Array({ minLength: 1, maxLength: 500 }),
      fc.nat(),
      (secret, timestamp, body, at) => {
        const changed = Uint8Array.from(body);
        changed[at % body.length] = ((body[at % body.length] ?? 0) + 1) % 256;
        const original = sign(secret, timestamp, body);
        return (
          !signaturesEqual(original, sign(secret, timestamp, changed)) &&
          !signaturesEqual(original, sign(secret, `${timestamp}0`, body)) &&
          !signaturesEqual(original, sign(`${secret}x`, timestamp, body))
        );
      },
    ),
  );
});

test('only 64 hex characters are a signature', () => {
  fc.assert(fc.property(fc.string(), (text) => parseSignature(text) === null));
  fc.assert(
    fc.property(
      fc.stringMatching(/^[0-9a-f]{0,80}$/),
      (hex) => (parseSignature(hex) !== null) === (hex.length === 64),
    ),
  );
});

test('a timestamp has 1 to 12 digits and nothing else', () => {
  fc.assert(fc.property(fc.stringMatching(/^[0-9]{1,12}$/), (text) => parseTimestamp(text) === Number(text)));
  for (const text of ['', ' 1', '1 ', '+1', '-1', '1.0', '1e3', '0x1', '1'.repeat(13), '١']) {
    expect(parseTimestamp(text)).toBe(null);
  }
});

test('300 seconds away is inside the window, 301 is outside, in both directions', () => {
  const now = 1_750_000_000_999;
  const seconds = 1_750_000_000;
  expect([-301, -300, 300, 301].map((offset) => isWithinTolerance(seconds + offset, now))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test('signatures of unequal length are unequal, not an error', () => {
  expect(signaturesEqual(Buffer.alloc(31), Buffer.alloc(32))).toBe(false);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sign } from '../../src/domain/signature.ts';
import { type DebugInput, debugSignature } from '../../src/domain/signature-debug/debug.ts';
import { mistakeCodes } from '../../src/domain/signature-debug/mistakes.ts';
import { readRawRequest } from '../../src/domain/signature-debug/paste/raw-request.ts';
import { type DebugRequest, notSent, sentOnce } from '../../src/domain/signature-debug/request.ts';
import type { KnownSecret } from '../../src/domain/signature-debug/variants/secret-variants.ts';
import { hmacHex, mistakenSenders, oneOf, type Sender, type Sent, signed } from './mistaken-senders.ts';

const at = 1_790_000_000_500;
const secrets = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64url')}`);
const times = fc.integer({ min: 1_500_000_000, max: 1_900_000_000 });
const text = fc.oneof(
  fc.string({ maxLength: 40, unit: 'binary' }),
  fc.constantFrom('Zoë', 'a/b', '<b>&', '名前', '😀', '1.0'),
);
/** Bodies as other languages write them: with spaces, unsorted, with a slash and an umlaut. */
const bodies = fc
  .dictionary(
    fc.stringMatching(/^[a-z]{3,8}$/),
    fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
    { maxKeys: 6 },
  )
  .map((fields) =>
    Buffer.from(JSON.stringify({ zone: 'a/b', company: 'Müller', ...fields }, null, 1).toWellFormed()),
  );
const senderArbitrary = fc.record({ secret: secrets, body: bodies, seconds: times });

function debug(sender: Sender, sent: Sent) {
  return debugSignature({ ...inputOf(sender, sent), at: sender.seconds * 1000 });
}

function inputOf(sender: Sender, sent: Sent): DebugInput {
  const current: KnownSecret = { kind: 'current', value: sender.secret };
  return {
    request: requestOf(sender, sent),
    secrets: [current, ...(sent.secrets ?? [])],
    at,
    headerPrefix: 'X-SVC-',
    slug: 'contact',
  };
}

function requestOf(sender: Sender, sent: Sent): DebugRequest {
  const body = sent.body ?? sender.body;
  const header = (value: string | null) => (value === null ? notSent : sentOnce(value));
  if (sent.headers !== undefined) {
    const lines = Object.entries({ 'Content-Type': 'application/json', ...sent.headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    return {
      ...readRawRequest(`POST /api/v1/ingest/contact HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'X-SVC-'),
      body,
    };
  }
  return {
    timestamp: header(sent.timestamp === undefined ? String(sender.seconds) : sent.timestamp),
    signature: header(sent.signature ?? null),
    body,
    contentType: sent.contentType ?? null,
    whole: null,
    claimedBody: sent.claimedBody ?? null,
  };
}

describe('for a request signed with one mistake, exactly that mistake is named', () => {
  test.each(mistakeCodes)('%s', (code) => {
    fc.assert(
      fc.property(senderArbitrary, fc.nat(), (sender, pick) => {
        const { findings, isValid, verdict } = debug(sender, mistakenSenders[code](sender, pick));
        expect({ codes: findings.map((finding) => finding.code), verdict }).toMatchObject({ codes: [code] });
        expect(isValid).toBe(false);
      }),
      { numRuns: 25 },
    );
  });
});

test('a correct signature is found valid in every accepted spelling', () => {
  fc.assert(
    fc.property(senderArbitrary, fc.nat(), (sender, pick) => {
      const hex = signed(sender);
      const signature = oneOf(pick, hex, hex.toUpperCase(), `sha256=${hex}`);
      const found = debug(sender, { signature });
      expect(found).toMatchObject({ isValid: true, findings: [], difference: null });
      expect(found.checks.every(({ status }) => status === 'passed')).toBe(true);
    }),
  );
});

test('a random signature is not explained by any mistake', () => {
  const signatures = fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((bytes) => Buffer.from(bytes).toString('hex'));
  fc.assert(
    fc.property(senderArbitrary, signatures, (sender, signature) => {
      const { isValid, findings, verdict } = debug(sender, { signature });
      expect({ isValid, findings }).toEqual({ isValid: false, findings: [] });
      expect(verdict).toMatch(/^Not valid: the signature does not match, and none of the \d+ ways/);
    }),
    { numRuns: 5 },
  );
});

test('no response contains the correct signature in any encoding, unless the request did', () => {
  fc.assert(
    fc.property(senderArbitrary, fc.constantFrom(...mistakeCodes), fc.nat(), (sender, code, pick) => {
      const sent = mistakenSenders[code](sender, pick);
      const answer = JSON.stringify(debug(sender, sent));
      const body = sent.body ?? sender.body;
      for (const timestamp of [sent.timestamp ?? String(sender.seconds), String(sender.seconds)]) {
        const right = sign(sender.secret, timestamp, body);
        for (const encoding of ['hex', 'base64', 'base64url'] as const) {
          expect(answer.toLowerCase()).not.toContain(right.toString(encoding).slice(0, 24).toLowerCase());
        }
      }
      expect(answer).not.toContain(sender.secret);
    }),
  );
});

test('two mistakes at the same time are both named', () => {
  const sender: Sender = {
    secret: 'whsec_c2VjcmV0IG9mIGEgdGVzdA',
    body: Buffer.from('{"a": 1}'),
    seconds: 1_790_000_000,
  };
  const codes = (sent: Sent) => debug(sender, sent).findings.map(({ code }) => code);
  expect(codes({ signature: hmacHex(`${sender.secret}\n`, sender.body, '\n') })).toEqual([]);
  expect(codes({ signature: hmacHex(sender.secret, sender.body, '\n') })).toEqual([
    'body_line_ends',
    'timestamp_not_signed',
  ]);
  expect(codes({ signature: signed(sender, { key: `${sender.secret}\n`, body: '{"a":1}' }) })).toEqual([
    'secret_whitespace',
    'body_reserialized',
  ]);
  expect(codes({ signature: signed(sender, { body: '{"a":1}\n' }) })).toEqual([
    'body_reserialized',
    'body_line_ends',
  ]);
  expect(
    codes({ signature: Buffer.from(hmacHex(sender.secret, sender.body), 'hex').toString('base64') }),
  ).toEqual(['timestamp_not_signed', 'signature_base64']);
  const stale = String(sender.seconds - 1000);
  expect(
    codes({ timestamp: stale, signature: signed(sender, { time: stale, body: `${sender.body}\n` }) }),
  ).toEqual(['body_line_ends', 'timestamp_stale']);
});

test('a body crafted to be slow is debugged like any other', () => {
  const bodies = [
    `${' '.repeat(130_000)}x`,
    `--abcd\nname="a"${'\n'.repeat(130_000)}--abcd--`,
    `a=${'b&'.repeat(60_000)}`,
    '"\\'.repeat(60_000),
    '['.repeat(131_000),
    `{"a":"${'\\\\'.repeat(60_000)}"}`,
  ];
  for (const body of bodies) {
    const sender = { secret: 'whsec_c2VjcmV0', body: Buffer.from(body), seconds: 1_790_000_000 };
    // All variants of the body are built before the first is tried.
    const sent = {
      signature: signed(sender, { body: `${body}\n` }),
      contentType: 'multipart/form-data; boundary=abcd',
    };
    expect(debug(sender, sent).findings.map(({ code }) => code)).toContain('body_line_ends');
  }
});

test('sending multipart although JSON was signed is recognised', () => {
  const part = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const body = Buffer.from(`${part('email', 'ada@example.com')}${part('name', 'Ada')}--b--\r\n`);
  const sender = { secret: 'whsec_c2VjcmV0', body, seconds: 1_790_000_000 };
  const signature = signed(sender, { body: '{"email":"ada@example.com","name":"Ada"}' });
  const found = debug(sender, { signature, contentType: 'multipart/form-data; boundary=b' });
  expect(found.findings.map(({ code }) => code)).toEqual(['body_form_encoded']);
});

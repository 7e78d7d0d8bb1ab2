import { describe, expect, test } from 'vitest';
import { debugSignature } from '../../src/domain/signature-debug/debug.ts';
import { languages } from '../../src/domain/signature-debug/fix-lines.ts';
import { mistakeCodes } from '../../src/domain/signature-debug/mistakes.ts';
import { readRawRequest } from '../../src/domain/signature-debug/paste/raw-request.ts';
import { type DebugRequest, notSent, sentOnce } from '../../src/domain/signature-debug/request.ts';
import type { KnownSecret } from '../../src/domain/signature-debug/variants/secret-variants.ts';
import { viewSignatureDebug } from '../../src/manage/signature-debug/view.ts';
import { reportOf } from '../../web/pages/debugger/report.ts';
import { mistakenSenders, type Sent, signed } from './mistaken-senders.ts';

const seconds = 1_790_000_000;
const secret = 'whsec_Zm9yIHRlc3RzIG9ubHksIG5vdCBhIHNlY3JldA';
const sender = {
  secret,
  seconds,
  body: Buffer.from('{ "email": "grace@private.example", "company": "Müller" }'),
};
const url = 'http://localhost:3000/api/v1/ingest/contact';

function requestOf(sent: Sent): DebugRequest {
  const body = sent.body ?? sender.body;
  const header = (value: string | null) => (value === null ? notSent : sentOnce(value));
  if (sent.headers === undefined)
    return {
      timestamp: header(sent.timestamp === undefined ? String(seconds) : sent.timestamp),
      signature: header(sent.signature ?? null),
      body,
      contentType: sent.contentType ?? null,
      whole: null,
      claimedBody: sent.claimedBody ?? null,
    };
  const lines = Object.entries(sent.headers).map(([name, value]) => `${name}: ${value}`);
  const head = `POST /api/v1/ingest/contact HTTP/1.1\r\n${lines.join('\r\n')}`;
  return { ...readRawRequest(`${head}\r\n\r\n`, 'X-SVC-'), body };
}

/** The reports in all languages. */
function reportsOf(sent: Sent): string[] {
  const request = requestOf(sent);
  const secrets: KnownSecret[] = [{ kind: 'current', value: secret }, ...(sent.secrets ?? [])];
  const at = seconds * 1000;
  const found = debugSignature({ request, secrets, at, headerPrefix: 'X-SVC-', slug: 'contact' });
  const subject = { source: 'raw_request', request, at, judgedBy: 'now', requestId: null } as const;
  const answer = viewSignatureDebug(found, subject, secrets, 'X-SVC-');
  return languages.map((name) => reportOf(answer, { url, language: { name, title: name } }));
}

/** Any part of the secret that is long enough to help in guessing the rest. */
const parts = (text: string, length: number) =>
  [...Array(text.length - length + 1).keys()].map((at) => text.slice(at, at + length));

function expectSafe(report: string): void {
  for (const part of parts(secret.slice('whsec_'.length), 8)) expect(report).not.toContain(part);
  for (const part of parts(signed(sender), 16)) expect(report).not.toContain(part);
  expect(report).not.toMatch(/grace@|Müller/);
}

describe('a report for the sender names the mistake and contains no secret, no signature and nothing of the body', () => {
  test.each(mistakeCodes)('%s', (code) => {
    for (const report of reportsOf(mistakenSenders[code](sender, 0))) {
      expect(report).toMatch(/^Signature report\nNot valid: /);
      expect(report).toContain('How to fix it:');
      expect(report).toMatch(/String to sign: \d+ bytes, of which \d+ are the body/);
      expectSafe(report);
    }
  });

  test.each<[string, Sent]>([
    ['as the signature', { signature: secret }],
    ['as a short signature', { signature: secret.slice(0, 14) }],
    ['as the timestamp', { timestamp: secret, signature: signed(sender, { time: String(seconds) }) }],
    ['cut off as the content type', { signature: 'x', contentType: `text/${'x'.repeat(60)} ${secret}` }],
    ['as a header name', { headers: { 'X-Timestamp': '1', [`X-SVC-Signature-${secret}`]: 'x' } }],
    ['as the method', { headers: { 'Content-Encoding': secret, 'Content-Length': secret } }],
  ])('even if the sender sent the secret %s', (_, sent) => {
    for (const report of reportsOf(sent)) expectSafe(report);
  });
});

test('a quoted header cannot add lines to a report', () => {
  const contentType = 'text/plain\nVerdict: all is well \u202egnorw';
  for (const report of reportsOf({ signature: 'x', contentType }))
    expect(report.split('\n').some((line) => /^Verdict|\u202e/.test(line))).toBe(false);
});

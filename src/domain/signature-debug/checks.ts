import { duration } from '../diagnostics/duration.ts';
import {
  driftSeconds,
  isWithinTolerance,
  parseSignature,
  parseTimestamp,
  timestampToleranceSeconds,
} from '../signature.ts';
import type { CheckCode } from './check-codes.ts';
import { type DebugRequest, headerValue, type SentHeader } from './request.ts';
import { timestampShape } from './variants/timestamps.ts';

type CheckStatus = 'passed' | 'failed' | 'not_reached';

export interface Check {
  readonly code: CheckCode;
  readonly status: CheckStatus;
  readonly text: string;
}

export interface CheckInput {
  readonly request: DebugRequest;
  readonly names: { readonly timestamp: string; readonly signature: string };
  readonly slug: string | null;
  readonly hasSecret: boolean;
  readonly at: number;
  /** Null if there was nothing to compare. */
  readonly isSigned: boolean | null;
}

/** The checks of the service, in its order; unknown facts are skipped. */
export function checksOf(input: CheckInput): Check[] {
  return [
    ...wholeChecks(input),
    check(
      'secret_configured',
      input.hasSecret,
      'The form has a webhook secret.',
      'The form has no webhook secret, so every request is rejected.',
    ),
    ...timestampChecks(input),
    ...signatureChecks(input),
  ];
}

function wholeChecks({ request, slug }: CheckInput): Check[] {
  const { whole, contentType, body } = request;
  const checks: Check[] = [];
  if (whole !== null) {
    checks.push(
      check(
        'method',
        whole.method === 'POST',
        'The method is POST.',
        `The method is ${whole.method.slice(0, 20)}; it must be POST.`,
      ),
    );
    if (whole.path !== '' && slug !== null) {
      const isThere = whole.path.replace(/[?#].*$/, '').endsWith(`/api/v1/ingest/${slug}`);
      checks.push(
        check(
          'address',
          isThere,
          'The URL is that of this form.',
          `The URL is not /api/v1/ingest/${slug}, the URL of this form.`,
        ),
      );
    }
  }
  if (whole !== null || contentType !== null) {
    const isJson = /^application\/json[ \t]*(?:;|$)/i.test(contentType ?? '');
    const shown = contentType === null ? 'missing' : `"${contentType.slice(0, 80)}"`;
    checks.push(
      check(
        'content_type',
        isJson,
        'The content type is JSON.',
        `The content type is ${shown}; it must be application/json.`,
      ),
    );
  }
  if (whole === null) return checks;
  const encoding = headerValue(whole.headers, 'Content-Encoding');
  if (encoding !== null) {
    checks.push(
      check(
        'content_encoding',
        /^identity$/i.test(encoding),
        'The body is not compressed.',
        `The body is sent with encoding ${encoding.slice(0, 20)}; send it uncompressed, and sign it as sent.`,
      ),
    );
  }
  const length = headerValue(whole.headers, 'Content-Length');
  if (length !== null) {
    checks.push(
      check(
        'content_length',
        Number(length) === body.length,
        `The body has the declared length of ${body.length} bytes.`,
        `The body has ${body.length} bytes, but ${length.slice(0, 20)} were declared: it was changed, or not pasted completely.`,
      ),
    );
  }
  return checks;
}

function timestampChecks({ request, names, at }: CheckInput): Check[] {
  const { value } = request.timestamp;
  const present = presence('timestamp_present', request.timestamp, names.timestamp);
  if (value === null) return [present, notReached('timestamp_format'), notReached('timestamp_window')];
  const seconds = parseTimestamp(value);
  const problem = timestampShape(value)?.says ?? '';
  const format = check(
    'timestamp_format',
    seconds !== null,
    'The timestamp is a number of Unix seconds.',
    `${sentence(problem)} Send 1 to 12 digits.`,
  );
  if (seconds === null) return [present, format, notReached('timestamp_window')];
  const drift = driftSeconds(seconds, at);
  const off = drift === 0 ? 'on time' : `${duration(Math.abs(drift))} ${drift > 0 ? 'ahead' : 'behind'}`;
  const window = check(
    'timestamp_window',
    isWithinTolerance(seconds, at),
    `The timestamp is ${off}; up to ${timestampToleranceSeconds} s either way is allowed.`,
    `The timestamp is ${off}; only ${timestampToleranceSeconds} s either way is allowed.`,
  );
  return [present, format, window];
}

function signatureChecks({ request, names, isSigned }: CheckInput): Check[] {
  const { value } = request.signature;
  const present = presence('signature_present', request.signature, names.signature);
  if (value === null) return [present, notReached('signature_format'), notReached('signature_match')];
  const format = check(
    'signature_format',
    parseSignature(value) !== null,
    'The signature is 64 hex characters.',
    `The signature is not 64 hex characters, optionally after "sha256="; it has ${value.length} characters.`,
  );
  if (isSigned === null) return [present, format, notReached('signature_match')];
  const match = check(
    'signature_match',
    isSigned,
    "The signature is the HMAC-SHA256 of timestamp, dot and body with the form's secret.",
    "The signature is not the HMAC-SHA256 of timestamp, dot and body with the form's secret.",
  );
  return [present, format, match];
}

function presence(code: CheckCode, { times }: SentHeader, name: string): Check {
  const problem =
    times === 0
      ? `The header ${name} is missing.`
      : `The header ${name} was sent ${times} times; it must be sent once.`;
  return check(code, times === 1, `The header ${name} is present.`, problem);
}

function check(code: CheckCode, isPassed: boolean, good: string, bad: string): Check {
  return isPassed ? { code, status: 'passed', text: good } : { code, status: 'failed', text: bad };
}

function notReached(code: CheckCode): Check {
  return { code, status: 'not_reached', text: 'Not checked, because an earlier check failed.' };
}

/** "the body was …" → "The body was …." */
export function sentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}

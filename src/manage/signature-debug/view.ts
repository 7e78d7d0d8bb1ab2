import type { SignatureDebugAnswer } from '../../contract/signature-debug.ts';
import { describeFinding, type SignatureDebug } from '../../domain/signature-debug/debug.ts';
import { fixCode } from '../../domain/signature-debug/fix.ts';
import type { KnownSecret } from '../../domain/signature-debug/variants/secret-variants.ts';
import { secretHider } from './hide-secrets.ts';
import type { DebugSubject } from './subject.ts';

export function viewSignatureDebug(
  found: SignatureDebug,
  { source, at, judgedBy, requestId }: DebugSubject,
  secrets: readonly KnownSecret[],
  headerPrefix: string,
): SignatureDebugAnswer {
  const hide = secretHider(secrets);
  const [first, ...rest] = found.findings.map((finding) => {
    const { text, ...described } = describeFinding(finding);
    return { ...described, text: hide(text) };
  });
  return {
    valid: found.isValid,
    verdict: hide(found.verdict),
    source,
    judged_at: new Date(at).toISOString(),
    judged_by: judgedBy,
    request_id: requestId,
    checks: found.checks.map(({ text, ...check }) => ({ ...check, text: hide(text) })),
    mistake: first ?? null,
    further_mistakes: rest,
    fix: first === undefined ? null : { text: first.fix, code: fixCode(first.code, headerPrefix) },
    string_to_sign: {
      text: found.stringToSign.text,
      is_cut: found.stringToSign.isCut,
      bytes: found.stringToSign.bytes,
      body_bytes: found.stringToSign.bodyBytes,
      first_bytes_hex: found.stringToSign.firstBytesHex,
      last_bytes_hex: found.stringToSign.lastBytesHex,
    },
    signature: viewSignature(found.signature, hide),
    clock: viewClock(found.clock),
    difference: found.difference === null ? null : { ...found.difference },
    attempts: found.attempts,
  };
}

function viewSignature(
  signature: SignatureDebug['signature'],
  hide: (text: string) => string,
): SignatureDebugAnswer['signature'] {
  if (signature === null) return null;
  const { shortened, characters, isUpperCase } = signature;
  return { shortened: hide(shortened), characters, is_upper_case: isUpperCase };
}

function viewClock(clock: SignatureDebug['clock']): SignatureDebugAnswer['clock'] {
  if (clock === null) return null;
  const timestamp = new Date(clock.timestampSeconds * 1000);
  return {
    timestamp: Number.isNaN(timestamp.getTime()) ? null : timestamp.toISOString(),
    drift_seconds: clock.driftSeconds,
    tolerance_seconds: clock.toleranceSeconds,
    within_tolerance: clock.isWithin,
    text: clock.text,
  };
}

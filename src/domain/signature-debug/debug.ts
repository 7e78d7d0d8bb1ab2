import { parseSignature, parseTimestamp } from '../signature.ts';
import { type Check, checksOf, sentence } from './checks.ts';
import { type ClockView, clockView } from './clock-view.ts';
import { type Difference, type DrawnString, drawStringToSign, firstDifference } from './drawing.ts';
import { headerFindings, seemingHeaders } from './header-findings.ts';
import { type Finding, mistakes } from './mistakes.ts';
import { type DebugRequest, headerNames } from './request.ts';
import { type SearchResult, search } from './search.ts';
import { isCutOff, type Reading, readSignature } from './signature-readings.ts';
import type { KnownSecret } from './variants/secret-variants.ts';
import { timestampDrift, timestampShape } from './variants/timestamps.ts';

export interface DebugInput {
  readonly request: DebugRequest;
  readonly secrets: readonly KnownSecret[];
  /** When the request arrived, or is assumed to arrive. */
  readonly at: number;
  /** The prefix of the two header names. */
  readonly headerPrefix: string;
  /** The slug of the form, to compare with the URL of a complete request; null if unknown. */
  readonly slug: string | null;
}

/**
 * The debugger's result. It contains no signature except the received one, shortened: the debugger can confirm a
 * signature but never create one.
 */
export interface SignatureDebug {
  readonly isValid: boolean;
  readonly verdict: string;
  readonly checks: readonly Check[];
  /** The first is the one to fix first. Empty if the request is valid, and if nothing that was tried explains it. */
  readonly findings: readonly Finding[];
  readonly stringToSign: DrawnString;
  readonly signature: ReceivedSignature | null;
  readonly clock: ClockView | null;
  /** Between the body that arrived and the body that was signed. */
  readonly difference: Difference | null;
  readonly attempts: number;
}

interface ReceivedSignature {
  readonly shortened: string;
  readonly characters: number;
  readonly isUpperCase: boolean;
}

/** In one go, for programs with nothing else to do. */
export function debugSignature(input: DebugInput): SignatureDebug {
  const steps = debugSteps(input);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** In steps of a few milliseconds, for a server with other work. */
export function* debugSteps(input: DebugInput): Generator<void, SignatureDebug> {
  const { request, secrets, at, headerPrefix, slug } = input;
  const names = headerNames(headerPrefix);
  const seeming = seemingHeaders(request, names);
  const timestamp = seeming.timestamp ?? '';
  const readings = seeming.signature === null ? [] : readSignature(seeming.signature);
  const found: SearchResult = yield* search({ request, timestamp, readings, secrets, at });

  const hasSecret = secrets.some(({ kind }) => kind === 'current');
  const isSigned = found.match !== null && found.match.findings.length === 0;
  const checks = checksOf({
    request,
    names,
    slug,
    hasSecret,
    at,
    isSigned: isComparable(request) ? isSigned : null,
  });
  const isValid = checks.every(({ status }) => status === 'passed');
  const findings = isValid ? [] : findingsOf(input, timestamp, seeming.signature, readings, found);
  return {
    isValid,
    verdict: verdictOf(isValid, findings, checks, found),
    checks,
    findings,
    stringToSign: drawStringToSign(timestamp, request.body),
    signature: seeming.signature === null ? null : receivedSignature(seeming.signature),
    clock: clockView(timestamp, at),
    difference: found.match === null ? null : firstDifference(request.body, found.match.signedBody),
    attempts: found.attempts,
  };
}

function isComparable({ timestamp, signature }: DebugRequest): boolean {
  return timestamp.value !== null && signature.value !== null && parseSignature(signature.value) !== null;
}

/** Headers and notation first, then signing, and the clock last: a pasted request is often old. */
function findingsOf(
  { request, at, headerPrefix }: DebugInput,
  timestamp: string,
  signature: string | null,
  readings: readonly Reading[],
  { match }: SearchResult,
): Finding[] {
  const findings = headerFindings(request, headerNames(headerPrefix));
  const shape = request.timestamp.value === null ? null : timestampShape(request.timestamp.value);
  if (shape !== null) findings.push(shape);
  findings.push(...(match?.findings ?? commonFindings(readings)));
  if (readings.length === 0 && signature !== null && isCutOff(signature)) {
    findings.push({
      code: 'signature_cut_off',
      says: `the signature has only ${signature.length} characters`,
    });
  }
  const seconds = parseTimestamp(timestamp);
  const drift = seconds === null ? null : timestampDrift(seconds, at);
  if (drift !== null) findings.push(drift);
  return findings.filter(({ code }, i) => findings.findIndex((other) => other.code === code) === i);
}

/** Errors in the notation of the signature that every reading has. */
function commonFindings(readings: readonly Reading[]): readonly Finding[] {
  return readings[0]?.findings ?? [];
}

function verdictOf(
  isValid: boolean,
  findings: readonly Finding[],
  checks: readonly Check[],
  { match, attempts }: SearchResult,
): string {
  if (isValid) return 'Valid: this request would pass the signature and timestamp checks.';
  if (checks.some(({ code, status }) => code === 'secret_configured' && status === 'failed')) {
    return 'Not valid: the form has no webhook secret, so every request is rejected.';
  }
  const said = findings.map(({ says }) => says);
  const isRight = match !== null && match.findings.length === 0;
  if (said.length > 0) {
    const rest = isRight ? ' The signature itself is correct.' : unexplained(match === null && attempts > 0);
    return `Not valid: ${said.join('; ')}.${rest}`;
  }
  const failed = checks.filter(({ status }) => status === 'failed');
  if (isRight) return `Not valid: the signature is correct, but the request is not: ${failed[0]?.text ?? ''}`;
  if (attempts === 0) return sentenceOf(failed);
  return `Not valid: the signature does not match, and none of the ${attempts} ways of signing that were tried explains it. Most likely the sender uses another secret, or the body was changed in transit.`;
}

function unexplained(isUnexplained: boolean): string {
  return isUnexplained
    ? ' The signature still does not match in any way that was tried; the secret may be wrong too.'
    : '';
}

function sentenceOf(failed: readonly Check[]): string {
  return `Not valid: ${failed.map(({ text }) => text).join(' ')}`;
}

function receivedSignature(value: string): ReceivedSignature {
  const shortened = value.length <= 16 ? value : `${value.slice(0, 8)}…${value.slice(-4)}`;
  return { shortened, characters: value.length, isUpperCase: /^[^a-f]*[A-F][^a-f]*$/.test(value) };
}

/** A finding with its row of the table and a sentence for this case. */
export function describeFinding({ code, says }: Finding) {
  const { title, fix } = mistakes[code];
  return { code, title, text: sentence(says), fix };
}

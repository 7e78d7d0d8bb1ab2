import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { RejectionReason } from '../domain/rejection.ts';
import { recogniseCall, type SentCall } from '../domain/senders/recognise.ts';
import {
  driftSeconds,
  isWithinTolerance,
  parseSignature,
  parseTimestamp,
  sign,
  signaturesEqual,
  type VerifiedSignature,
} from '../domain/signature.ts';
import type { Clock } from '../time/clock.ts';
import type { Directory, FormEntry, WorkspaceEntry } from './directory/directory.ts';
import { type IngestHeaders, repeated } from './headers.ts';
import type { Received } from './receive.ts';
import { KnownSenderRejection, ProvenRejection, Rejection, SignatureRejection } from './rejection.ts';

// Without a form or a secret, the same work is done with a random secret, so that the response time does not reveal whether
// a slug exists.
const dummySecret = createSecretKey(randomBytes(32));
const dummySignature = randomBytes(32);

/** What a valid signature proves. */
export interface SignatureProof {
  readonly workspace: WorkspaceEntry;
  readonly form: FormEntry;
  readonly token: null;
  readonly signature: VerifiedSignature;
}

export interface SignatureDeps {
  readonly directory: Directory;
  readonly clock: Clock;
  readonly publicUrl: string | null;
}

/** Webhook surface: slug, workspace, form, secret, timestamp, signature. */
export function proveSignature(
  received: Received,
  { directory, clock, publicUrl }: SignatureDeps,
): SignatureProof | Rejection {
  const { headers, identity, at } = received.arrival;
  const [form] = identity.forms;
  // Every check runs in every case, so that the response time is the same. The results are used in order of precedence.
  const signed = verify(received, form);
  const isSigned = signed !== null;
  const rejection = checkTimestamp(headers, at, clock, isSigned) ?? checkSignature(headers, isSigned);
  const call = isSigned ? null : recogniseCall(callOf(received, publicUrl), keysOf(form, at));
  if (form === undefined) return new Rejection('form_unknown');
  if (identity.forms.length > 1) return new Rejection('slug_ambiguous');
  const { body } = received;
  if (call !== null) return new KnownSenderRejection(call, form, body);
  const signature = signed && { ...signed, timestampSeconds: Number(headers.timestamp) };
  const isTimed = rejection === null || rejection.reason === 'timestamp_outside_window';
  const proof = signature && isTimed ? { form, token: null, signature, body } : null;
  const reject = (reason: RejectionReason) =>
    proof === null ? new Rejection(reason) : new ProvenRejection(reason, {}, proof);
  const workspace = directory.workspace(form.workspaceId);
  if (workspace === null) return new Rejection('workspace_suspended');
  if (workspace.isSuspended) return reject('workspace_suspended');
  const isAuthenticated = signature !== null && rejection === null;
  if (!form.isActive && proof === null)
    return new SignatureRejection(new Rejection('form_inactive'), form, body);
  if (!form.isActive && !isAuthenticated) return reject('form_inactive');
  if (form.secret === null) return new SignatureRejection(new Rejection('secret_not_configured'), form, body);
  if (proof !== null && rejection !== null)
    return new ProvenRejection(rejection.reason, rejection.detail, proof);
  if (rejection !== null || signature === null)
    return new SignatureRejection(rejection ?? new Rejection('signature_mismatch'), form, body);
  return { workspace, form, token: null, signature };
}

/** Null unless the signature matches under one of the two secrets. If both secrets are the same, the current one counts. */
function verify(
  { arrival, body }: Received,
  form: FormEntry | undefined,
): { digest: Buffer; isByFormerSecret: boolean } | null {
  const { timestamp, signature } = arrival.headers;
  const received = (typeof signature === 'string' ? parseSignature(signature) : null) ?? dummySignature;
  const signed = typeof timestamp === 'string' ? timestamp : '';
  const [current, previous] = keysOf(form, arrival.at);
  const digest = sign(current, signed, body);
  const formerDigest = sign(previous, signed, body);
  const matchesCurrent = signaturesEqual(received, digest);
  const matchesPrevious = signaturesEqual(received, formerDigest);
  if (matchesCurrent) return { digest, isByFormerSecret: false };
  return matchesPrevious ? { digest: formerDigest, isByFormerSecret: true } : null;
}

/** The secrets that are valid now, or random ones in their place. */
function keysOf(form: FormEntry | undefined, at: number): readonly [current: KeyObject, previous: KeyObject] {
  const [current = dummySecret, previous = dummySecret] = validSecrets(form, at);
  return [current, previous];
}

export function validSecrets(form: FormEntry | undefined, at: number): KeyObject[] {
  const secret = form?.secret;
  if (secret == null) return [];
  const isPreviousValid = secret.previous !== null && at < secret.previousValidUntil;
  return isPreviousValid ? [secret.current, secret.previous] : [secret.current];
}

/** With the address that we are known by: a sender may sign the one it called. */
function callOf({ arrival, body }: Received, publicUrl: string | null): SentCall {
  const { method, raw } = arrival;
  return { rawHeaders: raw.rawHeaders, method, url: `${publicUrl ?? ''}${raw.url ?? ''}`, body };
}

function checkTimestamp(
  { timestamp }: IngestHeaders,
  at: number,
  clock: Pick<Clock, 'leapMs'>,
  isSigned: boolean,
): Rejection | null {
  if (timestamp === undefined) return new Rejection('timestamp_missing');
  const seconds = timestamp === repeated ? null : parseTimestamp(timestamp);
  if (seconds === null) return new Rejection('timestamp_invalid', { repeated: timestamp === repeated });
  if (isWithinTolerance(seconds, at) || isWithinToleranceOfLeap(seconds, at, clock)) return null;
  return new Rejection('timestamp_outside_window', {
    drift_seconds: driftSeconds(seconds, at),
    signature_valid: isSigned,
  });
}

/**
 * After the machine's clock leapt forward, a sender's clock may agree with the time before or after the leap. A clock that
 * was set back is not trusted: requests that were recorded a while ago would become valid again.
 */
function isWithinToleranceOfLeap(
  seconds: number,
  at: number,
  { leapMs = 0 }: Pick<Clock, 'leapMs'>,
): boolean {
  return leapMs > 0 && isWithinTolerance(seconds, at + leapMs);
}

function checkSignature({ signature }: IngestHeaders, isSigned: boolean): Rejection | null {
  if (signature === undefined) return new Rejection('signature_missing');
  if (signature === repeated) return new Rejection('signature_malformed', { repeated: true });
  if (parseSignature(signature) === null)
    return new Rejection('signature_malformed', { characters: signature.length });
  return isSigned ? null : new Rejection('signature_mismatch');
}

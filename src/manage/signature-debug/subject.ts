import type { SignatureDebugAnswer, SignatureDebugRequest } from '../../contract/signature-debug.ts';
import { findRejectionOfForm, type RejectionOfForm } from '../../db/held/held-rejections.ts';
import { unprovenKeptDays, unprovenRoom } from '../../domain/held/held-bounds.ts';
import { openRequest, type RecordedHeader, type RecordedRequest } from '../../domain/held/held-request.ts';
import type { SecretBox } from '../../domain/secrets/secret-box.ts';
import { readCurlCommand } from '../../domain/signature-debug/paste/curl-command.ts';
import { readRawRequest } from '../../domain/signature-debug/paste/raw-request.ts';
import { judgedTime } from '../../domain/signature-debug/paste/sent-time.ts';
import {
  type DebugRequest,
  notSent,
  type SentHeader,
  sentOnce,
  UnreadablePaste,
} from '../../domain/signature-debug/request.ts';
import { invalidInput, notFound, Problem } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';

/** The request to debug, and the time to compare its timestamp to. */
export interface DebugSubject {
  readonly source: SignatureDebugAnswer['source'];
  readonly request: DebugRequest;
  readonly at: number;
  readonly judgedBy: SignatureDebugAnswer['judged_by'];
  /** Null if the request was not recorded. */
  readonly requestId: string | null;
}

export async function debugSubject(
  deps: ManagementDeps,
  workspaceId: string,
  formId: string,
  wanted: SignatureDebugRequest,
): Promise<DebugSubject> {
  const { rejection_id: rejectionId, raw_request: raw, curl } = wanted;
  const subject = (source: DebugSubject['source'], request: DebugRequest): DebugSubject => ({
    source,
    request,
    requestId: null,
    ...judgedTime(wanted.received_at?.getTime(), request, deps.clock.now()),
  });
  const read = (field: string, reader: typeof readRawRequest, text: string) =>
    pasted(field, () => reader(text, deps.headerPrefix));
  if (rejectionId !== undefined) return recordedSubject(deps, workspaceId, formId, rejectionId, wanted);
  if (raw !== undefined) return subject('raw_request', read('raw_request', readRawRequest, raw));
  if (curl !== undefined) return subject('curl', read('curl', readCurlCommand, curl));
  return subject('parts', requestOfParts(wanted));
}

function requestOfParts(wanted: SignatureDebugRequest): DebugRequest {
  const { timestamp, signature, content_type: contentType = null } = wanted;
  const sent = (value: string | undefined) => (value === undefined ? notSent : sentOnce(value));
  const body = bodyOf(wanted) ?? Buffer.alloc(0);
  return {
    timestamp: sent(timestamp),
    signature: sent(signature),
    body,
    contentType,
    whole: null,
    claimedBody: null,
  };
}

async function recordedSubject(
  { pool, secretBox, clock }: ManagementDeps,
  workspaceId: string,
  formId: string,
  rejectionId: string,
  wanted: SignatureDebugRequest,
): Promise<DebugSubject> {
  const rejection = await findRejectionOfForm(pool, workspaceId, formId, rejectionId, new Date(clock.now()));
  if (rejection === null) throw notFound('rejection of this form');
  if (rejection.sealed === null) throw notKept(rejection);
  const recorded = opened(secretBox, workspaceId, rejectionId, rejection.sealed);
  const claimedBody = bodyOf(wanted);
  if (recorded.body === null && claimedBody === null) {
    throw new Problem(
      'request_not_kept',
      `The body had ${recorded.bodyBytes} bytes, too many to keep. Send it as body or body_base64 along with rejection_id.`,
    );
  }
  return {
    source: 'rejection',
    at: wanted.received_at?.getTime() ?? rejection.at.getTime(),
    judgedBy: wanted.received_at === undefined ? 'rejection' : 'received_at',
    requestId: rejection.requestId,
    request: {
      timestamp: sentHeader(recorded.timestamp),
      signature: sentHeader(recorded.signature),
      body: recorded.body ?? (claimedBody as Buffer),
      contentType: recorded.contentType,
      whole: null,
      claimedBody: recorded.body === null ? null : claimedBody,
    },
  };
}

/** A request encrypted with another key cannot be read. */
function opened(box: SecretBox, workspaceId: string, rejectionId: string, sealed: Buffer): RecordedRequest {
  try {
    return openRequest(box, workspaceId, rejectionId, sealed);
  } catch {
    throw new Problem(
      'request_not_kept',
      'The kept request was encrypted with a key that the service no longer has. Paste the request as raw_request or curl.',
    );
  }
}

function notKept({ reason, state }: RejectionOfForm): Problem {
  return new Problem(
    'request_not_kept',
    `${whyNotKept(reason, state)} Paste the request as raw_request or curl.`,
  );
}

function whyNotKept(reason: string, state: RejectionOfForm['state']): string {
  if (state !== null) return `Its content was deleted when it was ${state}.`;
  if (!/^(?:signature|timestamp|secret)_/.test(reason))
    return `It was rejected as ${reason}, which has nothing to do with its signature.`;
  const { rows } = unprovenRoom;
  return `Only the newest ${rows} such requests of a workspace are held, for ${unprovenKeptDays} days, unless holding is turned off.`;
}

function sentHeader(recorded: RecordedHeader): SentHeader {
  if (recorded === null) return notSent;
  return typeof recorded === 'string' ? sentOnce(recorded) : { times: 2, value: null };
}

function bodyOf({ body, body_base64: base64 }: SignatureDebugRequest): Buffer | null {
  if (body !== undefined) return Buffer.from(body);
  return base64 === undefined ? null : Buffer.from(base64, 'base64');
}

function pasted(field: string, read: () => DebugRequest): DebugRequest {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadablePaste) throw invalidInput([{ field, message: error.message }]);
    throw error;
  }
}

/** The lead is scored and on disk; the sender can forget it. */
export interface Accepted {
  readonly status: 'accepted';
  readonly submissionId: string;
  readonly requestId: string | null;
  readonly idempotencyKey: string;
}

/** The lead was not accepted. Only the workspace owner can see why, by the request ID. */
export interface Rejected {
  readonly status: 'rejected';
  readonly requestId: string | null;
  readonly idempotencyKey: string;
}

export type Submission = Accepted | Rejected;

/**
 * There was no response, or it is not from Leadgate. The lead may or may not be stored; submitting it again with the same
 * `idempotencyKey` within 24 hours is safe.
 */
export class SubmissionError extends Error {
  override readonly name = 'SubmissionError';
  readonly code: 'unreachable' | 'timeout' | 'unexpected_answer';
  readonly idempotencyKey: string;
  readonly attempts: number;
  /** Status of the unexpected response or of the last proxy response; null if there was none. */
  readonly httpStatus: number | null;

  constructor(
    code: SubmissionError['code'],
    text: string,
    about: { idempotencyKey: string; attempts: number; httpStatus?: number; cause?: unknown },
  ) {
    super(text, { cause: about.cause });
    this.code = code;
    this.idempotencyKey = about.idempotencyKey;
    this.attempts = about.attempts;
    this.httpStatus = about.httpStatus ?? null;
  }
}

/** An HTTP response, not yet interpreted. */
export interface Answer {
  readonly httpStatus: number;
  readonly requestId: string | null;
  readonly text: string;
}

/** Null if the response is neither of the two that the service sends. */
export function submissionOf(answer: Answer, idempotencyKey: string): Submission | null {
  const body = parsed(answer.text);
  const { requestId } = answer;
  if (answer.httpStatus === 202 && typeof body?.submission_id === 'string')
    return { status: 'accepted', submissionId: body.submission_id, requestId, idempotencyKey };
  if (answer.httpStatus === 200 && body?.status === 'rejected')
    return { status: 'rejected', requestId, idempotencyKey };
  return null;
}

function parsed(text: string): { submission_id?: unknown; status?: unknown } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

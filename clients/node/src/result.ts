/** The lead is scored and on disk: it can be forgotten here. */
export interface Accepted {
  readonly status: 'accepted';
  readonly submissionId: string;
  readonly requestId: string | null;
  readonly idempotencyKey: string;
}

/** It was not taken. Why is told to the owner of the workspace only, who finds it by the request id. */
export interface Rejected {
  readonly status: 'rejected';
  readonly requestId: string | null;
  readonly idempotencyKey: string;
}

export type Submission = Accepted | Rejected;

/**
 * No answer, or one that is not the service's. The lead may be stored or not; submitting it again with the same
 * `idempotencyKey` within 24 hours is safe either way.
 */
export class SubmissionError extends Error {
  override readonly name = 'SubmissionError';
  readonly code: 'unreachable' | 'timeout' | 'unexpected_answer';
  readonly idempotencyKey: string;
  readonly attempts: number;
  /** Of the unexpected answer, or of the proxy that answered last; null when there was none. */
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

/** An answer as it came; what it says is judged apart from how it was got. */
export interface Answer {
  readonly httpStatus: number;
  readonly requestId: string | null;
  readonly text: string;
}

/** Null when the answer is none of the two that the service gives. */
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

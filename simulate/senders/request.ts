import { sign } from '../../src/domain/signature.ts';
import type { SentRequest } from '../instance/http.ts';
import { type Workspace, workspaces } from './cast.ts';
import type { Submission } from './submission.ts';

export function workspaceOf({ workspace }: Submission): Workspace {
  return workspaces[workspace] as Workspace;
}

export function pathOf(submission: Submission): string {
  return submission.surface === 'server'
    ? '/api/v1/ingest'
    : `/api/v1/ingest/${workspaceOf(submission).slug}`;
}

export function keyText(key: number): string {
  return `key-${key}`;
}

const filler = 'We would like a quote for twelve desks. ';

/** Bodies differ unless the plan says otherwise. */
export function bodyOf({ body, bodyBytes, isUnreadable }: Submission): Buffer {
  const text = filler.repeat(Math.ceil(bodyBytes / filler.length)).slice(0, bodyBytes);
  const json = `{"name":"Ada","email":"ada${body}@example.org","message":"${text}","marker":${body}}`;
  return Buffer.from(isUnreadable ? json.slice(0, -1) : json);
}

/** Signed at `signedAt`, which is now unless the same request is sent again. */
export function requestOf(submission: Submission, signedAt: number): SentRequest {
  const { surface, credential, key, packets } = submission;
  const { secret, tokens } = workspaceOf(submission);
  const body = bodyOf(submission);
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
    ...(key === null ? {} : { 'X-SVC-Idempotency-Key': keyText(key) }),
  };
  if (surface === 'server') headers.Authorization = `Bearer ${tokens[credential]}`;
  else {
    const timestamp = String(Math.floor(signedAt / 1000));
    const signature = sign(credential === 'bad' ? 'another secret' : secret, timestamp, body);
    headers['X-SVC-Timestamp'] = timestamp;
    headers['X-SVC-Signature'] = signature.toString('hex');
  }
  return { headers, body, packets };
}

import type { Lead } from '../domain/lead/lead.ts';
import type { RejectionReason } from '../domain/rejection.ts';
import type { Surface } from '../domain/surface.ts';
import type { Judgement } from './commit/score.ts';
import type { FormEntry, TokenEntry, WorkspaceEntry } from './directory/directory.ts';
import type { IngestHeaders } from './headers.ts';

/**
 * The types of a lead on its way. Each stage takes the type of the stage before and wraps it, so that no
 * stage can be skipped: only an Authenticated can be parsed, only a Parsed can be scored and committed.
 */

/** The head of a request, before its body. */
export interface Arrival {
  readonly requestId: string;
  readonly at: number;
  readonly surface: Surface;
  readonly method: string;
  readonly headers: IngestHeaders;
  readonly identity: Identity;
}

/** Whom a request names, proven or not: whose diagnostics show its rejection. */
export interface Identity {
  readonly token: TokenEntry | null;
  /** Why there is no token on Surface 1a. */
  readonly fault: Rejection | null;
  /** Living forms with the slug; more than one makes it ambiguous. Empty on Surface 1a. */
  readonly forms: readonly FormEntry[];
}

export interface Received {
  readonly arrival: Arrival;
  readonly body: Buffer;
}

export interface Authenticated {
  readonly received: Received;
  readonly workspace: WorkspaceEntry;
  readonly form: FormEntry;
  readonly token: TokenEntry | null;
  /** On Surface 1b: what was proven. */
  readonly signature: VerifiedSignature | null;
}

export interface VerifiedSignature {
  /** As computed here, over the exact timestamp and body. */
  readonly digest: Buffer;
  readonly timestampSeconds: number;
  /** Signed with the secret that a rotation has replaced, while it still verifies. */
  readonly isByFormerSecret: boolean;
}

export interface Keyed {
  readonly sender: Authenticated;
  readonly key: SubmissionKey | null;
}

export interface SubmissionKey {
  readonly hash: Buffer;
  readonly bodyHash: Buffer;
}

export interface Parsed {
  readonly keyed: Keyed;
  readonly lead: Lead;
}

/** Of a heavy body the fields never come here: it was parsed where it was judged. */
export interface Scored {
  readonly parsed: Pick<Parsed, 'keyed'> & { readonly lead: Pick<Lead, 'projection'> };
  readonly judgement: Pick<Judgement, 'score' | 'forget'>;
}

/** A final no. `detail` is for the owner's diagnostics and holds no credential and no part of the lead. */
export class Rejection {
  readonly reason: RejectionReason;
  readonly detail: RejectionDetail;

  constructor(reason: RejectionReason, detail: RejectionDetail = {}) {
    this.reason = reason;
    this.detail = detail;
  }
}

/**
 * A signed request of a known form that is not what it should be. Its body comes along, because without it nobody
 * could find out what went wrong; whether anything of it is kept, the diagnostics decide.
 */
export class SignatureRejection extends Rejection {
  readonly form: FormEntry;
  readonly body: Buffer;

  constructor({ reason, detail }: Rejection, form: FormEntry, body: Buffer) {
    super(reason, detail);
    this.form = form;
    this.body = body;
  }
}

/** A body that cannot be stored, under a key that may have been accepted before. */
export class KeyedBodyRejection extends Rejection {
  readonly sender: Authenticated;
  readonly key: SubmissionKey;

  constructor(reason: RejectionReason, sender: Authenticated, key: SubmissionKey) {
    super(reason);
    this.sender = sender;
    this.key = key;
  }
}

export type RejectionDetail = Readonly<Record<string, string | number | boolean>>;

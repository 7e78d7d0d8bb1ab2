import type { RejectionReason } from '../domain/rejection.ts';
import type { KnownCall } from '../domain/senders/recognise.ts';
import type { VerifiedSignature } from '../domain/signature.ts';
import type { FormEntry, TokenEntry } from './directory/directory.ts';

/** A final rejection. `detail` is shown in the owner's diagnostics and contains no credential and no part of the lead. */
export class Rejection {
  readonly reason: RejectionReason;
  readonly detail: RejectionDetail;

  constructor(reason: RejectionReason, detail: RejectionDetail = {}) {
    this.reason = reason;
    this.detail = detail;
  }
}

export type RejectionDetail = Readonly<Record<string, string | number | boolean>>;

/** Who sent a request, as far as a token or a signature proves it, and the body they sent. */
export interface Proof {
  readonly form: FormEntry;
  readonly token: TokenEntry | null;
  /** Null on the token surface. */
  readonly signature: VerifiedSignature | null;
  readonly body: Buffer;
  /** On the browser surface, what stands for the idempotency key. */
  readonly keyHash?: Buffer | null;
}

/** The sender has proven who they are, but the request is rejected for another reason. It may be kept for the owner. */
export class ProvenRejection extends Rejection {
  readonly proof: Proof;

  constructor(reason: RejectionReason, detail: RejectionDetail, proof: Proof) {
    super(reason, detail);
    this.proof = proof;
  }
}

/**
 * The sender has proven who they are by a scheme of their own, with the secret of the form. Whoever has recorded the request
 * can send it again, so it counts as sent by anyone.
 */
export class KnownSenderRejection extends ProvenRejection {
  readonly call: KnownCall;

  constructor(call: KnownCall, form: FormEntry, body: Buffer) {
    const detail = { sender: call.sender, call: call.digest.toString('hex', 0, callBytes) };
    super('sender_unsupported', detail, { form, token: null, signature: null, body });
    this.call = call;
  }
}

/** Enough to tell calls apart, too little to sign one. */
const callBytes = 8;

/**
 * A request to an existing form whose timestamp or signature is wrong, or which has no secret to check it with. It carries
 * the body, because the cause cannot be found without it, and because the form's secret may turn out to be what is wrong.
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

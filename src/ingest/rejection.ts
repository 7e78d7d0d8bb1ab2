import type { RejectionReason } from '../domain/rejection.ts';
import type { FormEntry } from './directory/directory.ts';

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

/**
 * A request to an existing form whose timestamp or signature is wrong. It carries the body, because the cause cannot be
 * found without it. The diagnostics decide whether to keep it.
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

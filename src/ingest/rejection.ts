import type { RejectionReason } from '../domain/rejection.ts';
import type { FormEntry } from './directory/directory.ts';

/** A final no. `detail` is for the owner's diagnostics and holds no credential and no part of the lead. */
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

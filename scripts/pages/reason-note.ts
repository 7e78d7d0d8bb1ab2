import type { RejectionReason } from '../../src/domain/rejection.ts';

/** What docs/rejection-reasons.md says of a reason beyond the table. */
interface ReasonNote {
  /** Neighbours in the table of reasons, so that the page keeps the order of the checks. */
  readonly group:
    | 'Request'
    | 'Token'
    | 'Form and workspace'
    | 'Web pages'
    | 'Signature'
    | 'Headers and body'
    | 'Rate limits';
  readonly surfaces: 'all' | 'server' | 'webhook' | 'browser' | 'server and browser';
  readonly causes: readonly string[];
  readonly retry?: string;
  /** Related pages, as Markdown links. */
  readonly see: readonly string[];
}

export type ReasonNotes<Reason extends RejectionReason> = Readonly<Record<Reason, ReasonNote>>;

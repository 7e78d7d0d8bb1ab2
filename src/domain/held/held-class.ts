import type { RejectionReason } from '../rejection.ts';
import { isReadableSender } from '../senders/kinds.ts';

/**
 * What is known of a rejected request that is kept.
 *
 * A  proven, would be a lead       can be admitted
 * B  proven, with a formal fault   can be admitted, without its idempotency key
 * C  proven, but no lead           can only be looked at
 * D  not proven                    can be admitted once its signature is right with the secret that the form has by then
 * E  proven by a known sender      can be admitted if we can read what that sender sends
 */
export const heldClasses = ['A', 'B', 'C', 'D', 'E'] as const;
export type HeldClass = (typeof heldClasses)[number];

/** The sender has proven who they are, but the request was rejected for another reason. */
const provenClasses: Partial<Record<RejectionReason, HeldClass>> = {
  rate_limited_minute: 'A',
  rate_limited_day: 'A',
  timestamp_outside_window: 'A',
  form_inactive: 'A',
  workspace_suspended: 'A',
  token_revoked: 'A',
  sender_unsupported: 'E',
  token_expired: 'A',
  mint_limited: 'A',
  content_type_unsupported: 'B',
  idempotency_key_malformed: 'B',
  idempotency_key_reused: 'B',
  body_not_json: 'C',
  body_not_object: 'C',
  body_too_deep: 'C',
};

/** The sender is not proven. What was not signed at all is kept for the signature debugger only. */
const unprovenReasons: ReadonlySet<RejectionReason> = new Set([
  'signature_mismatch',
  'secret_not_configured',
  'timestamp_missing',
  'timestamp_invalid',
  'timestamp_outside_window',
  'signature_missing',
  'signature_malformed',
] satisfies RejectionReason[]);

/**
 * Sending these again may end otherwise, because a setting or the service has changed. Not what a token, a signature or a
 * limit rejected: those depend on when and by whom it is sent.
 */
const dryRunReasons: ReadonlySet<RejectionReason> = new Set([
  'form_inactive',
  'workspace_suspended',
  'content_type_unsupported',
  'idempotency_key_malformed',
  'body_not_json',
  'body_not_object',
  'body_too_deep',
] satisfies RejectionReason[]);

/** Whether a dry run can say what would become of a kept request now. */
export function canDryRun(reason: RejectionReason, heldClass: HeldClass): boolean {
  return heldClass !== 'D' && dryRunReasons.has(reason);
}

/** Whether it can become a lead now. */
export function isAdmissible({
  class: heldClass,
  sender,
}: {
  class: HeldClass;
  sender: string | null;
}): boolean {
  if (heldClass === 'E') return isReadableSender(sender);
  return heldClass === 'A' || heldClass === 'B';
}

/** Null for a request that is never kept. */
export function heldClassOf(reason: RejectionReason, isProven: boolean): HeldClass | null {
  if (isProven) return provenClasses[reason] ?? null;
  return unprovenReasons.has(reason) ? 'D' : null;
}

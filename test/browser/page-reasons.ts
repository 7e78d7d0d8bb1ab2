import type { RejectionReason } from '../../src/domain/rejection.ts';

/** Reasons that only web pages meet. Their tests are in this folder. */
export const pageReasons: ReadonlySet<string> = new Set<RejectionReason>([
  'token_form_mismatch',
  'browser_disabled',
  'origin_missing',
  'origin_not_allowed',
  'mint_limited',
  'challenge_failed',
  'token_expired',
  'token_body_mismatch',
  'token_replayed',
]);

/** What a page asks for, in this order. */
export const mintSteps = ['challenge', 'token'] as const;
export type MintStep = (typeof mintSteps)[number];

/** Why a page gets neither. It never learns which; the owner of the form does, except for the first. */
export const mintRefusals = [
  'request_malformed',
  'form_unknown',
  'workspace_suspended',
  'form_inactive',
  'browser_disabled',
  'origin_missing',
  'origin_not_allowed',
  'mint_limited',
  'challenge_failed',
] as const;
export type MintRefusal = (typeof mintRefusals)[number];

/** How such a request can end, as metrics count it. */
export const mintOutcomes = ['granted', 'dummy', ...mintRefusals, 'unavailable', 'fault'] as const;
export type MintOutcome = (typeof mintOutcomes)[number];

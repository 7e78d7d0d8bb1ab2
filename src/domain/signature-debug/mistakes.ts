import { mistakesInRequest } from './mistakes-in-request.ts';
import { mistakesInSigning } from './mistakes-in-signing.ts';

/**
 * Every mistake the debugger can name: one closed table, grouped by step of signing, used by the API, the docs and the
 * fixes. `found` says how a mistake is recognised, so that readers can tell how far to trust it.
 */
export const mistakes = { ...mistakesInRequest, ...mistakesInSigning } as const;

export type MistakeCode = keyof typeof mistakes;
export const mistakeCodes = Object.keys(mistakes) as [MistakeCode, ...MistakeCode[]];

/** A mistake in one request; `says` is a clause without a full stop. */
export interface Finding {
  readonly code: MistakeCode;
  readonly says: string;
}

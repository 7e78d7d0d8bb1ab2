import type { Verdict } from '../score/score.ts';

/** What an owner says of a lead, whatever the scorer thinks. */
export const marks = ['spam', 'not_spam'] as const;
export type Mark = (typeof marks)[number];

/** The verdict that counts: the owner's, or without a mark the scorer's. */
export function verdictUnder(mark: Mark | null, scored: Verdict): Verdict {
  if (mark === null) return scored;
  return mark === 'spam' ? 'spam' : 'clean';
}

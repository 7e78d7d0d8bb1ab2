import type { Verdict } from '../score/score.ts';

/** The owner's verdict on a lead, whatever the scorer found. */
export const marks = ['spam', 'not_spam'] as const;
export type Mark = (typeof marks)[number];

/** The verdict in effect: the owner's mark, or the scorer's verdict without one. */
export function verdictUnder(mark: Mark | null, scored: Verdict): Verdict {
  if (mark === null) return scored;
  return mark === 'spam' ? 'spam' : 'clean';
}

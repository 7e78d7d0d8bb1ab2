import type { Logger } from 'pino';
import type { RepeatMemory, Sightings } from '../../domain/score/repeat-memory.ts';
import type { Score } from '../../domain/score/score.ts';
import type { Scorer } from '../../domain/score/scorer.ts';
import type { Parsed } from '../parse.ts';

export interface ScoreDeps {
  readonly scorer: Scorer;
  readonly repeats: RepeatMemory;
  /** Undefined if nothing is looked up. */
  readonly mailServerOf?: ((domain: string) => string | null) | undefined;
  readonly log: Logger;
}

export interface ScoreResult {
  readonly score: Score;
  /** Removes the lead from the memory of repeats: a sender who has to try again must not look like a flood. */
  readonly forget: () => void;
}

/**
 * Scores a lead by the settings of its form and by the earlier leads of the form that this host has seen. An error
 * does not affect the rest of the batch: the lead gets the fallback score.
 */
export function scoreLead({ keyed, fields }: Parsed, deps: ScoreDeps): ScoreResult {
  const { scorer, repeats, mailServerOf, log } = deps;
  const { form, received, page } = keyed.sender;
  const now = received.arrival.at;
  let forget = nothing;
  const see = (print: Parameters<RepeatMemory['see']>[1]): Sightings => {
    const sightings = repeats.see(form.id, print, now);
    forget = sightings.forget;
    return sightings;
  };
  try {
    const score = scorer.score(fields, form.scoring, { now, see, page: page?.signals, mailServerOf });
    return { score, forget };
  } catch (error) {
    log.error({ err: error, form_id: form.id }, 'scoring failed; storing the lead as suspect');
    return { score: fallbackScore, forget };
  }
}

function nothing(): void {}

/** For a lead that could not be scored. */
export const fallbackScore: Score = {
  score: 0,
  risk: 0,
  grade: 'E',
  verdict: 'suspect',
  fit: 0,
  intent: 0,
  reasons: [],
  merits: [],
  ruleset: 'none',
};

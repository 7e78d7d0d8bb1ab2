import type { Logger } from 'pino';
import type { RepeatMemory, Sightings } from '../../domain/score/repeat-memory.ts';
import type { Score } from '../../domain/score/score.ts';
import type { Scorer } from '../../domain/score/scorer.ts';
import type { Parsed } from '../parse.ts';

export interface ScoreDeps {
  readonly scorer: Scorer;
  readonly repeats: RepeatMemory;
  readonly log: Logger;
}

export interface ScoreResult {
  readonly score: Score;
  /** Takes the lead out of the memory of repeats again: a sender that has to try again must not look like a flood. */
  readonly forget: () => void;
}

/**
 * By the settings of the lead's form, and by what this instance saw of the form before. A lead that cannot be scored is
 * kept all the same, and its neighbours in the batch do not notice.
 */
export function scoreLead({ keyed, fields }: Parsed, { scorer, repeats, log }: ScoreDeps): ScoreResult {
  const { form, received } = keyed.sender;
  const now = received.arrival.at;
  let forget = nothing;
  const see = (print: Parameters<RepeatMemory['see']>[1]): Sightings => {
    const sightings = repeats.see(form.id, print, now);
    forget = sightings.forget;
    return sightings;
  };
  try {
    const score = scorer.score(fields, form.scoring, { now, see });
    return { score, forget };
  } catch (error) {
    log.error({ err: error, form_id: form.id }, 'a lead could not be judged and is kept as suspect');
    return { score: fallbackScore, forget };
  }
}

function nothing(): void {}

/** Of a lead that could not be judged. */
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

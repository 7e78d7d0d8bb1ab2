import type { Logger } from 'pino';
import type { RepeatMemory, Sightings } from '../../domain/score/repeat-memory.ts';
import type { Score } from '../../domain/score/score.ts';
import type { Scorer } from '../../domain/score/scorer.ts';
import type { Parsed } from '../submission.ts';

export interface ScoreDeps {
  readonly scorer: Scorer;
  readonly repeats: RepeatMemory;
  readonly log: Logger;
}

/**
 * Judges a lead by the settings of its form, and by what this instance saw of the form before. It does so when the
 * lead's batch is written: leads judged one after another find rules, tables and models in the processor's cache, which
 * costs a third of judging each as it arrives (docs/performance.md).
 */
export class Judgement {
  readonly #parsed: Parsed;
  readonly #deps: ScoreDeps;
  #score: Score | null = null;
  #sightings: Sightings | null = null;

  constructor(parsed: Parsed, deps: ScoreDeps) {
    this.#parsed = parsed;
    this.#deps = deps;
  }

  get score(): Score {
    this.#score ??= this.#judge();
    return this.#score;
  }

  /** At once: many large leads judged with their batch would be a long time in a row. */
  judgeNow(): this {
    this.#score ??= this.#judge();
    return this;
  }

  /** A sender that has to try again must not look like a flood. */
  forget(): void {
    this.#sightings?.forget();
  }

  /** A lead that cannot be judged is kept all the same, and its neighbours in the batch do not notice. */
  #judge(): Score {
    const { scorer, repeats, log } = this.#deps;
    const { form, received } = this.#parsed.keyed.sender;
    const now = received.arrival.at;
    const see = (print: Parameters<RepeatMemory['see']>[1]) => {
      this.#sightings = repeats.see(form.id, print, now);
      return this.#sightings;
    };
    try {
      return scorer.score(this.#parsed.lead.fields, form.scoring, { now, see });
    } catch (error) {
      log.error({ err: error, form_id: form.id }, 'a lead could not be judged and is kept as suspect');
      return unjudged;
    }
  }
}

/** Of a lead that could not be judged. */
export const unjudged: Score = {
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

import type { RepeatMemory, Sightings } from '../domain/score/repeat-memory.ts';
import type { Scorer } from '../domain/score/scorer.ts';
import type { Parsed, Scored } from './submission.ts';

export interface ScoreDeps {
  readonly scorer: Scorer;
  readonly repeats: RepeatMemory;
}

/** Judges the lead by the settings of its form, and by what this instance saw of the form before. */
export function score(parsed: Parsed, { scorer, repeats }: ScoreDeps): Scored {
  const { form, received } = parsed.keyed.sender;
  const now = received.arrival.at;
  let sightings: Sightings | null = null;
  const judged = scorer.score(parsed.lead.fields, form.scoring, {
    now,
    see: (print) => {
      sightings = repeats.see(form.id, print, now);
      return sightings;
    },
  });
  return { parsed, score: judged, sightings };
}

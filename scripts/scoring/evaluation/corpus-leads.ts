import type { LeadFields } from '../../../src/domain/lead/lead.ts';
import type { ScoringData } from '../../../src/domain/score/data.ts';
import type { TextModel } from '../../../src/domain/score/models/text-model.ts';
import { TextScan } from '../../../src/domain/score/reading/scan.ts';
import { wordHash } from '../../../src/domain/score/reading/word-hash.ts';
import type { Score, Verdict } from '../../../src/domain/score/score.ts';
import { createScorer } from '../../../src/domain/score/scorer.ts';
import { compileScoring } from '../../../src/domain/score/settings/compile.ts';
import { defaultScoringSettings } from '../../../src/domain/score/settings/settings.ts';
import type { CorpusText } from '../corpus/corpus.ts';
import { randomNumbers, type TuningData } from '../tuning-data.ts';
import { sendersOf } from './senders.ts';

/** A text as somebody would send it, scored by the whole scorer. */
export interface CorpusLead extends CorpusText {
  readonly lead: LeadFields;
  readonly hasLink: boolean;
  readonly words: number;
  /** By a scorer whose text model was trained without the text's source. */
  readonly unseen: Score;
  /** By the shipped scorer, whose text model was trained with it. */
  readonly seen: Verdict;
}

const form = compileScoring(defaultScoringSettings, [], 0);

/** One lead for each text. Its sender depends on the text alone, so a new text does not change the leads of others. */
export function corpusLeads(
  texts: readonly CorpusText[],
  models: ReadonlyMap<string, TextModel>,
  data: TuningData,
  scoringData: ScoringData,
): CorpusLead[] {
  const shipped = createScorer(scoringData);
  const scorers = new Map(
    [...models].map(([source, text]) => [source, createScorer({ ...scoringData, text })]),
  );
  const scan = new TextScan();
  let random = randomNumbers(0);
  const senders = sendersOf(data, () => random());
  return texts.map((text) => {
    random = randomNumbers(wordHash(text.text));
    const lead = senders.either(text.text);
    const scorer = scorers.get(text.source);
    if (scorer === undefined) throw new Error(`no model was trained without ${text.source}`);
    scan.scan(text.text);
    return {
      ...text,
      lead,
      hasLink: scan.links.length > 0,
      words: scan.wordCount,
      unseen: scorer.score(lead, form, { now: 0 }),
      seen: shipped.score(lead, form, { now: 0 }).verdict,
    };
  });
}

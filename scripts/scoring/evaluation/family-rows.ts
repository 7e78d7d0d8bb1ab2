import type { Score } from '../../../src/domain/score/score.ts';
import type { Scorer } from '../../../src/domain/score/scorer.ts';
import { compileScoring } from '../../../src/domain/score/settings/compile.ts';
import { defaultScoringSettings } from '../../../src/domain/score/settings/settings.ts';
import type { TuningData } from '../tuning-data.ts';
import { clusteredShare, type Share } from './clustered-share.ts';
import { type LeadFamily, leadFamilies } from './lead-families.ts';

/** A family by the shipped scorer. */
export interface FamilyRow extends Omit<LeadFamily, 'leads'> {
  readonly isMet: boolean;
  readonly suspectOrWorse: Share;
  readonly spam: Share;
}

export interface ScoredFamily {
  readonly row: FamilyRow;
  readonly scored: readonly { readonly lead: LeadFamily['leads'][number]; readonly score: Score }[];
}

const cleanLimits = { suspect: 0.01, spam: 0.0005 };
const targets: Readonly<Record<string, { suspect: number; spam?: number }>> = {
  'bad: gibberish': { suspect: 0.98, spam: 0.9 },
  'bad: sales': { suspect: 0.75 },
  bad: { suspect: 0.85 },
};
const form = compileScoring(defaultScoringSettings, [], 0);

export function scoredFamilies(data: TuningData, scorer: Scorer): ScoredFamily[] {
  return leadFamilies(data).map(({ leads, ...family }) => {
    const scored = leads.map((lead) => ({ lead, score: scorer.score(lead, form, { now: 0 }) }));
    // Leads with the same message are hit or missed together.
    const share = (isHit: (score: Score) => boolean) =>
      clusteredShare(
        scored.map(({ lead, score }, place) => ({
          cluster: String(lead.message ?? place),
          isHit: isHit(score),
        })),
      );
    const suspectOrWorse = share(({ verdict }) => verdict !== 'clean');
    const spam = share(({ verdict }) => verdict === 'spam');
    const target = Object.entries(targets).find(([start]) => family.name.startsWith(start))?.[1];
    const isMet = family.isClean
      ? suspectOrWorse.share <= cleanLimits.suspect && spam.share <= cleanLimits.spam
      : suspectOrWorse.share >= (target?.suspect ?? 0) && spam.share >= (target?.spam ?? 0);
    return { row: { ...family, isMet, suspectOrWorse, spam }, scored };
  });
}

import { z } from 'zod';
import { scoreReason, verdict } from '../scoring.ts';
import { grade } from './lead.ts';

const part = {
  total: z.int().describe('`sum`, limited to 0 to 100.'),
  sum: z.int().describe('The points of `reasons`.'),
  adds: z
    .number()
    .nullable()
    .describe(
      'What it adds to the score, to one decimal; 0 for spam. Null if an earlier release with another formula scored the lead.',
    ),
  reasons: z.array(scoreReason).describe('Those with the most points first.'),
};
const merits = z.object({ share: z.number().describe('How much of it counts.'), ...part });

const missing = z.object({
  code: z.string(),
  family: z.enum(['fit', 'intent']),
  text: z.string().describe('What is missing, or what counted against the lead.'),
  points: z.int().describe('What `fit` or `intent` would gain, before its limit.'),
  adds: z.int().describe('What the score would gain from this alone.'),
});

export const leadScore = z
  .object({
    score: z.int().describe('The three `adds` together, rounded.'),
    grade,
    verdict: verdict.describe("The scorer's verdict, regardless of the mark."),
    ruleset: z.string(),
    fit: merits,
    intent: merits,
    risk: z.object({
      divisor: z.number().describe('The score is reduced by `total` ÷ `divisor`.'),
      ...part,
    }),
    without_risk: z
      .int()
      .nullable()
      .describe(
        'The score if the risk were 0. Null for spam, and if an earlier release with another formula scored the lead.',
      ),
    missing: z
      .array(missing)
      .describe(
        'Why the score is not higher, under the scoring settings that scored the lead; what would add most comes first. Empty for spam.',
      ),
  })
  .meta({ id: 'LeadScore' });

export type LeadScore = z.output<typeof leadScore>;

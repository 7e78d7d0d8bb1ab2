import type { RuleFamily } from './rules.ts';

export const verdicts = ['clean', 'suspect', 'spam'] as const;
export type Verdict = (typeof verdicts)[number];
export type Grade = 'A' | 'B' | 'C' | 'D' | 'E';

/** One finding, in words for the owner. */
export interface ScoreReason {
  readonly code: string;
  readonly family?: RuleFamily;
  readonly axis?: 'risk' | 'score';
  readonly points: number;
  readonly field?: string;
  readonly text: string;
  /** What was found, short and masked: never a whole value of the lead. */
  readonly evidence?: string;
}

export interface Score {
  readonly score: number;
  readonly risk: number;
  readonly grade: Grade;
  readonly verdict: Verdict;
  readonly fit: number;
  readonly intent: number;
  /** Their points add up to the risk, before it is limited to 0 to 100. */
  readonly reasons: readonly ScoreReason[];
  /** Their points add up to fit and intent. None for spam, whose score is 0. */
  readonly merits: readonly ScoreReason[];
  /** Stored with each lead, so that its score can be explained after the rules change. */
  readonly ruleset: string;
}

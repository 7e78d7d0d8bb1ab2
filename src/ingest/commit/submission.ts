import type { StorableLead } from '../../db/ingest/ingest-commit.ts';
import type { HeavyParsed } from '../heavy/heavy-leads.ts';
import type { Parsed } from '../parse.ts';
import type { Exchange } from '../respond.ts';
import type { CommitResult } from './commit-result.ts';
import { type ScoreDeps, type ScoreResult, scoreLead } from './score.ts';
import type { SignatureMemory } from './signature-memory.ts';
import { isStripped, strippedLead } from './stripped-lead.ts';

export interface SubmissionDeps extends ScoreDeps {
  readonly signatures: SignatureMemory;
}

export type UnscoredLead = Omit<StorableLead, 'score'>;

/** A lead on its way to PostgreSQL or the spool, and the exchange that waits for the result. */
class Submission {
  declare protected readonly stage: 'submitted';
  readonly #parsed: Parsed | HeavyParsed;
  readonly #exchange: Exchange;
  readonly #deps: SubmissionDeps;
  /** True after a commit that failed without a certain result. */
  mayBeStored = false;
  #lead: UnscoredLead;
  #scoreResult: ScoreResult | null = null;
  #scored: StorableLead | null = null;
  #onSettled: (() => void) | null = null;

  constructor(parsed: Parsed | HeavyParsed, lead: UnscoredLead, exchange: Exchange, deps: SubmissionDeps) {
    this.#parsed = parsed;
    this.#lead = lead;
    this.#exchange = exchange;
    this.#deps = deps;
  }

  get lead(): UnscoredLead {
    return this.#lead;
  }

  /** Scores at most once: a retry or the spool gets the first result. */
  score(): StorableLead {
    if (this.#scored !== null) return this.#scored;
    const parsed = this.#parsed;
    this.#scoreResult = 'scoreResult' in parsed ? parsed.scoreResult : scoreLead(parsed, this.#deps);
    this.#scored = { ...this.#lead, score: this.#scoreResult.score };
    return this.#scored;
  }

  /** Gives the lead another id, because its key has expired and is used again. */
  renew(submissionId: string): void {
    this.#lead = { ...this.#lead, submissionId };
    if (this.#scored !== null) this.#scored = { ...this.#scored, submissionId };
  }

  /** False when there is nothing left to strip. */
  strip(): boolean {
    const scored = this.score();
    if (isStripped(scored)) return false;
    this.#scored = strippedLead(scored);
    return true;
  }

  whenSettled(onSettled: () => void): void {
    this.#onSettled = onSettled;
  }

  settle(result: CommitResult): void {
    try {
      if (result.kind !== 'stored') this.#scoreResult?.forget();
      const { sender } = this.#parsed.keyed;
      const isReplay = result.kind === 'stored' && this.#markSignature();
      const isSpam = this.#scoreResult?.score.verdict === 'spam';
      this.#exchange.answer({ sender, result, isReplay, isSpam });
    } finally {
      this.#onSettled?.();
    }
  }

  /** Remembers that the signature has created a lead. True when it had created one before. */
  #markSignature(): boolean {
    const { form, signature } = this.#parsed.keyed.sender;
    if (signature === null || form.replayProtection === 'off') return false;
    return this.#deps.signatures.markStored(form, signature);
  }
}

export type { Submission };

export function submissionOf(...args: ConstructorParameters<typeof Submission>): Submission {
  return new Submission(...args);
}

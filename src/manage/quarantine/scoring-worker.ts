import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { PageSignals } from '../../domain/browser/page-signals.ts';
import type { FormField } from '../../domain/form.ts';
import { type LeadFields, parseLead } from '../../domain/lead/lead.ts';
import { loadScoringData } from '../../domain/score/data.ts';
import type { NumberedModel } from '../../domain/score/learning/learned-model.ts';
import type { Score } from '../../domain/score/score.ts';
import { createScorer, type Scorer } from '../../domain/score/scorer.ts';
import { compileScoring } from '../../domain/score/settings/compile.ts';
import type { ScoringSettings } from '../../domain/score/settings/settings.ts';
import { readCall } from '../../domain/senders/read.ts';

interface ScoredLead {
  readonly body: Uint8Array;
  readonly receivedAt: number;
  /** Of a lead that a web page sent, if that is known. */
  readonly page?: PageSignals | null;
  /** A known sender, whose calls are read first. Here, because that takes long for some bodies. */
  readonly sender?: string | null;
}

/** Leads of one form. */
export interface ScoringQuestion {
  readonly leads: readonly ScoredLead[];
  /** Null for leads that already have a score. */
  readonly scoring: {
    readonly fields: readonly FormField[];
    readonly settings: ScoringSettings;
    readonly version: number;
    readonly learned: NumberedModel | null;
  } | null;
}

export interface Scored {
  /** Null for a body that is not a lead; earlier versions accepted some. */
  readonly projection: Uint8Array | null;
  readonly score: Score | null;
}

// On Linux this sets the priority of this thread only; elsewhere it would set that of the whole service.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

let scorer: Scorer | null = null;

parentPort?.on('message', ({ leads, scoring }: ScoringQuestion) => {
  const score = scoring === null ? () => null : scorerFor(scoring);
  parentPort?.postMessage(leads.map((lead) => parseAndScore(lead, score)));
});

type ScoreOne = (fields: LeadFields, lead: ScoredLead) => Score | null;

function scorerFor({
  settings,
  fields,
  version,
  learned,
}: NonNullable<ScoringQuestion['scoring']>): ScoreOne {
  scorer ??= createScorer(loadScoringData());
  const ready = scorer;
  const compiled = compileScoring(settings, fields, version, learned);
  // Without earlier leads: duplicates are known only when a lead arrives.
  return (leadFields, { receivedAt, page }) => ready.score(leadFields, compiled, { now: receivedAt, page });
}

function parseAndScore(scored: ScoredLead, score: ScoreOne): Scored {
  const { body, sender = null } = scored;
  const read = sender === null ? Buffer.from(body) : readCall(sender, Buffer.from(body));
  const lead = read === null ? null : parseLead(read);
  if (lead === null || typeof lead === 'string') return { projection: null, score: null };
  return { projection: new Uint8Array(lead.projection), score: score(lead.fields, scored) };
}

import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { FormField } from '../../domain/form.ts';
import { parseLead } from '../../domain/lead/lead.ts';
import { loadScoringData } from '../../domain/score/data.ts';
import type { Score } from '../../domain/score/score.ts';
import { createScorer, type Scorer } from '../../domain/score/scorer.ts';
import { compileScoring } from '../../domain/score/settings/compile.ts';
import type { ScoringSettings } from '../../domain/score/settings/settings.ts';

export interface ScoringQuestion {
  readonly body: Uint8Array;
  readonly receivedAt: number;
  /** Null for a lead that already has a score. */
  readonly scoring: {
    readonly fields: readonly FormField[];
    readonly settings: ScoringSettings;
    readonly version: number;
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

parentPort?.on('message', (question: ScoringQuestion) => parentPort?.postMessage(parseAndScore(question)));

function parseAndScore({ body, receivedAt, scoring }: ScoringQuestion): Scored {
  const lead = parseLead(Buffer.from(body));
  if (typeof lead === 'string') return { projection: null, score: null };
  const projection = new Uint8Array(lead.projection);
  if (scoring === null) return { projection, score: null };
  scorer ??= createScorer(loadScoringData());
  const compiled = compileScoring(scoring.settings, scoring.fields, scoring.version);
  // Without earlier leads: duplicates are known only when a lead arrives.
  return { projection, score: scorer.score(lead.fields, compiled, { now: receivedAt }) };
}

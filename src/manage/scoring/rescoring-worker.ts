import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { PageSignals } from '../../domain/browser/page-signals.ts';
import type { FormField } from '../../domain/form.ts';
import { loadScoringData } from '../../domain/score/data.ts';
import type { Score } from '../../domain/score/score.ts';
import { createScorer } from '../../domain/score/scorer.ts';
import { compileScoring } from '../../domain/score/settings/compile.ts';
import type { ScoringSettings } from '../../domain/score/settings/settings.ts';

export interface RescoringQuestion {
  readonly formFields: readonly FormField[];
  readonly before: VersionedSettings;
  readonly after: VersionedSettings;
  readonly leads: readonly {
    readonly fieldsText: string;
    readonly receivedAt: number;
    /** Of a lead that a web page sent. */
    readonly page: PageSignals | null;
  }[];
}

interface VersionedSettings {
  readonly settings: ScoringSettings;
  readonly version: number;
}

export type RescoredJudgement = Pick<Score, 'verdict' | 'risk' | 'reasons'>;

/** Null for a lead whose verdict stays the same. */
export type Rescored = { readonly from: RescoredJudgement; readonly to: RescoredJudgement } | null;

// On Linux this sets the priority of this thread only; elsewhere it would set that of the whole service.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

const scorer = createScorer(loadScoringData());

parentPort?.on('message', ({ formFields, before, after, leads }: RescoringQuestion) => {
  const inForce = compileScoring(before.settings, formFields, before.version);
  const draft = compileScoring(after.settings, formFields, after.version);
  const answers = leads.map(({ fieldsText, receivedAt, page }): Rescored => {
    const fields = JSON.parse(fieldsText);
    // Without earlier leads: duplicates are known only when a lead arrives.
    const context = { now: receivedAt, page };
    const from = scorer.score(fields, inForce, context);
    const to = scorer.score(fields, draft, context);
    return from.verdict === to.verdict ? null : { from: judgement(from), to: judgement(to) };
  });
  parentPort?.postMessage(answers);
});

function judgement({ verdict, risk, reasons }: Score): RescoredJudgement {
  return { verdict, risk, reasons };
}

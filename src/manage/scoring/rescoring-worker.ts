import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { PageSignals } from '../../domain/browser/page-signals.ts';
import type { FormField } from '../../domain/form.ts';
import type { LeadFields } from '../../domain/lead/lead.ts';
import { loadScoringData } from '../../domain/score/data.ts';
import type { NumberedModel } from '../../domain/score/learning/learned-model.ts';
import { parseEmail } from '../../domain/score/reading/email.ts';
import type { Score } from '../../domain/score/score.ts';
import { createScorer } from '../../domain/score/scorer.ts';
import { type LateFinding, lookAgain } from '../../domain/score/second-look.ts';
import { type CompiledScoring, compileScoring } from '../../domain/score/settings/compile.ts';
import type { ScoringSettings } from '../../domain/score/settings/settings.ts';
import { type StoredReason, storedReasons } from '../../domain/score/stored-reasons.ts';
import { type MovedFinding, movedFindings } from './moved-findings.ts';

export interface RescoringQuestion {
  readonly formFields: readonly FormField[];
  readonly before: VersionedSettings;
  readonly after: VersionedSettings;
  /** What the form has learned from marks. */
  readonly learned: NumberedModel | null;
  readonly leads: readonly {
    readonly fieldsText: string;
    readonly receivedAt: number;
    /** Of a lead that a web page sent. */
    readonly page: PageSignals | null;
    /** What was found after the lead came in. */
    readonly late: StoredReason | null;
  }[];
}

interface VersionedSettings {
  readonly settings: ScoringSettings;
  readonly version: number;
}

export type RescoredJudgement = Pick<Score, 'verdict' | 'risk' | 'score' | 'reasons'>;

/** Null for a lead whose verdict, risk and score stay the same. */
export type Rescored = {
  readonly from: RescoredJudgement;
  readonly to: RescoredJudgement;
  readonly moved: readonly MovedFinding[];
} | null;

// On Linux this sets the priority of this thread only; elsewhere it would set that of the whole service.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

const scorer = createScorer(loadScoringData());

parentPort?.on('message', ({ formFields, before, after, learned, leads }: RescoringQuestion) => {
  const inForce = compileScoring(before.settings, formFields, before.version, learned);
  const draft = compileScoring(after.settings, formFields, after.version, learned);
  const answers = leads.map(({ fieldsText, receivedAt, page, late }): Rescored => {
    const fields: LeadFields = JSON.parse(fieldsText);
    const finding = late === null ? null : findingOf(late, fields);
    const scored = (form: CompiledScoring) => {
      // Without earlier leads: duplicates are known only when a lead arrives.
      const score = scorer.score(fields, form, { now: receivedAt, page });
      return finding === null ? score : (lookAgain(storedReasons(score), form, finding) ?? score);
    };
    const from = scored(inForce);
    const to = scored(draft);
    if (from.verdict === to.verdict && from.risk === to.risk && from.score === to.score) return null;
    return { from: judgement(from), to: judgement(to), moved: movedFindings(from, to) };
  });
  parentPort?.postMessage(answers);
});

/** The mail server was looked up then; here it is only weighed again. */
function findingOf(reason: StoredReason, fields: LeadFields): LateFinding {
  const { field = null, evidence = '' } = reason as { field?: string | null; evidence?: string };
  const value = field !== null && Object.hasOwn(fields, field) ? fields[field] : null;
  const address = typeof value === 'string' ? parseEmail(value) : null;
  return {
    code: reason.code as LateFinding['code'],
    address: address ?? { local: '', domain: '' },
    field,
    evidence,
  };
}

function judgement({ verdict, risk, score, reasons }: Score): RescoredJudgement {
  return { verdict, risk, score, reasons };
}

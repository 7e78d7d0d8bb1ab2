import type pg from 'pg';
import type { FormField } from '../../domain/form.ts';
import type { NumberedModel } from '../../domain/score/learning/learned-model.ts';
import type { ScoringSettings } from '../../domain/score/settings/settings.ts';
import { findFormScoring } from '../forms/form-scoring.ts';
import { findForm, listFormIds } from '../forms/forms.ts';
import { type AdmissionOutcome, admitRows, type WantedAdmission } from './admission.ts';
import type { Admission } from './decisions/admitted-leads.ts';
import { type ChosenHeld, type HeldChoice, listChosen } from './decisions/chosen-held.ts';
import { type Discard, discardRows } from './decisions/discard.ts';
import {
  findNextTurn,
  type HeldDecisionRecord,
  noteProgress,
  type Progress,
  stopHeldDecision,
  takeHeldDecision,
} from './decisions/held-decisions.ts';
import { readHeldRows, type SealedRow } from './decisions/held-rows.ts';

/** What the leads of a form are scored with. */
interface PresentScoring {
  readonly fields: readonly FormField[];
  readonly settings: ScoringSettings;
  readonly version: number;
  readonly learned: NumberedModel | null;
}

/**
 * Everything that decisions about held requests need from PostgreSQL. Every call may fail at any time, even after it has
 * taken effect, and may be made again. Simulations implement it with a database that fails at the worst moments.
 */
export interface HeldDecisionDatabase {
  /** Takes a selection for a while; null when there is none that is free. */
  take(now: Date, until: Date): Promise<HeldDecisionRecord | null>;
  /** When somebody can continue with a selection; null when all are finished. */
  findNextTurn(now: Date): Promise<Date | null>;
  /** False if somebody else has done the same step, and counted it. */
  noteProgress(decision: HeldDecisionRecord, progress: Progress, now: Date): Promise<boolean>;
  stop(workspaceId: string, decisionId: string, at: Date): Promise<void>;
  listFormIds(workspaceId: string): Promise<string[]>;
  listChosen(workspaceId: string, choice: HeldChoice, limit: number): Promise<ChosenHeld[]>;
  readRows(workspaceId: string, ids: readonly string[], now: Date): Promise<SealedRow[]>;
  /** Null for a form that was deleted. */
  findScoring(workspaceId: string, formId: string): Promise<PresentScoring | null>;
  admit(
    workspaceId: string,
    wanted: readonly WantedAdmission[],
    admission: Admission,
  ): Promise<Map<string, AdmissionOutcome>>;
  /** Those that are gone are missing in the result. */
  discard(
    workspaceId: string,
    ids: readonly string[],
    discard: Discard,
  ): Promise<Map<string, 'discarded' | 'decided'>>;
}

export function postgresHeldDecisions(pool: pg.Pool): HeldDecisionDatabase {
  return {
    take: (now, until) => takeHeldDecision(pool, now, until),
    findNextTurn: (now) => findNextTurn(pool, now),
    noteProgress: (decision, progress, now) => noteProgress(pool, decision, progress, now),
    stop: (workspaceId, id, at) => stopHeldDecision(pool, workspaceId, id, at),
    listFormIds: (workspaceId) => listFormIds(pool, workspaceId),
    listChosen: (workspaceId, choice, limit) => listChosen(pool, workspaceId, choice, limit),
    readRows: (workspaceId, ids, now) => readHeldRows(pool, workspaceId, ids, now),
    findScoring: async (workspaceId, formId) => {
      const form = await findForm(pool, workspaceId, formId);
      const scoring = await findFormScoring(pool, workspaceId, formId);
      if (form === null || scoring === null) return null;
      const { settings, version, learned } = scoring;
      return { fields: form.fields, settings, version, learned };
    },
    admit: (workspaceId, wanted, admission) => admitRows(pool, workspaceId, wanted, admission),
    discard: (workspaceId, ids, discard) => discardRows(pool, workspaceId, ids, discard),
  };
}

import { isRefusedRow, refusalOf } from '../../db/errors.ts';
import type { AdmissionOutcome, WantedAdmission } from '../../db/held/admission.ts';
import type { Admission } from '../../db/held/decisions/admitted-leads.ts';
import type { SealedRow } from '../../db/held/decisions/held-rows.ts';
import type { HeldDecisionDatabase } from '../../db/held/held-decision-database.ts';
import { isAdmissible } from '../../domain/held/held-class.ts';
import type { RecordedRequest } from '../../domain/held/held-request.ts';
import type { ManagementDeps } from '../deps.ts';
import { leadIds } from './lead-ids.ts';
import { openHeld } from './open-held.ts';
import { scoreHeld } from './score-held.ts';

export interface AdmitDeps
  extends Pick<ManagementDeps, 'clock' | 'secretBox' | 'scoring' | 'submissionIds' | 'log'> {
  readonly database: HeldDecisionDatabase;
}

export type AdmissionChoices = Omit<Admission, 'at'>;

/**
 * Makes leads of up to a hundred held requests: opens, parses and scores them with the present settings of their forms,
 * then stores them. Those that PostgreSQL refuses are not admissible.
 */
export async function admit(
  deps: AdmitDeps,
  workspaceId: string,
  ids: readonly string[],
  choices: AdmissionChoices,
): Promise<Map<string, AdmissionOutcome>> {
  const { database, clock, log } = deps;
  const at = new Date(clock.now());
  const wanted = await prepare(deps, workspaceId, ids, at);
  const store = (some: readonly WantedAdmission[]) => database.admit(workspaceId, some, { ...choices, at });
  try {
    return await store(wanted);
  } catch (error) {
    if (!isRefusedRow(error)) throw error;
  }
  // One of them must not hold up the others.
  const outcomes = new Map<string, AdmissionOutcome>();
  for (const one of wanted) {
    try {
      for (const [id, outcome] of await store([one])) outcomes.set(id, outcome);
    } catch (error) {
      if (!isRefusedRow(error)) throw error;
      log.error({ held_id: one.id, why: refusalOf(error) }, 'held submission refused by the database');
      outcomes.set(one.id, { kind: 'not_admissible' });
    }
  }
  return outcomes;
}

async function prepare(
  deps: AdmitDeps,
  workspaceId: string,
  ids: readonly string[],
  at: Date,
): Promise<WantedAdmission[]> {
  const rows = await deps.database.readRows(workspaceId, ids, at);
  const opened = new Map(rows.map((row) => [row.id, { row, request: openAdmissible(row, deps) }]));
  const bodies = [...opened.values()].flatMap(({ row, request }) =>
    request === null || request === 'unreadable' || request.body === null
      ? []
      : { ...row, body: request.body, contentType: request.contentType },
  );
  const scored = await scoreHeld(deps, workspaceId, bodies);
  return ids.map((id) => {
    const { row, request } = opened.get(id) ?? { row: null, request: null };
    const lead = scored.get(id) ?? (request === 'unreadable' ? 'unreadable' : 'not_admissible');
    const isOpen = row !== null && request !== null && request !== 'unreadable';
    const { submissionIds } = deps;
    const usual = [submissionIds.held(workspaceId, id)];
    return { id, submissionIds: isOpen ? leadIds(submissionIds, row, request) : usual, lead };
  });
}

/** Null for one that cannot become a lead. */
function openAdmissible(row: SealedRow, { secretBox }: AdmitDeps): RecordedRequest | 'unreadable' | null {
  return isAdmissible(row) ? openHeld(secretBox, row) : null;
}

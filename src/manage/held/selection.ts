import { listFormIds } from '../../db/forms/forms.ts';
import { type ChosenHeld, type HeldSelection, listChosen } from '../../db/held/decisions/chosen-held.ts';
import type { HeldDecisionRecord } from '../../db/held/decisions/held-decisions.ts';
import { invalidInput } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';

/** Of more, the oldest are taken. */
const chosenMax = 20_000;

/** What a selection means now, oldest first. For an admission only those that can become leads. */
export async function chosenNow(
  { pool, clock }: Pick<ManagementDeps, 'pool' | 'clock'>,
  workspaceId: string,
  kind: HeldDecisionRecord['kind'],
  selection: HeldSelection,
): Promise<ChosenHeld[]> {
  const formIds = await listFormIds(pool, workspaceId);
  if (kind === 'admission' && selection.form_id !== undefined && !formIds.includes(selection.form_id))
    throw invalidInput([{ field: 'form_id', message: 'does not exist in this workspace' }]);
  const admissibleOf = kind === 'admission' ? formIds : null;
  const now = new Date(clock.now());
  return listChosen(pool, workspaceId, { selection, now, admissibleOf }, chosenMax);
}

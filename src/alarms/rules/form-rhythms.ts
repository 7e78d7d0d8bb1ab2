import { type FormRhythm, listFormRhythms } from '../../db/alarms/facts/form-rhythms.ts';
import { shardOf } from '../../domain/workspace.ts';
import type { Judgement } from '../rule.ts';

interface FormOfWorkspace {
  readonly workspaceId: string;
  readonly formId: string;
}

/** By form; new forms have none. */
export async function formRhythms(
  { pool, shardGroups }: Judgement,
  forms: readonly FormOfWorkspace[],
): Promise<Map<string, FormRhythm>> {
  const rhythms = new Map<string, FormRhythm>();
  for (const group of shardGroups) {
    const there = forms.filter(({ workspaceId }) => group.includes(shardOf(workspaceId)));
    if (there.length === 0) continue;
    const workspaceIds = [...new Set(there.map(({ workspaceId }) => workspaceId))];
    const shards = [...new Set(workspaceIds.map(shardOf))];
    const formIds = there.map(({ formId }) => formId);
    for (const rhythm of await listFormRhythms(pool, shards, workspaceIds, formIds))
      rhythms.set(rhythm.formId, rhythm);
  }
  return rhythms;
}

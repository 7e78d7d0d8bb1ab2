import { findFormScoring } from '../../db/forms/form-scoring.ts';
import { findForm } from '../../db/forms/forms.ts';
import type { ReadyLead } from '../../db/held/decisions/admitted-leads.ts';
import type { ManagementDeps } from '../deps.ts';

export interface OpenedHeld {
  readonly id: string;
  readonly formId: string;
  readonly receivedAt: Date;
  readonly body: Buffer;
}

/**
 * Parses and scores them with the present settings of their forms, without memory of repeats, in a thread, because that can
 * take long. Those that are no leads, or whose form was deleted, are missing.
 */
export async function scoreHeld(
  { pool, scoring: thread }: Pick<ManagementDeps, 'pool' | 'scoring'>,
  workspaceId: string,
  opened: readonly OpenedHeld[],
): Promise<Map<string, ReadyLead>> {
  const ready = new Map<string, ReadyLead>();
  for (const [formId, together] of Map.groupBy(opened, (one) => one.formId)) {
    const form = await findForm(pool, workspaceId, formId);
    const scoring = await findFormScoring(pool, workspaceId, formId);
    if (form === null || scoring === null) continue;
    const { settings, version } = scoring;
    const scored = await thread.ask({
      leads: together.map(({ body, receivedAt }) => ({ body, receivedAt: receivedAt.getTime() })),
      scoring: { fields: form.fields, settings, version },
    });
    for (const [place, { id, body }] of together.entries()) {
      const { projection, score } = scored[place] ?? { projection: null, score: null };
      if (projection !== null && score !== null)
        ready.set(id, { body, projection: Buffer.from(projection), score });
    }
  }
  return ready;
}

import type { ReadyLead } from '../../db/held/decisions/admitted-leads.ts';
import type { HeldDecisionDatabase } from '../../db/held/held-decision-database.ts';
import type { ManagementDeps } from '../deps.ts';

export interface OpenedHeld {
  readonly id: string;
  readonly formId: string;
  readonly receivedAt: Date;
  readonly body: Buffer;
}

interface ScoreHeldDeps extends Pick<ManagementDeps, 'scoring'> {
  readonly database: Pick<HeldDecisionDatabase, 'findScoring'>;
}

/**
 * Parses and scores them with the present settings of their forms, without memory of repeats, in a thread, because that can
 * take long. Those that are no leads, or whose form was deleted, are missing.
 */
export async function scoreHeld(
  { database, scoring: thread }: ScoreHeldDeps,
  workspaceId: string,
  opened: readonly OpenedHeld[],
): Promise<Map<string, ReadyLead>> {
  const ready = new Map<string, ReadyLead>();
  for (const [formId, together] of Map.groupBy(opened, (one) => one.formId)) {
    const scoring = await database.findScoring(workspaceId, formId);
    if (scoring === null) continue;
    const scored = await thread.ask({
      leads: together.map(({ body, receivedAt }) => ({ body, receivedAt: receivedAt.getTime() })),
      scoring,
    });
    for (const [place, { id, body }] of together.entries()) {
      const { projection, score } = scored[place] ?? { projection: null, score: null };
      if (projection !== null && score !== null)
        ready.set(id, { body, projection: Buffer.from(projection), score });
    }
  }
  return ready;
}

import type { ReadyLead } from '../../db/held/decisions/admitted-leads.ts';
import type { HeldDecisionDatabase } from '../../db/held/held-decision-database.ts';
import { formFormatOf } from '../../domain/browser/form-format.ts';
import type { PageSignals } from '../../domain/browser/page-signals.ts';
import type { Surface } from '../../domain/surface.ts';
import type { ManagementDeps } from '../deps.ts';

export interface OpenedHeld {
  readonly id: string;
  readonly formId: string;
  readonly receivedAt: Date;
  readonly body: Buffer;
  readonly surface: Surface;
  /** As the sender wrote it; null without one. */
  readonly contentType: string | null;
  /** A known sender, whose calls are read first; null for all others. */
  readonly sender: string | null;
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
      leads: together.map((one) => ({
        body: one.body,
        sender: one.sender,
        receivedAt: one.receivedAt.getTime(),
        page: signalsOf(one),
      })),
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

/** Only a form without script has another format than JSON. What the browser said of itself is not kept. */
function signalsOf({ surface, contentType }: OpenedHeld): PageSignals | null {
  if (surface !== 'browser') return null;
  return { isUnproven: formFormatOf(contentType ?? '') !== null, isWorkFast: false, isHeadless: false };
}

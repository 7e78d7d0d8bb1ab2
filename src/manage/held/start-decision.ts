import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type HeldDecisionRecord,
  insertHeldDecision,
  listUnfinishedDecisions,
  type StoredHeldSelection,
} from '../../db/held/decisions/held-decisions.ts';
import { inTransaction } from '../../db/pool.ts';
import { lockWorkspace } from '../../db/workspaces/memberships.ts';
import { findWorkspace } from '../../db/workspaces/workspaces.ts';
import { Problem } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';
import { chosenNow } from './selection.ts';

const inProgressMax = 5;
const nobody = '00000000-0000-0000-0000-000000000000';

export interface WantedDecision {
  readonly kind: HeldDecisionRecord['kind'];
  readonly selection: StoredHeldSelection;
  readonly deliver: boolean;
  readonly by: string;
}

/** Starts to admit or discard a selection, unless the same is in progress: clicking twice decides once. */
export async function startDecision(
  deps: ManagementDeps,
  workspaceId: string,
  { kind, selection, deliver, by }: WantedDecision,
): Promise<{ id: string }> {
  const { pool, clock, heldDecisions } = deps;
  const chosen = await chosenNow(deps, workspaceId, kind, selection);
  const id = await inTransaction(pool, async (client) => {
    await lockWorkspace(client, workspaceId);
    const workspace = await findWorkspace(client, workspaceId);
    if (kind === 'admission' && workspace?.status !== 'active')
      throw new Problem('suspended', 'Nothing can be admitted while the workspace is suspended.');
    const unfinished = await listUnfinishedDecisions(client, workspaceId);
    const same = unfinished.find(
      (one) => one.kind === kind && one.deliver === deliver && isSame(one.selection, selection),
    );
    if (same !== undefined) return same.id;
    if (unfinished.length >= inProgressMax) throw tooMany();
    const now = new Date(clock.now());
    const decision: HeldDecisionRecord = {
      id: randomUUID(),
      workspaceId,
      kind,
      selection: { ...selection, last_id: chosen.at(-1)?.id ?? nobody },
      deliver,
      total: chosen.length,
      done: 0,
      decided: 0,
      afterId: null,
      createdAt: now,
      createdBy: by,
      stoppedAt: null,
      finishedAt: chosen.length === 0 ? now : null,
    };
    await insertHeldDecision(client, decision);
    return decision.id;
  });
  heldDecisions.wake();
  return { id };
}

function isSame(
  { last_id: _, ...stored }: HeldDecisionRecord['selection'],
  wanted: StoredHeldSelection,
): boolean {
  return isDeepStrictEqual(stored, JSON.parse(JSON.stringify(wanted)));
}

function tooMany(): Problem {
  return new Problem(
    'quota_reached',
    `A workspace can have ${inProgressMax} admissions and discards in progress. Wait until one of them is finished.`,
  );
}

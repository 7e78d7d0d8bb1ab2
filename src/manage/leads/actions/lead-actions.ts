import * as contract from '../../../contract/leads/actions.ts';
import {
  findLeadAction,
  type ListedLeadAction,
  listLeadActions,
  stopLeadAction,
} from '../../../db/leads/actions/lead-actions.ts';
import { requireScope } from '../../api-keys/authentication.ts';
import { needsRole } from '../../calls/access.ts';
import { type Asked, route } from '../../calls/route.ts';
import { leadQuery } from '../lead-query.ts';
import { countMatching } from './chosen.ts';
import { missingAction, startAction, undoAction, undoableMs } from './start-action.ts';

const actionsListed = 20;

export const leadActionRoutes = [
  route(contract.countLeads, async ({ params: { workspace_id }, query }, deps) => {
    const now = new Date(deps.clock.now());
    const to = query.to === undefined || query.to > now ? now : query.to;
    const asked = { ...query, to, sort: 'received', order: 'desc' } as const;
    const { filter } = await leadQuery(deps.pool, workspace_id, asked);
    const { count, isExact } = await countMatching(deps, workspace_id, filter);
    return { count, is_exact: isExact, counted_to: to.toISOString() };
  }),
  route(contract.startMarking, (asked, deps) => {
    const { mark, ...body } = asked.body;
    const wanted = { call: contract.startMarking, kind: 'mark', mark, body } as const;
    return startAction(deps, asked, asked.params.workspace_id, wanted);
  }),
  route(contract.startErasure, (asked, deps) => {
    const wanted = { call: contract.startErasure, kind: 'erasure', mark: null, body: asked.body } as const;
    return startAction(deps, asked, asked.params.workspace_id, wanted);
  }),
  route(contract.listActions, async ({ params }, { pool, clock }) => ({
    items: (await listLeadActions(pool, params.workspace_id, actionsListed)).map((action) =>
      viewAction(action, clock.now()),
    ),
  })),
  route(contract.readAction, async ({ params: { workspace_id, action_id } }, { pool, clock }) =>
    viewAction((await findLeadAction(pool, workspace_id, action_id)) ?? missingAction(), clock.now()),
  ),
  route(contract.stopAction, async ({ params: { workspace_id, action_id }, principal, role }, deps) => {
    const action = (await findLeadAction(deps.pool, workspace_id, action_id)) ?? missingAction();
    requireStopping(action, principal, role);
    await stopLeadAction(deps.pool, action, 'person', new Date(deps.clock.now()));
  }),
  route(contract.undoMarking, (asked, deps) =>
    undoAction(deps, asked, asked.params.workspace_id, asked.params.action_id),
  ),
];

/** Whoever could have started it. */
function requireStopping(
  { kind }: ListedLeadAction,
  principal: Asked['principal'],
  role: Asked['role'],
): void {
  if (principal.kind === 'api_key')
    requireScope(principal, kind === 'erasure' ? 'leads:erase' : 'leads:mark');
  else if (kind === 'erasure' && role !== 'owner') throw needsRole('owner');
}

function viewAction(action: ListedLeadAction, now: number): contract.LeadAction {
  const { id, kind, mark, total, isTotalExact, done, changed, createdAt, createdBy } = action;
  const { stopReason, finishedAt, isUndone } = action;
  const ended = stopReason === null ? 'finished' : 'stopped';
  const undoableUntil = (finishedAt?.getTime() ?? now) + undoableMs;
  const isUndoable = kind === 'mark' && !isUndone && changed > 0 && undoableUntil > now;
  return {
    id,
    action: kind,
    mark,
    state: finishedAt === null ? 'running' : ended,
    stop_reason: stopReason,
    total,
    is_total_exact: isTotalExact,
    done,
    changed,
    created_at: createdAt.toISOString(),
    created_by: createdBy,
    finished_at: finishedAt?.toISOString() ?? null,
    undoable_until: isUndoable ? new Date(undoableUntil).toISOString() : null,
  };
}

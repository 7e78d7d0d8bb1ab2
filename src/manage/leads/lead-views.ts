import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import {
  leadViewCalls as contract,
  type LeadView,
  type LeadViewChanges,
  type NewLeadView,
  storedLeadView,
} from '../../contract/leads/views.ts';
import { isUniqueViolation } from '../../db/errors.ts';
import {
  deleteLeadView,
  findLeadView,
  insertLeadView,
  type LeadViewRecord,
  type ListedLeadView,
  listLeadViews,
  updateLeadView,
} from '../../db/leads/lead-views.ts';
import { inTransaction } from '../../db/pool.ts';
import { lockWorkspace } from '../../db/workspaces/memberships.ts';
import type { Role } from '../../domain/role.ts';
import type { Principal } from '../calls/access.ts';
import { invalidInput, notFound, Problem } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { requireRoomForLeadView } from '../workspaces/quotas.ts';

/** Who asks, and for which workspace. */
interface Caller {
  readonly principal: Principal;
  readonly role: Role | null;
  readonly workspaceId: string;
}

export const leadViewRoutes = [
  route(contract.listLeadViews, async ({ params, principal, role }, { pool }) => {
    const caller = { principal, role, workspaceId: params.workspace_id };
    const found = await listLeadViews(pool, params.workspace_id);
    return { items: found.map((view) => shownView(view, caller)) };
  }),
  route(contract.createLeadView, ({ params, body, principal, role }, deps) =>
    createView(deps, { principal, role, workspaceId: params.workspace_id }, body),
  ),
  route(contract.changeLeadView, ({ params, body, principal, role }, deps) =>
    changeView(deps, { principal, role, workspaceId: params.workspace_id }, params.view_id, body),
  ),
  route(contract.deleteLeadView, ({ params, principal, role }, { pool }) => {
    const { workspace_id: workspaceId, view_id: viewId } = params;
    return inTransaction(pool, async (client) => {
      await requireChangeable(client, { principal, role, workspaceId }, viewId);
      await deleteLeadView(client, workspaceId, viewId);
    });
  }),
];

function createView(
  { pool, clock }: ManagementDeps,
  caller: Caller,
  { name, filters, layout }: NewLeadView,
): Promise<LeadView> {
  const { principal, workspaceId } = caller;
  const at = new Date(clock.now());
  const record: LeadViewRecord = {
    id: randomUUID(),
    name,
    filters,
    layout,
    version: 1,
    createdBy: principal.kind === 'person' ? principal.person.id : null,
    createdByKey: principal.kind === 'api_key' ? principal.key.id : null,
    createdAt: at,
    changedAt: at,
  };
  return withUniqueName(pool, async (client) => {
    await requireRoomForLeadView(client, principal, workspaceId);
    await insertLeadView(client, workspaceId, record);
    return reread(client, caller, record.id);
  });
}

function changeView(
  { pool, clock }: ManagementDeps,
  caller: Caller,
  viewId: string,
  { expected_version: expected, ...changes }: LeadViewChanges,
): Promise<LeadView> {
  return withUniqueName(pool, async (client) => {
    const before = await requireChangeable(client, caller, viewId);
    if (expected !== undefined && expected !== before.version)
      throw new Problem(
        'version_conflict',
        `The view is at version ${before.version}, not ${expected}. Read it again, apply your change, and send expected_version ${before.version}.`,
      );
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    const changedAt = new Date(clock.now());
    await updateLeadView(client, caller.workspaceId, {
      ...before,
      ...given,
      version: before.version + 1,
      changedAt,
    });
    return reread(client, caller, viewId);
  });
}

/** Under the lock of the workspace, so that no one else changes it meanwhile. */
async function requireChangeable(
  client: pg.PoolClient,
  caller: Caller,
  viewId: string,
): Promise<ListedLeadView> {
  await lockWorkspace(client, caller.workspaceId);
  const found = await findLeadView(client, caller.workspaceId, viewId);
  if (found === null) throw notFound('view');
  if (!mayChange(found, caller))
    throw new Problem(
      'forbidden',
      'Only the creator of a view and owners can change it. Save it as a new view instead.',
    );
  return found;
}

function mayChange({ createdBy, createdByKey }: LeadViewRecord, { principal, role }: Caller): boolean {
  if (principal.kind === 'api_key') return createdByKey === principal.key.id;
  return role === 'owner' || (principal.kind === 'person' && createdBy === principal.person.id);
}

async function withUniqueName<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  try {
    return await inTransaction(pool, work);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw invalidInput([{ field: 'name', message: 'another view has this name' }]);
  }
}

async function reread(client: pg.PoolClient, caller: Caller, viewId: string): Promise<LeadView> {
  const found = await findLeadView(client, caller.workspaceId, viewId);
  if (found === null) throw notFound('view');
  return shownView(found, caller);
}

function shownView(view: ListedLeadView, caller: Caller): LeadView {
  const { id, name, version, createdBy, creatorName, isCreatorMember, createdAt, changedAt } = view;
  // An earlier release may have saved filters or columns that this one cannot read.
  const stored = storedLeadView.safeParse(view).data ?? { filters: {}, layout: null };
  return {
    id,
    name,
    ...stored,
    version,
    created_at: createdAt.toISOString(),
    created_by:
      createdBy === null ? null : { id: createdBy, name: creatorName ?? '', is_member: isCreatorMember },
    changed_at: changedAt.toISOString(),
    may_change: mayChange(view, caller),
  };
}

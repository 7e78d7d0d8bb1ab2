import { randomUUID } from 'node:crypto';
import type { Workspace } from '../../contract/workspaces/workspace.ts';
import * as contract from '../../contract/workspaces.ts';
import { nextDirectoryRevision } from '../../db/directory/directory-revision.ts';
import { shortenHeld } from '../../db/held/held-removal.ts';
import { insertAudit } from '../../db/workspaces/audit-log.ts';
import { addMember, lockWorkspace } from '../../db/workspaces/memberships.ts';
import {
  findWorkspace,
  insertWorkspace,
  listWorkspaces,
  updateWorkspace,
  type WorkspaceRecord,
} from '../../db/workspaces/workspaces.ts';
import { auditRecord } from '../audit/audit.ts';
import { isOperator, nameOf, needsRole, type Principal, requireOperator } from '../calls/access.ts';
import { changeDirectory } from '../calls/directory-change.ts';
import { page } from '../calls/page.ts';
import { notFound } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { requireRoomForWorkspace } from './quotas.ts';

export const workspaceRoutes = [
  route(contract.createWorkspace, async ({ body, principal }, deps) =>
    viewWorkspace(await createWorkspace(deps, principal, body.name)),
  ),
  route(contract.listWorkspaces, ({ query: { q, status, ...paging }, principal }, { pool }) => {
    const personId = principal.kind === 'person' && !isOperator(principal) ? principal.person.id : null;
    const only = principal.kind === 'api_key' ? principal.key.workspaceId : undefined;
    return page(paging, {
      fetch: (request) => listWorkspaces(pool, { personId, only, text: q, status }, request),
      position: ({ createdAt, id }) => ({ at: createdAt, id }),
      view: viewWorkspace,
    });
  }),
  route(contract.readWorkspace, async ({ params }, { pool }) => {
    return viewWorkspace((await findWorkspace(pool, params.workspace_id)) ?? missing());
  }),
  route(contract.changeWorkspace, async ({ params, body, principal, role }, deps) => {
    const { name, status, reason, held_days: heldDays } = body;
    if (status !== undefined) requireOperator(principal, 'suspend or resume a workspace');
    if ((name !== undefined || heldDays !== undefined) && role !== 'owner') throw needsRole('owner');
    const occasion = { at: new Date(deps.clock.now()), by: nameOf(principal) };
    const updated = await changeDirectory(deps, async (client) => {
      // First: on a cluster this may wait for a node.
      if (heldDays !== undefined) await shortenHeld(client, params.workspace_id, heldDays);
      await lockWorkspace(client, params.workspace_id);
      const revision = await nextDirectoryRevision(client);
      // A reason belongs to a suspension in the same call.
      const change = { name, status, reason: status === 'suspended' ? reason : undefined, heldDays };
      return updateWorkspace(client, params.workspace_id, change, occasion, revision);
    });
    return viewWorkspace(updated ?? missing());
  }),
];

async function createWorkspace(
  deps: ManagementDeps,
  principal: Principal,
  name: string,
): Promise<WorkspaceRecord> {
  const createdAt = new Date(deps.clock.now());
  return changeDirectory(deps, async (client) => {
    await requireRoomForWorkspace(client, principal);
    const createdBy = principal.kind === 'person' ? principal.person.id : null;
    const revision = await nextDirectoryRevision(client);
    const created = await insertWorkspace(client, { id: randomUUID(), name, createdAt, createdBy }, revision);
    if (principal.kind === 'person') {
      await addMember(client, created.id, principal.person.id, 'owner', createdAt);
    }
    const byOperator = principal.kind === 'operator_key';
    const what = { action: 'createAWorkspace', target: {}, changes: { name }, byOperator };
    await insertAudit(client, auditRecord(deps, principal, created.id, what, true));
    return created;
  });
}

function viewWorkspace(record: WorkspaceRecord): Workspace {
  const { id, name, status, createdAt, suspendedAt, suspendedReason, suspendedBy, heldDays } = record;
  const suspension =
    suspendedAt === null
      ? null
      : { since: suspendedAt.toISOString(), by: suspendedBy, reason: suspendedReason };
  return { id, name, status, created_at: createdAt.toISOString(), suspension, held_days: heldDays };
}

function missing(): never {
  throw notFound('workspace');
}

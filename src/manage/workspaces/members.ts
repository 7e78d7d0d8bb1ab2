import type pg from 'pg';
import type { Member } from '../../contract/workspaces/member.ts';
import * as contract from '../../contract/workspaces.ts';
import { noteLearnedDue } from '../../db/forms/form-learning.ts';
import { deleteHandoversMadeBy } from '../../db/forms/token-handovers.ts';
import { deletePasswordResetsOfOwner } from '../../db/people/password-resets.ts';
import { inTransaction } from '../../db/pool.ts';
import { deleteInvitationsMadeBy } from '../../db/workspaces/invitations.ts';
import {
  countOtherOwners,
  findMember,
  listMembers,
  lockWorkspace,
  type MemberRecord,
  removeMember,
  setRole,
} from '../../db/workspaces/memberships.ts';
import { page } from '../calls/page.ts';
import { notFound, Problem } from '../calls/problem.ts';
import { route } from '../calls/route.ts';

export const memberRoutes = [
  route(contract.listMembers, ({ params, query }, { pool }) =>
    page(query, {
      fetch: (request) => listMembers(pool, params.workspace_id, request),
      position: ({ joinedAt, id }) => ({ at: joinedAt, id }),
      view: viewMember,
    }),
  ),
  route(contract.changeMember, ({ params: { workspace_id, person_id }, body: { role } }, { pool }) =>
    inTransaction(pool, async (client) => {
      const before = await lockMember(client, workspace_id, person_id);
      if (role === undefined || role === before.role) return viewMember(before);
      if (before.role === 'owner') await requireOtherOwner(client, workspace_id, person_id);
      await setRole(client, workspace_id, person_id, role);
      if (before.role === 'owner') await endLinksOf(client, workspace_id, person_id);
      return viewMember({ ...before, role });
    }),
  ),
  route(contract.removeMember, async ({ params: { workspace_id, person_id } }, { pool, clock, learning }) => {
    await inTransaction(pool, async (client) => {
      const { role } = await lockMember(client, workspace_id, person_id);
      if (role === 'owner') await requireOtherOwner(client, workspace_id, person_id);
      await removeMember(client, workspace_id, person_id);
      await endLinksOf(client, workspace_id, person_id);
      // What they marked no longer counts.
      await noteLearnedDue(client, workspace_id, new Date(clock.now()));
    });
    learning.wake();
  }),
];

async function lockMember(
  client: pg.PoolClient,
  workspaceId: string,
  personId: string,
): Promise<MemberRecord> {
  await lockWorkspace(client, workspaceId);
  const found = await findMember(client, workspaceId, personId);
  if (found === null) throw notFound('person');
  return found;
}

/** Links that a person created as an owner must not work again if they become an owner again. */
async function endLinksOf(client: pg.PoolClient, workspaceId: string, personId: string): Promise<void> {
  await deleteInvitationsMadeBy(client, workspaceId, personId);
  await deletePasswordResetsOfOwner(client, workspaceId, personId);
  await deleteHandoversMadeBy(client, workspaceId, personId);
}

async function requireOtherOwner(
  client: pg.PoolClient,
  workspaceId: string,
  personId: string,
): Promise<void> {
  if ((await countOtherOwners(client, workspaceId, personId)) > 0) return;
  throw new Problem('last_owner', 'This is the last owner. Make someone else an owner first.');
}

function viewMember({ id, name, email, role, joinedAt }: MemberRecord): Member {
  return { id, name, email, role, joined_at: joinedAt.toISOString() };
}

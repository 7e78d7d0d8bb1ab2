import type pg from 'pg';
import { type Member, member, memberChanges, memberListQuery, memberPage } from '../../contract/member.ts';
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
import { json, jsonPage, noContent, route } from '../calls/route.ts';

const tag = 'People';
const all = '/workspaces/:workspace_id/members';
const one = '/workspaces/:workspace_id/members/:person_id';

export const memberRoutes = [
  route({
    method: 'get',
    path: all,
    tag,
    summary: 'List the people of a workspace',
    access: 'owner',
    query: memberListQuery,
    answer: jsonPage(memberPage),
    handle: ({ params, query }, { pool }) =>
      page(query, {
        fetch: (request) => listMembers(pool, params.workspace_id, request),
        position: ({ joinedAt, id }) => ({ at: joinedAt, id }),
        view: viewMember,
      }),
  }),
  route({
    method: 'patch',
    path: one,
    tag,
    summary: "Change a person's role",
    description:
      'The last owner stays owner. Open invitations and links that somebody made as an owner end when they no longer are one.',
    access: 'owner',
    audited: ['role'],
    body: memberChanges,
    answer: json(200, member),
    problems: ['last_owner'],
    handle: ({ params: { workspace_id, person_id }, body: { role } }, { pool }) =>
      inTransaction(pool, async (client) => {
        const before = await lockMember(client, workspace_id, person_id);
        if (role === undefined || role === before.role) return viewMember(before);
        if (before.role === 'owner') await requireOtherOwner(client, workspace_id, person_id);
        await setRole(client, workspace_id, person_id, role);
        if (before.role === 'owner') await endLinksOf(client, workspace_id, person_id);
        return viewMember({ ...before, role });
      }),
  }),
  route({
    method: 'delete',
    path: one,
    tag,
    summary: 'Remove a person from a workspace',
    description:
      'Takes effect with the next call, and ends the open invitations and links that the person made. The account stays. The last owner cannot be removed.',
    access: 'owner',
    answer: noContent,
    problems: ['last_owner'],
    handle: ({ params: { workspace_id, person_id } }, { pool }) =>
      inTransaction(pool, async (client) => {
        const { role } = await lockMember(client, workspace_id, person_id);
        if (role === 'owner') await requireOtherOwner(client, workspace_id, person_id);
        await removeMember(client, workspace_id, person_id);
        await endLinksOf(client, workspace_id, person_id);
      }),
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

/** What somebody made as an owner must not work again should they become one again. */
async function endLinksOf(client: pg.PoolClient, workspaceId: string, personId: string): Promise<void> {
  await deleteInvitationsMadeBy(client, workspaceId, personId);
  await deletePasswordResetsOfOwner(client, workspaceId, personId);
}

async function requireOtherOwner(
  client: pg.PoolClient,
  workspaceId: string,
  personId: string,
): Promise<void> {
  if ((await countOtherOwners(client, workspaceId, personId)) > 0) return;
  throw new Problem('last_owner', 'This is the last owner. Make somebody else an owner first.');
}

function viewMember({ id, name, email, role, joinedAt }: MemberRecord): Member {
  return { id, name, email, role, joined_at: joinedAt.toISOString() };
}

import { randomUUID } from 'node:crypto';
import { dayMs } from '../clock.ts';
import {
  createdInvitation,
  type Invitation,
  invitationListQuery,
  invitationPage,
  newInvitation,
} from '../contract/member.ts';
import {
  deleteInvitation,
  type InvitationRecord,
  listInvitations,
  putInvitation,
} from '../db/invitations.ts';
import { isMember } from '../db/memberships.ts';
import { findWorkspace } from '../db/workspaces.ts';
import type { ManagementDeps } from './deps.ts';
import { hashLinkToken, mintLinkToken } from './link-token.ts';
import { page } from './page.ts';
import { notFound, Problem } from './problem.ts';
import { json, jsonPage, noContent, route } from './route.ts';

const tag = 'People';
const all = '/workspaces/:workspace_id/invitations';
const invitationLifetimeMs = 7 * dayMs;

export const invitationRoutes = [
  route({
    method: 'post',
    path: all,
    tag,
    summary: 'Invite a person',
    description:
      'The link works once, for seven days. Inviting the same address again makes a new link and ends the one before.',
    access: 'owner',
    gives: 'secret',
    audited: ['email', 'role'],
    body: newInvitation,
    answer: json(201, createdInvitation),
    problems: ['already_member'],
    async handle({ params: { workspace_id }, body: { email, role } }, deps) {
      if (await isMember(deps.pool, workspace_id, email)) {
        throw new Problem('already_member', 'To change what this person may do, change the role.');
      }
      const now = deps.clock.now();
      const times = { createdAt: new Date(now), expiresAt: new Date(now + invitationLifetimeMs) };
      const record: InvitationRecord = { id: randomUUID(), email, role, ...times };
      const token = mintLinkToken();
      await putInvitation(deps.pool, workspace_id, record, hashLinkToken(token));
      const link = `${deps.publicUrl()}/join#token=${token}`;
      return { ...viewInvitation(record), link, mail: await mailLink(deps, workspace_id, email, link) };
    },
  }),
  route({
    method: 'get',
    path: all,
    tag,
    summary: 'List open invitations',
    description: 'Also those that have expired, until they are withdrawn or renewed.',
    access: 'owner',
    query: invitationListQuery,
    answer: jsonPage(invitationPage),
    handle: ({ params, query }, { pool }) =>
      page(query, {
        fetch: (request) => listInvitations(pool, params.workspace_id, request),
        position: ({ createdAt, id }) => ({ at: createdAt, id }),
        view: viewInvitation,
      }),
  }),
  route({
    method: 'delete',
    path: `${all}/:invitation_id`,
    tag,
    summary: 'Withdraw an invitation',
    access: 'owner',
    answer: noContent,
    async handle({ params: { workspace_id, invitation_id } }, { pool }) {
      if (!(await deleteInvitation(pool, workspace_id, invitation_id))) throw notFound('invitation');
    },
  }),
];

async function mailLink({ pool, mail }: ManagementDeps, workspaceId: string, to: string, link: string) {
  const { name = '' } = (await findWorkspace(pool, workspaceId)) ?? {};
  return mail.send({
    to,
    subject: `Join ${name} on Leadgate`,
    text: `You are invited to the workspace ${name}. Open this link within seven days to join:\n\n${link}\n`,
  });
}

function viewInvitation({ id, email, role, createdAt, expiresAt }: InvitationRecord): Invitation {
  return {
    id,
    email,
    role,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}

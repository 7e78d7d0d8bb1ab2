import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Invitation } from '../../contract/workspaces/member.ts';
import * as contract from '../../contract/workspaces.ts';
import { inTransaction } from '../../db/pool.ts';
import {
  deleteInvitation,
  type InvitationRecord,
  type Link,
  listInvitations,
  markMailed,
  putInvitation,
  readInvitation,
  renewInvitation,
} from '../../db/workspaces/invitations.ts';
import { isMember } from '../../db/workspaces/memberships.ts';
import { findWorkspace } from '../../db/workspaces/workspaces.ts';
import { dayMs } from '../../time/clock.ts';
import type { CountedMail } from '../accounts/mail-limit.ts';
import type { Principal } from '../calls/access.ts';
import { page } from '../calls/page.ts';
import { notFound, Problem } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { countLinkMail, deliverLink, personIdOf } from '../people/link-mail.ts';
import { hashLinkToken, mintLinkToken } from '../people/link-token.ts';
import { plainName } from '../people/plain-name.ts';
import { requireRoomForInvitation } from './quotas.ts';

const invitationLifetimeMs = 7 * dayMs;
/** For how long an expired invitation is listed, so that it can be sent again. */
const shownExpiredMs = 30 * dayMs;

export const invitationRoutes = [
  route(
    contract.invitePerson,
    async ({ params: { workspace_id }, body: { email, role }, principal }, deps) => {
      await requireNoMember(deps, workspace_id, email);
      const { token, link } = newLink(deps, principal);
      const createdAt = new Date(deps.clock.now());
      const invitation = { id: randomUUID(), email, role, createdAt, expiresAt: link.expiresAt };
      await changeWithRoom(deps, principal, workspace_id, email, (client) =>
        putInvitation(client, workspace_id, invitation, link),
      );
      return deliver(deps, principal, workspace_id, invitation.id, token);
    },
  ),
  route(
    contract.sendInvitationAgain,
    async ({ params: { workspace_id, invitation_id }, principal }, deps) => {
      const found = await readInvitation(deps.pool, workspace_id, invitation_id);
      if (found === null) throw notFound('invitation');
      await requireNoMember(deps, workspace_id, found.email);
      const { token, link } = newLink(deps, principal);
      await changeWithRoom(deps, principal, workspace_id, found.email, async (client) => {
        if (!(await renewInvitation(client, workspace_id, invitation_id, link))) throw notFound('invitation');
      });
      return deliver(deps, principal, workspace_id, invitation_id, token);
    },
  ),
  route(contract.listInvitations, ({ params, query }, { pool, clock }) =>
    page(query, {
      fetch: (request) =>
        listInvitations(pool, params.workspace_id, new Date(clock.now() - shownExpiredMs), request),
      position: ({ createdAt, id }) => ({ at: createdAt, id }),
      view: (record) => viewInvitation(record, clock.now()),
    }),
  ),
  route(contract.withdrawInvitation, async ({ params: { workspace_id, invitation_id } }, { pool }) => {
    if (!(await deleteInvitation(pool, workspace_id, invitation_id))) throw notFound('invitation');
  }),
];

async function requireNoMember({ pool }: ManagementDeps, workspaceId: string, email: string): Promise<void> {
  if (await isMember(pool, workspaceId, email))
    throw new Problem('already_member', 'To change what they can do, change their role.');
}

/** Counts the email and makes a change that adds an open invitation, if the workspace has room for it. */
async function changeWithRoom(
  deps: ManagementDeps,
  principal: Principal,
  workspaceId: string,
  email: string,
  change: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const invited = { email, createdAt: new Date(deps.clock.now()) };
  const requireRoom = (client: pg.PoolClient) =>
    requireRoomForInvitation(client, principal, workspaceId, invited);
  // Checked before the email is counted, because a refusal must not use up the limit of an address, and again with the change.
  await inTransaction(deps.pool, requireRoom);
  await countLinkMail(deps, countedMail(principal, workspaceId, email));
  await inTransaction(deps.pool, async (client) => {
    await requireRoom(client);
    await change(client);
  });
}

function newLink({ clock }: ManagementDeps, principal: Principal): { token: string; link: Link } {
  const token = mintLinkToken();
  const expiresAt = new Date(clock.now() + invitationLifetimeMs);
  return { token, link: { tokenHash: hashLinkToken(token), madeBy: personIdOf(principal), expiresAt } };
}

function countedMail(principal: Principal, workspaceId: string, address: string): CountedMail {
  return { senderId: personIdOf(principal), address, about: 'invitation', workspaceId };
}

/** Emails the link, or returns it if there is no mail server. */
async function deliver(
  deps: ManagementDeps,
  principal: Principal,
  workspaceId: string,
  invitationId: string,
  token: string,
) {
  const record = await readInvitation(deps.pool, workspaceId, invitationId);
  if (record === null) throw notFound('invitation');
  const workspace = await findWorkspace(deps.pool, workspaceId);
  const link = `${deps.publicUrl()}/join#token=${token}`;
  const counted = countedMail(principal, workspaceId, record.email);
  const delivery = await deliverLink(deps, counted, {
    link,
    subject: 'Your invitation to Leadgate',
    text: emailText(principal, workspace?.name ?? '', link),
    notice:
      'The email could not be sent. The invitation is kept: send it again, which creates a new link, or withdraw it.',
  });
  if (delivery.mail !== 'sent') return { ...viewInvitation(record, deps.clock.now()), ...delivery };
  const mailedAt = new Date(deps.clock.now());
  await markMailed(deps.pool, hashLinkToken(token), mailedAt);
  return { ...viewInvitation({ ...record, mailedAt }, deps.clock.now()), ...delivery };
}

function emailText(principal: Principal, workspaceName: string, link: string): string {
  const who = principal.kind === 'person' ? plainName(principal.person.name) : '';
  const where = plainName(workspaceName);
  const invited = who === '' ? 'You were invited' : `“${who}” invited you`;
  const to = where === '' ? 'a workspace' : `the workspace “${where}”`;
  return `${invited} to ${to} in Leadgate. Open this link within seven days to join:\n\n${link}\n\nIf you did not expect this email, ignore it.\n`;
}

function viewInvitation(record: InvitationRecord, now: number): Invitation {
  const { id, email, role, createdAt, expiresAt, mailedAt, maker } = record;
  return {
    id,
    email,
    role,
    status: expiresAt.getTime() > now ? 'open' : 'expired',
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
    mailed_at: mailedAt?.toISOString() ?? null,
    invited_by: maker,
  };
}

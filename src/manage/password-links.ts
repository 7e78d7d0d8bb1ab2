import { dayMs, hourMs } from '../clock.ts';
import { newPasswordLink, passwordLink } from '../contract/account.ts';
import { belongsOnlyTo, findMember } from '../db/memberships.ts';
import { insertPasswordReset, type OwnerOfWorkspace } from '../db/password-resets.ts';
import { findPersonByEmail } from '../db/people.ts';
import { nameOf, type Principal } from './access.ts';
import type { ManagementDeps } from './deps.ts';
import { hashLinkToken, mintLinkToken } from './link-token.ts';
import { notFound, Problem } from './problem.ts';
import { json, route } from './route.ts';

const handedLifetimeMs = dayMs;
export const mailedLifetimeMs = hourMs;

/** Links to a new password that one person makes for another, and hands over himself. */
export const passwordLinkRoutes = [
  route({
    method: 'post',
    path: '/workspaces/:workspace_id/members/:person_id/password-link',
    tag: 'People',
    summary: 'Make a link to a new password',
    description:
      'For a person of this workspace who belongs to no other and is no operator; for anybody else an operator has to make it. The link works once, for 24 hours, and for as long as that is so and the one who made it is an owner.',
    access: 'owner',
    gives: 'secret',
    answer: json(201, passwordLink),
    async handle({ params: { workspace_id, person_id }, principal }, deps) {
      const { pool } = deps;
      if ((await findMember(pool, workspace_id, person_id)) === null) throw notFound('person');
      // Whoever has the link has the account: an owner must not get what he could not take away himself.
      const isOwn = await belongsOnlyTo(pool, workspace_id, person_id);
      if (!isOwn && principal.kind !== 'operator_key')
        throw new Problem('forbidden', 'Only an operator may make a link for this person.');
      const owner =
        principal.kind === 'person' ? { workspaceId: workspace_id, ownerId: principal.person.id } : null;
      return handLink(deps, principal, person_id, owner);
    },
  }),
  route({
    method: 'post',
    path: '/operator/password-links',
    tag: 'Operator',
    summary: 'Make a link to a new password for anybody',
    description:
      'The link works once, for 24 hours. For an operator only the operator key can make one. The workspaces of the person see in their audit logs that it was used, and who made it.',
    access: 'operator',
    gives: 'secret',
    audited: ['email'],
    body: newPasswordLink,
    answer: json(201, passwordLink),
    problems: ['not_found'],
    async handle({ body, principal }, deps) {
      const person = await findPersonByEmail(deps.pool, body.email);
      if (person === null) throw notFound('person');
      if (person.operator && principal.kind !== 'operator_key')
        throw new Problem('forbidden', 'For an operator, only the operator key can make a link.');
      return handLink(deps, principal, person.id, null);
    },
  }),
];

async function handLink(
  deps: ManagementDeps,
  principal: Principal,
  personId: string,
  owner: OwnerOfWorkspace | null,
) {
  await deps.accounts.resets.made(principal.kind === 'person' ? principal.person.id : 'operator key');
  return makeLink(deps, { personId, owner, madeBy: nameOf(principal) }, handedLifetimeMs);
}

export async function makeLink(
  { pool, clock, publicUrl }: Pick<ManagementDeps, 'pool' | 'clock' | 'publicUrl'>,
  link: { readonly personId: string; readonly owner: OwnerOfWorkspace | null; readonly madeBy: string },
  lifetimeMs: number,
) {
  const now = clock.now();
  const token = mintLinkToken();
  const times = { createdAt: new Date(now), expiresAt: new Date(now + lifetimeMs) };
  await insertPasswordReset(pool, hashLinkToken(token), { ...link, ...times });
  return { link: `${publicUrl()}/reset#token=${token}`, expires_at: times.expiresAt.toISOString() };
}

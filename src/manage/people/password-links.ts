import * as contract from '../../contract/people.ts';
import { insertPasswordReset, type ResetMaker } from '../../db/people/password-resets.ts';
import { findPersonByEmail } from '../../db/people/people.ts';
import { inTransaction } from '../../db/pool.ts';
import { belongsOnlyTo, findMember } from '../../db/workspaces/memberships.ts';
import { dayMs, hourMs } from '../../time/clock.ts';
import type { CountedMail } from '../accounts/mail-limit.ts';
import { nameOf, type Principal } from '../calls/access.ts';
import { notFound, Problem } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { countLinkMail, deliverLink, personIdOf } from './link-mail.ts';
import { hashLinkToken, mintLinkToken } from './link-token.ts';

const handedLifetimeMs = dayMs;
export const mailedLifetimeMs = hourMs;

/** Password links that one person creates for another. */
export const passwordLinkRoutes = [
  route(contract.makePasswordLink, async ({ params: { workspace_id, person_id }, principal }, deps) => {
    const { pool } = deps;
    const person = await findMember(pool, workspace_id, person_id);
    if (person === null) throw notFound('person');
    // The link gives access to the account, so owners must not get one for people who belong to other workspaces too.
    const isOwn = await belongsOnlyTo(pool, workspace_id, person_id);
    if (!isOwn && principal.kind !== 'operator_key')
      throw new Problem('forbidden', 'Only an operator can create a link for this person.');
    const maker: ResetMaker =
      principal.kind === 'person'
        ? { kind: 'owner', workspaceId: workspace_id, personId: principal.person.id }
        : { kind: 'operator_key' };
    return handLink(deps, principal, person, maker);
  }),
  route(contract.makeOperatorPasswordLink, async ({ body, principal }, deps) => {
    const person = await findPersonByEmail(deps.pool, body.email);
    if (person === null) throw notFound('person');
    if (person.operator && principal.kind !== 'operator_key')
      throw new Problem('forbidden', 'Only the operator key can create a link for an operator.');
    const maker: ResetMaker =
      principal.kind === 'person'
        ? { kind: 'operator', personId: principal.person.id }
        : { kind: 'operator_key' };
    return handLink(deps, principal, person, maker);
  }),
];

async function handLink(
  deps: ManagementDeps,
  principal: Principal,
  { id, email }: { readonly id: string; readonly email: string },
  maker: ResetMaker,
) {
  await deps.accounts.resets.made(personIdOf(principal) ?? 'operator key');
  const workspaceId = maker.kind === 'owner' ? maker.workspaceId : null;
  const counted: CountedMail = {
    senderId: personIdOf(principal),
    address: email,
    about: 'password',
    workspaceId,
  };
  await countLinkMail(deps, counted);
  const made = await makeLink(deps, { personId: id, maker, madeBy: nameOf(principal) }, handedLifetimeMs);
  const delivery = await deliverLink(deps, counted, {
    link: made.link,
    subject: 'Reset your Leadgate password',
    text: `An owner of your workspace or an operator created this link for you. Open it within 24 hours to choose a new password:\n\n${made.link}\n\nIf you did not ask for it, ignore this email. Your password stays the same.\n`,
    notice: 'The email could not be sent, so nobody has the link. Create another link, which ends this one.',
  });
  return { ...delivery, expires_at: made.expires_at };
}

/** With a mail server, callers email the link and give it to nobody else. */
export async function makeLink(
  { pool, clock, publicUrl, mail }: Pick<ManagementDeps, 'pool' | 'clock' | 'publicUrl' | 'mail'>,
  link: { readonly personId: string; readonly maker: ResetMaker; readonly madeBy: string },
  lifetimeMs: number,
) {
  const now = clock.now();
  const token = mintLinkToken();
  const times = { createdAt: new Date(now), expiresAt: new Date(now + lifetimeMs) };
  await inTransaction(pool, (client) =>
    insertPasswordReset(client, hashLinkToken(token), { ...link, isMailed: mail.isOn, ...times }),
  );
  return { link: `${publicUrl()}/reset#token=${token}`, expires_at: times.expiresAt.toISOString() };
}

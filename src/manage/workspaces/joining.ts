import type pg from 'pg';
import * as contract from '../../contract/workspaces.ts';
import { isUniqueViolation } from '../../db/errors.ts';
import { findPersonByEmail, type Inviter, insertPerson, proveEmail } from '../../db/people/people.ts';
import { hasSessions } from '../../db/people/sessions.ts';
import { inTransaction } from '../../db/pool.ts';
import { insertAudit } from '../../db/workspaces/audit-log.ts';
import { findInvitation, type OpenInvitation, takeInvitation } from '../../db/workspaces/invitations.ts';
import { addMember, lockWorkspace } from '../../db/workspaces/memberships.ts';
import type { Client, Person } from '../accounts/accounts.ts';
import { requireGoodPassword } from '../accounts/passwords/common-passwords.ts';
import { auditRecord } from '../audit/audit.ts';
import type { Principal } from '../calls/access.ts';
import { invalidInput, notFound, Problem } from '../calls/problem.ts';
import { route, WithCookies } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { hashLinkToken } from '../people/link-token.ts';
import { requireRoomForMember } from './quotas.ts';

/** For people who were invited. */
export const joiningRoutes = [
  route(contract.readInvitation, async ({ body }, deps) => {
    const { workspaceName, email, role } = await requireInvitation(deps, hashLinkToken(body.token));
    const needsAccount = (await findPersonByEmail(deps.pool, email)) === null;
    return { workspace_name: workspaceName, email, role, needs_account: needsAccount };
  }),
  route(contract.acceptInvitation, async ({ body: { token, name, password }, principal, client }, deps) => {
    const tokenHash = hashLinkToken(token);
    const invitation = await requireInvitation(deps, tokenHash);
    if (principal.kind === 'person') {
      const result = await inTransaction(deps.pool, async (db) => {
        const joined = await join(db, deps, tokenHash, invitation, principal.person, client);
        await requireStillSignedIn(db, principal.person);
        return joined;
      });
      return result;
    }
    const account = requireAccountFields(name, password);
    return joinWithAccount(deps, tokenHash, invitation, account, client);
  }),
];

interface NewAccount {
  readonly name: string;
  readonly password: string;
}

function requireAccountFields(name: string | undefined, password: string | undefined): NewAccount {
  if (name !== undefined && password !== undefined) return { name, password };
  const missing = Object.entries({ name, password }).filter(([, value]) => value === undefined);
  throw invalidInput(missing.map(([field]) => ({ field, message: 'is required' })));
}

/** A link never opens an existing account: otherwise anyone who can invite could take over any account. */
async function joinWithAccount(
  deps: ManagementDeps,
  tokenHash: Buffer,
  invitation: OpenInvitation,
  { name, password }: NewAccount,
  client: Client,
): Promise<WithCookies<Awaited<ReturnType<typeof join>>>> {
  const { email } = invitation;
  if ((await findPersonByEmail(deps.pool, email)) !== null) throw signInNeeded();
  requireGoodPassword(password, { email, name }, 'password');
  const passwordHash = await deps.accounts.hasher.hash(password);
  const createdAt = new Date(deps.clock.now());
  const result = await inTransaction(deps.pool, async (db) => {
    const invitedBy = inviterOf(invitation);
    const person = await insertPerson(db, { name, email, passwordHash, createdAt, invitedBy });
    return join(db, deps, tokenHash, invitation, person, client);
  }).catch((error) => {
    throw isUniqueViolation(error) ? signInNeeded() : error;
  });
  return new WithCookies(result, await deps.accounts.signIn(client, { email, password }));
}

async function join(
  db: pg.PoolClient,
  deps: ManagementDeps,
  tokenHash: Buffer,
  invitation: OpenInvitation,
  person: Person,
  { address }: Client,
) {
  const { workspaceId, workspaceName, role, id, email, maker } = invitation;
  const now = new Date(deps.clock.now());
  await lockWorkspace(db, workspaceId);
  if (!(await takeInvitation(db, tokenHash, now))) throw notFound('invitation');
  await requireRoomForMember(db, invitation, person.id);
  const given = await addMember(db, workspaceId, person.id, role, now);
  // Someone who is signed in may use a link that went to another address of theirs, or of someone else.
  if (invitation.mailedAt !== null && person.email === email) await proveEmail(db, person.id, now);
  const actor: Principal = { kind: 'person', person };
  const what = {
    action: 'acceptAnInvitation',
    target: { invitation_id: id, person_id: person.id },
    // People may pass a link on: owners see who was invited and who joined.
    changes: { role: given, invited_email: email, invited_by: maker?.email ?? 'operator' },
    address: address || null,
  };
  await insertAudit(db, auditRecord(deps, actor, workspaceId, what, true));
  return { workspace_id: workspaceId, workspace_name: workspaceName, role: given };
}

function inviterOf({ maker }: OpenInvitation): Inviter {
  return maker === null
    ? { kind: 'operator_key', id: null, name: null, email: null }
    : { kind: 'person', ...maker };
}

async function requireInvitation(
  { pool, clock }: ManagementDeps,
  tokenHash: Buffer,
): Promise<OpenInvitation> {
  const found = await findInvitation(pool, tokenHash, new Date(clock.now()));
  if (found === null) throw notFound('invitation');
  return found;
}

/**
 * Someone may have just set a new password for the account. Joining locks the person's row, so a later reset waits; an
 * earlier reset has ended all sessions, and its new password must not open this workspace too.
 */
async function requireStillSignedIn(db: pg.PoolClient, person: Person): Promise<void> {
  if (!(await hasSessions(db, person.id)))
    throw new Problem('unauthorized', 'Sign in again, then open the link.');
}

function signInNeeded(): Problem {
  return new Problem('sign_in_needed', 'Sign in, then open the link again.');
}

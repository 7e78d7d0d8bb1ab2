import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import * as contract from '../../contract/people.ts';
import { nextDirectoryRevision } from '../../db/directory/directory-revision.ts';
import { hasPeople, type Inviter, insertPerson, type PersonRecord } from '../../db/people/people.ts';
import { insertSetupToken, isSetupToken, takeSetupTokens } from '../../db/people/setup-tokens.ts';
import { insertAudit } from '../../db/workspaces/audit-log.ts';
import { addMember } from '../../db/workspaces/memberships.ts';
import { findOwnerless, insertWorkspace, updateWorkspace } from '../../db/workspaces/workspaces.ts';
import { requireGoodPassword } from '../accounts/passwords/common-passwords.ts';
import { auditRecord } from '../audit/audit.ts';
import { changeDirectory } from '../calls/directory-change.ts';
import { notFound } from '../calls/problem.ts';
import { route, WithCookies } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { starterName } from '../workspaces/starter.ts';
import { hashLinkToken, mintLinkToken } from './link-token.ts';
import { viewMe } from './me.ts';

const invitedBy: Inviter = { kind: 'setup', id: null, name: null, email: null };

export const setupRoutes = [
  route(contract.readSetup, async (_call, { pool }) => ({ needed: !(await hasPeople(pool)) })),
  route(contract.setUp, async ({ body, client }, deps) => {
    const { token, name, email, password, workspace_name } = body;
    const tokenHash = hashLinkToken(token);
    // Check the link before doing anything expensive.
    const createdAt = new Date(deps.clock.now());
    if (!(await isSetupToken(deps.pool, tokenHash, createdAt))) throw notFound('setup link');
    requireGoodPassword(password, { email, name }, 'password');
    const passwordHash = await deps.accounts.hasher.hash(password);
    const person = await changeDirectory(deps, async (db) => {
      if (!(await takeSetupTokens(db, tokenHash, createdAt))) throw notFound('setup link');
      // Only someone who can read the output of the service has this link, so they run it.
      const account = { name, email, passwordHash, createdAt, invitedBy, operator: true } as const;
      const first = await insertPerson(db, account);
      await giveWorkspace(db, deps, first, workspace_name, createdAt);
      return first;
    });
    await deps.endFirstStart();
    const cookies = await deps.accounts.signIn(client, { email, password });
    return new WithCookies(await viewMe(deps.pool, person), cookies);
  }),
];

/** The starter workspace, whose token may already be in use, or a new one if there is none. */
async function giveWorkspace(
  client: pg.PoolClient,
  deps: ManagementDeps,
  person: PersonRecord,
  name: string,
  at: Date,
): Promise<void> {
  const starterId = await findOwnerless(client, starterName);
  const revision = await nextDirectoryRevision(client);
  const workspaceId = starterId ?? randomUUID();
  if (starterId !== null)
    await updateWorkspace(client, starterId, { name }, { at, by: person.email }, revision);
  else
    await insertWorkspace(client, { id: workspaceId, name, createdAt: at, createdBy: person.id }, revision);
  await addMember(client, workspaceId, person.id, 'owner', at);
  const what = {
    action: 'setUpTheService',
    target: { person_id: person.id },
    changes: { workspace_name: name },
    // In the operators' log too, like every other new operator.
    byOperator: true,
  };
  await insertAudit(client, auditRecord(deps, { kind: 'person', person }, workspaceId, what, true));
}

/** A link for the first person. Null if there already is one. */
export async function createSetupLink({
  pool,
  clock,
  publicUrl,
}: Pick<ManagementDeps, 'pool' | 'clock' | 'publicUrl'>): Promise<string | null> {
  const token = mintLinkToken();
  const isNeeded = await insertSetupToken(pool, hashLinkToken(token), new Date(clock.now()));
  return isNeeded ? `${publicUrl()}/setup#token=${token}` : null;
}

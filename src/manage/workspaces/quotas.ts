import type pg from 'pg';
import { countDestinations } from '../../db/deliver/destinations.ts';
import { countForms } from '../../db/forms/forms.ts';
import { countTokens } from '../../db/forms/tokens.ts';
import { readInstanceSettings } from '../../db/instance-settings.ts';
import { countLeadViews } from '../../db/leads/lead-views.ts';
import type { Queryable } from '../../db/pool.ts';
import { countApiKeys } from '../../db/workspaces/api-keys.ts';
import type { OpenInvitation } from '../../db/workspaces/invitations.ts';
import { countMembers, countPeople, findRole, lockWorkspace } from '../../db/workspaces/memberships.ts';
import { countWorkspacesBy } from '../../db/workspaces/workspaces.ts';
import type { WorkspaceCreation } from '../../domain/workspace.ts';
import { dayMs } from '../../time/clock.ts';
import { isOperator, needsRole, type Principal } from '../calls/access.ts';
import { Problem } from '../calls/problem.ts';

/**
 * Limits per person and workspace. Every instance keeps all forms and tokens in memory, so without quotas one tenant
 * could use up the memory of all others. The operator key is exempt, and operators may create any number of workspaces.
 */
const workspacesPerPersonMax = 10;
const formsPerWorkspaceMax = 100;
const tokensPerWorkspaceMax = 500;
const apiKeysPerWorkspaceMax = 100;
const destinationsPerWorkspaceMax = 50;
const peoplePerWorkspaceMax = 100;
const leadViewsPerWorkspaceMax = 100;

/** The operator's choice. By default only operators can create workspaces, once there is one to ask. */
export async function whoCreatesWorkspaces(db: Queryable): Promise<WorkspaceCreation> {
  const { workspaceCreation, hasOperators } = await readInstanceSettings(db);
  return workspaceCreation ?? (hasOperators ? 'operators' : 'everyone');
}

export async function requireRoomForWorkspace(client: pg.PoolClient, principal: Principal): Promise<void> {
  // Operators create workspaces for everyone else, so they have no quota.
  if (principal.kind !== 'person' || isOperator(principal)) return;
  if ((await whoCreatesWorkspaces(client)) === 'operators') {
    throw new Problem(
      'forbidden',
      'Only operators can create workspaces here. Ask one to create it and invite you as an owner.',
    );
  }
  if ((await countWorkspacesBy(client, principal.person.id)) < workspacesPerPersonMax) return;
  throw new Problem(
    'quota_reached',
    `A person can create or own ${workspacesPerPersonMax} workspaces. Ask an operator to create this one and invite you.`,
  );
}

/** Called under the slug lock, which every new form takes. */
export async function requireRoomForForm(
  client: pg.PoolClient,
  principal: Principal,
  workspaceId: string,
): Promise<void> {
  if (isExempt(principal) || (await countForms(client, workspaceId)) < formsPerWorkspaceMax) return;
  throw new Problem(
    'quota_reached',
    `A workspace can have ${formsPerWorkspaceMax} forms. Delete one that you no longer use, or ask an operator to add this one.`,
  );
}

export async function requireRoomForToken(
  client: pg.PoolClient,
  principal: Principal,
  workspaceId: string,
  now: number,
): Promise<void> {
  if (isExempt(principal) || (await countRecentTokens(client, workspaceId, now)) < tokensPerWorkspaceMax)
    return;
  throw new Problem(
    'quota_reached',
    `A workspace can have ${tokensPerWorkspaceMax} tokens. Revoke those that you no longer use: a revoked token counts until it is a day old.`,
  );
}

/** Twice as many, so that a leaked token can still be replaced when the quota is used up. */
export async function requireRoomForSuccessor(
  client: pg.PoolClient,
  principal: Principal,
  workspaceId: string,
  now: number,
): Promise<void> {
  if (isExempt(principal) || (await countRecentTokens(client, workspaceId, now)) < 2 * tokensPerWorkspaceMax)
    return;
  throw new Problem(
    'quota_reached',
    'Too many tokens were created and rotated today. Revoke the token and ask an operator for a new one, or rotate it tomorrow.',
  );
}

/** Ended tokens stay in the directory, so those of the last day count. This limits creating and revoking in a loop. */
async function countRecentTokens(client: pg.PoolClient, workspaceId: string, now: number): Promise<number> {
  await lockWorkspace(client, workspaceId);
  return countTokens(client, workspaceId, new Date(now), new Date(now - dayMs));
}

/** Ended keys of the last day count, as with tokens. */
export async function requireRoomForApiKey(
  client: pg.PoolClient,
  principal: Principal,
  workspaceId: string,
  now: number,
): Promise<void> {
  if (isExempt(principal)) return;
  await lockWorkspace(client, workspaceId);
  const count = await countApiKeys(client, workspaceId, new Date(now), new Date(now - dayMs));
  if (count < apiKeysPerWorkspaceMax) return;
  throw new Problem(
    'quota_reached',
    `A workspace can have ${apiKeysPerWorkspaceMax} API keys. Revoke those that you no longer use: a revoked key counts until it is a day old.`,
  );
}

export async function requireRoomForDestination(
  client: pg.PoolClient,
  principal: Principal,
  workspaceId: string,
): Promise<void> {
  if (isExempt(principal)) return;
  await lockWorkspace(client, workspaceId);
  if ((await countDestinations(client, workspaceId)) < destinationsPerWorkspaceMax) return;
  throw new Problem(
    'quota_reached',
    `A workspace can have ${destinationsPerWorkspaceMax} destinations. Delete one that you no longer use, or ask an operator to add this one.`,
  );
}

export async function requireRoomForLeadView(
  client: pg.PoolClient,
  principal: Principal,
  workspaceId: string,
): Promise<void> {
  await lockWorkspace(client, workspaceId);
  if (isExempt(principal) || (await countLeadViews(client, workspaceId)) < leadViewsPerWorkspaceMax) return;
  throw new Problem(
    'quota_reached',
    `A workspace can have ${leadViewsPerWorkspaceMax} saved views. Delete one that you no longer use.`,
  );
}

export async function requireRoomForInvitation(
  client: pg.PoolClient,
  principal: Principal,
  workspaceId: string,
  { email, createdAt }: { readonly email: string; readonly createdAt: Date },
): Promise<void> {
  if (principal.kind !== 'person') return;
  await lockWorkspace(client, workspaceId);
  // A person who lost the role while this call waited must not leave an invitation that revives with the role.
  if ((await findRole(client, workspaceId, principal.person.id)) !== 'owner') throw needsRole('owner');
  if ((await countPeople(client, workspaceId, createdAt, email)) < peoplePerWorkspaceMax) return;
  throw new Problem(
    'quota_reached',
    `A workspace can have ${peoplePerWorkspaceMax} people, open invitations included. Remove someone or withdraw an invitation first.`,
  );
}

/** Called under the workspace lock. People invited with the operator key are exempt, like the key itself. */
export async function requireRoomForMember(
  client: pg.PoolClient,
  { workspaceId, maker }: OpenInvitation,
  personId: string,
): Promise<void> {
  if (maker === null || (await findRole(client, workspaceId, personId)) !== null) return;
  if ((await countMembers(client, workspaceId)) < peoplePerWorkspaceMax) return;
  throw new Problem(
    'quota_reached',
    `The workspace already has ${peoplePerWorkspaceMax} people. Ask an owner to remove someone, then open the link again.`,
  );
}

function isExempt({ kind }: Principal): boolean {
  return kind === 'operator_key';
}

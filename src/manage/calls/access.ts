import type pg from 'pg';
import type { Access } from '../../contract/call.ts';
import { findRole } from '../../db/workspaces/memberships.ts';
import { findWorkspace } from '../../db/workspaces/workspaces.ts';
import { type Role, reaches } from '../../domain/role.ts';
import type { KeyDoor } from '../../domain/secrets/key-door.ts';
import { networkOf } from '../../http/client-address.ts';
import type { Accounts, Client, Person, Session } from '../accounts/accounts.ts';
import { tooMany } from '../accounts/sign-in-limit.ts';
import {
  type ApiKeyDeps,
  type ApiKeyPrincipal,
  apiKeyIn,
  authenticateApiKey,
  requireScopes,
  unauthorized,
} from '../api-keys/authentication.ts';
import { Problem } from './problem.ts';
import { requireSameOrigin } from './same-origin.ts';

/** The caller. */
export type Principal =
  | { readonly kind: 'operator_key' }
  | ApiKeyPrincipal
  | {
      readonly kind: 'person';
      readonly person: Person;
      /** Missing for someone who is about to get their first session. */
      readonly session?: Pick<Session, 'id' | 'passwordAt'>;
    }
  | { readonly kind: 'nobody' };

export interface Authenticated {
  readonly principal: Principal;
  /** To be set on the response. */
  readonly cookies: readonly string[];
}

export interface AuthenticateDeps extends ApiKeyDeps {
  readonly operatorDoor: KeyDoor;
  readonly accounts: Accounts;
}

/** Authenticates a request, or throws. A key takes precedence over a cookie; a cookie must come from our own page. */
export type Authenticate = (client: Client, method: string) => Promise<Authenticated>;

export function authenticateWith(deps: AuthenticateDeps): Authenticate {
  const { operatorDoor, accounts, clock } = deps;
  return async (client, method) => {
    const authorization = client.headers.get('authorization') ?? undefined;
    if (authorization !== undefined) {
      const apiKey = apiKeyIn(authorization);
      const program = apiKey === null ? null : await authenticateApiKey(deps, apiKey);
      if (program !== null) return { principal: program, cookies: [] };
      // An API key that does not exist is a wrong key like any other.
      const visitor = { address: client.address, network: networkOf(client.address) };
      const verdict = operatorDoor.judge(authorization, visitor, clock.now());
      if (verdict.kind === 'right') return { principal: { kind: 'operator_key' }, cookies: [] };
      if (verdict.kind === 'limited') throw tooMany(verdict.waitMs);
      throw unauthorized('The key is wrong.');
    }
    if (!accounts.hasSessionCookie(client.headers)) return { principal: { kind: 'nobody' }, cookies: [] };
    requireSameOrigin(client.headers, method, accounts.origin);
    const session = await accounts.readSession(client);
    if (session === null) return { principal: { kind: 'nobody' }, cookies: [] };
    return { principal: { kind: 'person', person: session.person, session }, cookies: session.cookies };
  };
}

/** The checks that need no query. Denies by default. `workspaceId` is that of the path, as sent. */
export function requireAccess(principal: Principal, access: Access, workspaceId: string | undefined): void {
  const { by } = access;
  if (principal.kind === 'api_key') {
    // First: keys of other workspaces must not learn whether a workspace exists.
    if (workspaceId !== undefined && workspaceId.toLowerCase() !== principal.key.workspaceId) throw hidden();
    requireScopes(principal, access);
    return;
  }
  if (by === 'public') return;
  if (principal.kind === 'nobody') {
    throw unauthorized('Sign in, or send the header Authorization: Bearer <key>.');
  }
  if (by === 'operator') requireOperator(principal, 'do this');
  if (by === 'operator_key' && principal.kind !== 'operator_key') {
    throw new Problem('forbidden', 'This requires the operator key.');
  }
  if (by === 'person' && principal.kind !== 'person') {
    throw new Problem('forbidden', 'Only a person can do this. Sign in.');
  }
}

/** A workspace that does not exist, or that the caller has no access to: the response is the same. */
export class HiddenWorkspace extends Problem {}

function hidden(): HiddenWorkspace {
  return new HiddenWorkspace('not_found', 'There is no such workspace.');
}

/**
 * The caller's role in a workspace. Null for operators who are not members. An API key counts as a member: it may do more by its
 * scopes, which `requireAccess` checks, but it sees nothing that only owners see.
 */
export async function requireRole(
  pool: pg.Pool,
  principal: Principal,
  workspaceId: string,
  { by, operatorsToo }: Access,
): Promise<Role | null> {
  const role = await roleIn(pool, principal, workspaceId);
  const isLetIn = operatorsToo === true && isOperator(principal);
  // Callers without access must not learn whether a workspace exists.
  if (role === null) {
    if (isLetIn && (await findWorkspace(pool, workspaceId)) !== null) return null;
    throw hidden();
  }
  if (principal.kind === 'api_key') return role;
  const needed = by === 'owner' ? 'owner' : 'member';
  if (!reaches(role, needed) && !isLetIn) throw needsRole(needed);
  return role;
}

async function roleIn(pool: pg.Pool, principal: Principal, workspaceId: string): Promise<Role | null> {
  if (principal.kind === 'person') return findRole(pool, workspaceId, principal.person.id);
  if (principal.kind === 'api_key') return principal.key.workspaceId === workspaceId ? 'member' : null;
  const isThere = principal.kind === 'operator_key' && (await findWorkspace(pool, workspaceId)) !== null;
  return isThere ? 'owner' : null;
}

export function needsRole(role: Role): Problem {
  return new Problem('forbidden', `Only ${role}s can do this.`);
}

export function isOperator(principal: Principal): boolean {
  return principal.kind === 'operator_key' || (principal.kind === 'person' && principal.person.operator);
}

export function requireOperator(principal: Principal, action: string): void {
  if (!isOperator(principal)) throw new Problem('forbidden', `Only operators can ${action}.`);
}

/** The name of a person or key where it is said who did something. */
export function nameOf(principal: Principal): string {
  if (principal.kind === 'api_key') return `API key ${principal.key.name}`;
  return principal.kind === 'person' ? principal.person.email : 'operator';
}

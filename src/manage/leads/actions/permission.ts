import type pg from 'pg';
import type { LeadActionRecord } from '../../../db/leads/actions/lead-actions.ts';
import { findApiKeyIn } from '../../../db/workspaces/api-keys.ts';
import { findRole } from '../../../db/workspaces/memberships.ts';
import { reaches } from '../../../domain/role.ts';
import type { Principal } from '../../calls/access.ts';

/** Whose permission an action needs. */
export function actorOf(principal: Principal): Pick<LeadActionRecord, 'actorKind' | 'actorId'> {
  if (principal.kind === 'person') return { actorKind: 'person', actorId: principal.person.id };
  if (principal.kind === 'api_key') return { actorKind: 'api_key', actorId: principal.key.id };
  return { actorKind: 'operator_key', actorId: null };
}

/** Whether those who started an action may still do it: it can take long, and they may have been removed meanwhile. */
export async function isStillAllowed(
  pool: pg.Pool,
  { workspaceId, kind, actorKind, actorId }: LeadActionRecord,
  now: Date,
): Promise<boolean> {
  if (actorKind === 'operator_key') return true;
  if (actorId === null) return false;
  if (actorKind === 'person') {
    const role = await findRole(pool, workspaceId, actorId);
    return role !== null && reaches(role, kind === 'erasure' ? 'owner' : 'member');
  }
  const key = await findApiKeyIn(pool, workspaceId, actorId);
  if (key === null || key.revokedAt !== null) return false;
  if (key.expiresAt !== null && key.expiresAt <= now) return false;
  return key.scopes.includes(kind === 'erasure' ? 'leads:erase' : 'leads:mark');
}

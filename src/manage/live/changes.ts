import { operationId } from '../../contract/call.ts';
import { eraseLead, markLead } from '../../contract/leads.ts';
import * as contract from '../../contract/live/changes.ts';
import type { Role } from '../../domain/role.ts';
import { type Principal, requireRole } from '../calls/access.ts';
import { Problem } from '../calls/problem.ts';
import { route } from '../calls/route.ts';

/** The actions in the audit log that change a lead. */
export const leadActions: readonly string[] = [markLead, eraseLead].map(operationId);

const headers = {
  'content-type': 'text/event-stream',
  // No proxy may keep it, compress it or wait for its end.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

export const changesRoutes = [
  route(contract.watchChanges, async ({ principal, query, ended, hungUp }, { pool, live }) => {
    const roles = new Map<string, Role>();
    for (const id of query.workspace_ids) {
      const role = await requireRole(pool, principal, id, { by: 'member' });
      if (role !== null) roles.set(id, role);
    }
    const body = await live.open({ ...callerOf(principal), roles }, [ended, hungUp]);
    return new Response(body, { headers });
  }),
];

function callerOf(principal: Principal): { readonly who: string; readonly sessionId: string | null } {
  if (principal.kind !== 'person') return { who: principal.kind, sessionId: null };
  // A stream without a session would never be checked again.
  if (principal.session === undefined) throw new Problem('unauthorized', 'Sign in first.');
  return { who: principal.person.id, sessionId: principal.session.id };
}

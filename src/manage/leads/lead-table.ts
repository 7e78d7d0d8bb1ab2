import { leadTableView } from '../../contract/leads/table.ts';
import * as contract from '../../contract/leads.ts';
import { findForm } from '../../db/forms/forms.ts';
import {
  deleteTableView,
  findTableView,
  saveTableView,
  type TableOwner,
} from '../../db/leads/lead-table-views.ts';
import type { Queryable } from '../../db/pool.ts';
import type { Principal } from '../calls/access.ts';
import { notFound, Problem } from '../calls/problem.ts';
import { route } from '../calls/route.ts';

export const leadTableRoutes = [
  route(contract.readLeadTable, async ({ params, query, principal }, { pool }) => {
    if (principal.kind !== 'person') return { view: null };
    const owner = ownerOf(principal, params.workspace_id, query.form_id);
    // A view from an earlier release may no longer be valid.
    return { view: leadTableView.safeParse(await findTableView(pool, owner)).data ?? null };
  }),
  route(contract.arrangeLeadTable, async ({ params, query, body, principal }, { pool, clock }) => {
    const owner = ownerOf(principal, params.workspace_id, query.form_id);
    await requireForm(pool, owner);
    if (body.view === null) await deleteTableView(pool, owner);
    else await saveTableView(pool, owner, body.view, new Date(clock.now()));
    return { view: body.view };
  }),
];

function ownerOf(principal: Principal, workspaceId: string, formId: string | undefined): TableOwner {
  if (principal.kind !== 'person') {
    throw new Problem('forbidden', 'Only a person can arrange a table. Sign in.');
  }
  return { workspaceId, personId: principal.person.id, formId: formId ?? null };
}

async function requireForm(db: Queryable, { workspaceId, formId }: TableOwner): Promise<void> {
  if (formId !== null && (await findForm(db, workspaceId, formId)) === null) throw notFound('form');
}

import { leadTable, leadTableQuery, leadTableView, newLeadTable } from '../../contract/lead-table.ts';
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
import { json, route } from '../calls/route.ts';

const path = '/workspaces/:workspace_id/lead-table';
const tag = 'Leads';

export const leadTableRoutes = [
  route({
    method: 'get',
    path,
    tag,
    summary: 'Read how you arranged the lead table',
    description:
      'Kept per person, workspace and form. The operator key is nobody, so for it there is never a view.',
    access: 'member',
    query: leadTableQuery,
    answer: json(200, leadTable),
    async handle({ params, query, principal }, { pool }) {
      if (principal.kind !== 'person') return { view: null };
      const owner = ownerOf(principal, params.workspace_id, query.form_id);
      // What an earlier release has written may not be a view any more.
      return { view: leadTableView.safeParse(await findTableView(pool, owner)).data ?? null };
    },
  }),
  route({
    method: 'put',
    path,
    tag,
    summary: 'Arrange the lead table',
    access: 'member',
    // Nobody else sees any of it.
    audit: 'reads',
    query: leadTableQuery,
    body: newLeadTable,
    answer: json(200, leadTable),
    problems: ['forbidden'],
    async handle({ params, query, body, principal }, { pool, clock }) {
      const owner = ownerOf(principal, params.workspace_id, query.form_id);
      await requireForm(pool, owner);
      if (body.view === null) await deleteTableView(pool, owner);
      else await saveTableView(pool, owner, body.view, new Date(clock.now()));
      return { view: body.view };
    },
  }),
];

function ownerOf(principal: Principal, workspaceId: string, formId: string | undefined): TableOwner {
  if (principal.kind !== 'person') {
    throw new Problem('forbidden', 'Only a person can arrange a table: sign in.');
  }
  return { workspaceId, personId: principal.person.id, formId: formId ?? null };
}

async function requireForm(db: Queryable, { workspaceId, formId }: TableOwner): Promise<void> {
  if (formId !== null && (await findForm(db, workspaceId, formId)) === null) throw notFound('form');
}

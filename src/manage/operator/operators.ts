import type { OperatorPerson } from '../../contract/operator.ts';
import * as contract from '../../contract/operator.ts';
import { deletePasswordResetsOfOperator } from '../../db/people/password-resets.ts';
import { setOperator } from '../../db/people/people.ts';
import { findKnownPerson, type KnownPerson, listKnownPeople } from '../../db/people/people-search.ts';
import { inTransaction, type Queryable } from '../../db/pool.ts';
import type { Principal } from '../calls/access.ts';
import { page } from '../calls/page.ts';
import { notFound, Problem } from '../calls/problem.ts';
import { route } from '../calls/route.ts';

/** Finds people and grants operator permissions: by id, because anyone can register any email address. */
export const operatorPeopleRoutes = [
  route(contract.listPeople, ({ query: { q, operator, ...paging } }, { pool }) =>
    page(paging, {
      fetch: (request) => listKnownPeople(pool, { text: q, operator }, request),
      position: ({ createdAt, id }) => ({ at: createdAt, id }),
      view: viewPerson,
    }),
  ),
  route(contract.readPerson, ({ params: { person_id } }, { pool }) => requirePerson(pool, person_id)),
  route(contract.changeOperator, ({ body: { person_id, operator }, principal }, { pool, clock }) =>
    inTransaction(pool, async (client) => {
      if (!operator) requireMayTakeRights(principal, person_id);
      const changed = await setOperator(client, person_id, operator, new Date(clock.now()));
      if (changed === null) throw notFound('person');
      if (!operator) await deletePasswordResetsOfOperator(client, person_id);
      return requirePerson(client, person_id);
    }),
  ),
];

/** A stolen operator session must not be able to lock out the other operators. */
function requireMayTakeRights(principal: Principal, personId: string): void {
  if (principal.kind === 'operator_key') return;
  if (principal.kind === 'person' && principal.person.id === personId) return;
  throw new Problem('forbidden', "Use the operator key to revoke another operator's permissions.");
}

async function requirePerson(db: Queryable, personId: string): Promise<OperatorPerson> {
  const found = await findKnownPerson(db, personId);
  if (found === null) throw notFound('person');
  return viewPerson(found);
}

function viewPerson({ createdAt, invitedBy, workspaces, workspaceCount, ...person }: KnownPerson) {
  return {
    ...person,
    created_at: createdAt.toISOString(),
    invited_by: invitedBy,
    workspaces: [...workspaces],
    workspace_count: workspaceCount,
  };
}

import {
  type OperatorPerson,
  operatorChange,
  operatorPeoplePage,
  operatorPeopleQuery,
  operatorPerson,
} from '../../contract/operator.ts';
import { deletePasswordResetsOfOperator } from '../../db/people/password-resets.ts';
import { setOperator } from '../../db/people/people.ts';
import { findKnownPerson, type KnownPerson, listKnownPeople } from '../../db/people/people-search.ts';
import { inTransaction, type Queryable } from '../../db/pool.ts';
import type { Principal } from '../calls/access.ts';
import { page } from '../calls/page.ts';
import { notFound, Problem } from '../calls/problem.ts';
import { json, jsonPage, route } from '../calls/route.ts';

const tag = 'Operator';
const all = '/operator/people';

/** Finding a person, and giving them the rights of an operator: by id, because anybody can register any address. */
export const operatorPeopleRoutes = [
  route({
    method: 'get',
    path: all,
    tag,
    summary: 'List and find people',
    description: 'Everybody who has an account, with what helps to tell who they are, newest first.',
    access: 'operator',
    heavy: 'call',
    query: operatorPeopleQuery,
    answer: jsonPage(operatorPeoplePage),
    handle: ({ query: { q, operator, ...paging } }, { pool }) =>
      page(paging, {
        fetch: (request) => listKnownPeople(pool, { text: q, operator }, request),
        position: ({ createdAt, id }) => ({ at: createdAt, id }),
        view: viewPerson,
      }),
  }),
  route({
    method: 'get',
    path: `${all}/:person_id`,
    tag,
    summary: 'Read who a person is',
    access: 'operator',
    answer: json(200, operatorPerson),
    handle: ({ params: { person_id } }, { pool }) => requirePerson(pool, person_id),
  }),
  route({
    method: 'post',
    path: all,
    tag,
    summary: 'Make a person an operator, or no longer one',
    description:
      'Operators see all workspaces, suspend and resume them; they do not see into them. Check first who the person is: name and address are what they typed themselves. An operator can give up their own rights; to take those of another, use the operator key. Links that somebody made as an operator end with their rights.',
    access: 'operator',
    audited: ['person_id', 'operator'],
    body: operatorChange,
    answer: json(200, operatorPerson),
    problems: ['not_found'],
    handle: ({ body: { person_id, operator }, principal }, { pool, clock }) =>
      inTransaction(pool, async (client) => {
        if (!operator) requireMayTakeRights(principal, person_id);
        const changed = await setOperator(client, person_id, operator, new Date(clock.now()));
        if (changed === null) throw notFound('person');
        if (!operator) await deletePasswordResetsOfOperator(client, person_id);
        return requirePerson(client, person_id);
      }),
  }),
];

/** Whoever gets at one operator's session must not be able to shut out the others. */
function requireMayTakeRights(principal: Principal, personId: string): void {
  if (principal.kind === 'operator_key') return;
  if (principal.kind === 'person' && principal.person.id === personId) return;
  throw new Problem('forbidden', "To take another operator's rights, use the operator key.");
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

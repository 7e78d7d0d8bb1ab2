import type { Me } from '../../contract/people.ts';
import * as contract from '../../contract/people.ts';
import type { Queryable } from '../../db/pool.ts';
import { listWorkspacesOf } from '../../db/workspaces/memberships.ts';
import type { Person } from '../accounts/accounts.ts';
import type { Principal } from '../calls/access.ts';
import { Problem } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import { whoCreatesWorkspaces } from '../workspaces/quotas.ts';

export const meRoutes = [
  route(contract.readMe, ({ principal }, { pool }) => viewMe(pool, requirePerson(principal))),
];

export async function viewMe(db: Queryable, { id, name, email, operator }: Person): Promise<Me> {
  const mayCreate = operator || (await whoCreatesWorkspaces(db)) === 'everyone';
  return {
    user: { id, name, email, operator },
    may_create_workspaces: mayCreate,
    workspaces: await listWorkspacesOf(db, id),
  };
}

function requirePerson(principal: Principal): Person {
  if (principal.kind !== 'person') throw new Problem('unauthorized', 'Sign in first.');
  return principal.person;
}

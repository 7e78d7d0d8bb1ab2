import { type RawBuilder, sql } from 'kysely';
import type { Role } from '../../domain/role.ts';
import { comesAfter, type PageRequest } from '../keyset.ts';
import type { Queryable } from '../pool.ts';
import { allOf, firstRow, rowsOf } from '../sql.ts';
import type { Inviter, PersonRecord } from './people.ts';

/** A person with all details that help to identify them. */
export interface KnownPerson extends PersonRecord {
  readonly createdAt: Date;
  /** Null if unknown. */
  readonly invitedBy: Inviter | null;
  readonly workspaces: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
  /** Including those that are not listed. */
  readonly workspaceCount: number;
}

const workspacesMax = 20;

const columns = sql`p.id, p.name, p.email, p.operator, p.created_at as "createdAt",
  case when p.invited_by_kind is not null then json_build_object('kind', p.invited_by_kind, 'id', p.invited_by_id,
    'name', p.invited_by_name, 'email', p.invited_by_email) end as "invitedBy",
  coalesce((select json_agg(w) from (
    select w.id, w.name, m.role from memberships m join workspaces w on w.id = m.workspace_id
    where m.person_id = p.id order by m.created_at, w.id limit ${workspacesMax}) w), '[]') as workspaces,
  (select count(*) from memberships m where m.person_id = p.id) as "workspaceCount"`;

export async function findKnownPerson(db: Queryable, personId: string): Promise<KnownPerson | null> {
  return firstRow(db, sql<KnownPerson>`select ${columns} from people p where p.id = ${personId}`);
}

export interface PeopleFilter {
  /** Part of a name or email address, or a whole id. */
  readonly text?: string | undefined;
  readonly operator?: boolean | undefined;
}

export async function listKnownPeople(
  db: Queryable,
  { text, operator }: PeopleFilter,
  { after, limit }: PageRequest,
): Promise<KnownPerson[]> {
  const conditions = [comesAfter(after, 'p.created_at', 'p.id')];
  if (text !== undefined) conditions.push(matches(text));
  if (operator !== undefined) conditions.push(sql`p.operator = ${operator}`);
  return rowsOf(
    db,
    sql<KnownPerson>`select ${columns} from people p where ${allOf(conditions)}
      order by p.created_at desc, p.id desc limit ${limit}`,
  );
}

function matches(text: string): RawBuilder<boolean> {
  const wanted = sql`lower(${text}::text)`;
  return sql`(strpos(lower(p.name), ${wanted}) > 0 or strpos(p.email, ${wanted}) > 0 or p.id::text = ${wanted})`;
}

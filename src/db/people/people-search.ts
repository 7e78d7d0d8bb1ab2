import type { Role } from '../../domain/role.ts';
import type { PageRequest } from '../keyset.ts';
import type { Queryable } from '../pool.ts';
import type { Inviter, PersonRecord } from './people.ts';

/** All that helps to tell who a person is. */
export interface KnownPerson extends PersonRecord {
  readonly createdAt: Date;
  /** Null when nobody knows. */
  readonly invitedBy: Inviter | null;
  readonly workspaces: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
  /** Also of those that are not listed. */
  readonly workspaceCount: number;
}

const workspacesMax = 20;

const columns = `p.id, p.name, p.email, p.operator, p.created_at as "createdAt",
  case when p.invited_by_kind is not null then json_build_object('kind', p.invited_by_kind, 'id', p.invited_by_id,
    'name', p.invited_by_name, 'email', p.invited_by_email) end as "invitedBy",
  coalesce((select json_agg(w) from (
    select w.id, w.name, m.role from memberships m join workspaces w on w.id = m.workspace_id
    where m.person_id = p.id order by m.created_at, w.id limit ${workspacesMax}) w), '[]') as workspaces,
  (select count(*) from memberships m where m.person_id = p.id) as "workspaceCount"`;

export async function findKnownPerson(db: Queryable, personId: string): Promise<KnownPerson | null> {
  const { rows } = await db.query(`select ${columns} from people p where p.id = $1`, [personId]);
  return rows[0] ?? null;
}

export interface PeopleFilter {
  /** Part of a name or address, or a whole id. */
  readonly text?: string | undefined;
  readonly operator?: boolean | undefined;
}

export async function listKnownPeople(
  db: Queryable,
  { text, operator }: PeopleFilter,
  { after, limit }: PageRequest,
): Promise<KnownPerson[]> {
  const { rows } = await db.query(
    `select ${columns} from people p
     where ($1::timestamptz is null or (p.created_at, p.id) < ($1, $2::uuid))
       and ($4::text is null or strpos(lower(p.name), lower($4)) > 0 or strpos(p.email, lower($4)) > 0
         or p.id::text = lower($4))
       and ($5::boolean is null or p.operator = $5)
     order by p.created_at desc, p.id desc limit $3`,
    [after?.at, after?.id, limit, text, operator],
  );
  return rows;
}

import type pg from 'pg';
import type { PersonRecord } from './people.ts';
import type { Queryable } from './pool.ts';

/** The owner who made a link, and where he is one. */
export interface OwnerOfWorkspace {
  readonly workspaceId: string;
  readonly ownerId: string;
}

export interface NewPasswordReset {
  readonly personId: string;
  readonly owner: OwnerOfWorkspace | null;
  readonly madeBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface PasswordReset {
  readonly person: PersonRecord;
  /** Null when an operator made the link, or when it was mailed. */
  readonly owner: OwnerOfWorkspace | null;
  readonly madeBy: string;
}

/** Links that have expired go with it. */
export async function insertPasswordReset(
  db: Queryable,
  tokenHash: Buffer,
  { personId, owner, madeBy, createdAt, expiresAt }: NewPasswordReset,
): Promise<void> {
  await db.query('delete from password_resets where expires_at <= $1', [createdAt]);
  await db.query(
    `insert into password_resets (token_hash, person_id, workspace_id, owner_id, made_by, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [tokenHash, personId, owner?.workspaceId, owner?.ownerId, madeBy, createdAt, expiresAt],
  );
}

/** Null when there is no such link, or none any more. */
export async function findPasswordReset(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<PasswordReset | null> {
  const { rows } = await db.query(
    `select p.id, p.name, p.email, p.operator, r.workspace_id as "workspaceId",
       r.owner_id as "ownerId", r.made_by as "madeBy"
     from password_resets r join people p on p.id = r.person_id
     where r.token_hash = $1 and r.expires_at > $2`,
    [tokenHash, now],
  );
  const [found] = rows;
  if (found === undefined) return null;
  const { workspaceId, ownerId, madeBy, ...person } = found;
  return { person, owner: workspaceId === null ? null : { workspaceId, ownerId }, madeBy };
}

/**
 * Locks the person, so that nobody joins a workspace or becomes an operator meanwhile, then finds the link again and uses
 * up all that the person has. Null when somebody was first.
 */
export async function takePasswordReset(
  client: pg.PoolClient,
  personId: string,
  tokenHash: Buffer,
  now: Date,
): Promise<PasswordReset | null> {
  await client.query('select from people where id = $1 for update', [personId]);
  const found = await findPasswordReset(client, tokenHash, now);
  if (found !== null) await client.query('delete from password_resets where person_id = $1', [personId]);
  return found;
}

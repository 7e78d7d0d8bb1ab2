import { sql } from 'kysely';
import type pg from 'pg';
import type { Queryable } from '../pool.ts';
import { firstRow, run } from '../sql.ts';
import type { PersonRecord } from './people.ts';

/** Who created a link, and in which role. The link is valid only while they have that role. */
export type ResetMaker =
  | { readonly kind: 'owner'; readonly workspaceId: string; readonly personId: string }
  | { readonly kind: 'operator'; readonly personId: string }
  | { readonly kind: 'operator_key' }
  /** Requested by email. */
  | { readonly kind: 'self' };

export interface NewPasswordReset {
  readonly personId: string;
  readonly maker: ResetMaker;
  readonly madeBy: string;
  /** True if it goes only to the email address of the person. */
  readonly isMailed: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface PasswordReset {
  readonly person: PersonRecord;
  readonly madeBy: string;
  readonly isMailed: boolean;
}

/**
 * Also deletes expired links, and earlier links of the same creator for the same person. Links requested by email stay,
 * because anyone can request one for anyone.
 */
export async function insertPasswordReset(
  client: pg.PoolClient,
  tokenHash: Buffer,
  { personId, maker, madeBy, isMailed, createdAt, expiresAt }: NewPasswordReset,
): Promise<void> {
  await run(client, sql`delete from password_resets where expires_at <= ${createdAt}`);
  if (maker.kind !== 'self')
    await run(client, sql`delete from password_resets where person_id = ${personId} and made_by = ${madeBy}`);
  const owner = maker.kind === 'owner' ? maker : null;
  const operatorId = maker.kind === 'operator' ? maker.personId : null;
  await run(
    client,
    sql`insert into password_resets
        (token_hash, person_id, workspace_id, owner_id, operator_id, made_by, is_mailed, created_at, expires_at)
      values (${tokenHash}, ${personId}, ${owner?.workspaceId}, ${owner?.personId}, ${operatorId}, ${madeBy},
        ${isMailed}, ${createdAt}, ${expiresAt})`,
  );
}

/**
 * An owner's link is void when they are no longer an owner, or when the person has joined another workspace or become an
 * operator. An operator's link is void when they are no longer an operator, or when the person has become one.
 */
const isStillGood = sql`
  (r.owner_id is null or (not p.operator
    and exists (select from memberships m
      where m.workspace_id = r.workspace_id and m.person_id = r.owner_id and m.role = 'owner')
    and (select array_agg(m.workspace_id) from memberships m where m.person_id = p.id) = array[r.workspace_id]))
  and (r.operator_id is null or (not p.operator
    and exists (select from people o where o.id = r.operator_id and o.operator)))`;

/** Null when there is no such link or it is no longer valid. */
export async function findPasswordReset(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<PasswordReset | null> {
  const found = await firstRow(
    db,
    sql<PersonRecord & Omit<PasswordReset, 'person'>>`
      select p.id, p.name, p.email, p.operator, r.made_by as "madeBy", r.is_mailed as "isMailed"
      from password_resets r join people p on p.id = r.person_id
      where r.token_hash = ${tokenHash} and r.expires_at > ${now} and ${isStillGood}`,
  );
  if (found === null) return null;
  const { madeBy, isMailed, ...person } = found;
  return { person, madeBy, isMailed };
}

/**
 * Locks the person, so that they cannot join a workspace or become an operator, and the role of the link's creator, so that
 * it cannot be removed. Then finds the link again and deletes all links of the person. Null when the link was used up or
 * became void in the meantime.
 */
export async function takePasswordReset(
  client: pg.PoolClient,
  personId: string,
  tokenHash: Buffer,
  now: Date,
): Promise<PasswordReset | null> {
  await run(client, sql`select from people where id = ${personId} for update`);
  await run(
    client,
    sql`select from password_resets r
      join memberships m on m.workspace_id = r.workspace_id and m.person_id = r.owner_id
      where r.token_hash = ${tokenHash} for share of m`,
  );
  await run(
    client,
    sql`select from password_resets r join people o on o.id = r.operator_id
      where r.token_hash = ${tokenHash} for share of o`,
  );
  const found = await findPasswordReset(client, tokenHash, now);
  if (found !== null) await run(client, sql`delete from password_resets where person_id = ${personId}`);
  return found;
}

/** For someone who is no longer an owner of the workspace. */
export async function deletePasswordResetsOfOwner(
  client: pg.PoolClient,
  workspaceId: string,
  ownerId: string,
): Promise<void> {
  await run(
    client,
    sql`delete from password_resets where workspace_id = ${workspaceId} and owner_id = ${ownerId}`,
  );
}

/** For someone who is no longer an operator. */
export async function deletePasswordResetsOfOperator(
  client: pg.PoolClient,
  operatorId: string,
): Promise<void> {
  await run(client, sql`delete from password_resets where operator_id = ${operatorId}`);
}

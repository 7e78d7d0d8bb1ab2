import { sql } from 'kysely';
import type pg from 'pg';
import type { Queryable } from '../pool.ts';
import { firstRow, run } from '../sql.ts';
import type { PersonRecord } from './people.ts';

/** By which right a link was made. A link is good for as long as that right lasts. */
export type ResetMaker =
  | { readonly kind: 'owner'; readonly workspaceId: string; readonly personId: string }
  | { readonly kind: 'operator'; readonly personId: string }
  | { readonly kind: 'operator_key' }
  /** Asked for by mail. */
  | { readonly kind: 'self' };

export interface NewPasswordReset {
  readonly personId: string;
  readonly maker: ResetMaker;
  readonly madeBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface PasswordReset {
  readonly person: PersonRecord;
  readonly madeBy: string;
}

/**
 * Links that have expired go with it, and so do earlier ones of the same maker for the same person. What a person asked
 * for stays: anybody can ask for anybody.
 */
export async function insertPasswordReset(
  client: pg.PoolClient,
  tokenHash: Buffer,
  { personId, maker, madeBy, createdAt, expiresAt }: NewPasswordReset,
): Promise<void> {
  await run(client, sql`delete from password_resets where expires_at <= ${createdAt}`);
  if (maker.kind !== 'self')
    await run(client, sql`delete from password_resets where person_id = ${personId} and made_by = ${madeBy}`);
  const owner = maker.kind === 'owner' ? maker : null;
  const operatorId = maker.kind === 'operator' ? maker.personId : null;
  await run(
    client,
    sql`insert into password_resets
        (token_hash, person_id, workspace_id, owner_id, operator_id, made_by, created_at, expires_at)
      values (${tokenHash}, ${personId}, ${owner?.workspaceId}, ${owner?.personId}, ${operatorId}, ${madeBy},
        ${createdAt}, ${expiresAt})`,
  );
}

/**
 * What an owner made is void once they are none, or once the account opens more than their own workspace. What an
 * operator made is void once they are none, or once the person is one.
 */
const isStillGood = sql`
  (r.owner_id is null or (not p.operator
    and exists (select from memberships m
      where m.workspace_id = r.workspace_id and m.person_id = r.owner_id and m.role = 'owner')
    and (select array_agg(m.workspace_id) from memberships m where m.person_id = p.id) = array[r.workspace_id]))
  and (r.operator_id is null or (not p.operator
    and exists (select from people o where o.id = r.operator_id and o.operator)))`;

/** Null when there is no such link, or none any more. */
export async function findPasswordReset(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<PasswordReset | null> {
  const found = await firstRow(
    db,
    sql<PersonRecord & Pick<PasswordReset, 'madeBy'>>`
      select p.id, p.name, p.email, p.operator, r.made_by as "madeBy"
      from password_resets r join people p on p.id = r.person_id
      where r.token_hash = ${tokenHash} and r.expires_at > ${now} and ${isStillGood}`,
  );
  if (found === null) return null;
  const { madeBy, ...person } = found;
  return { person, madeBy };
}

/**
 * Locks the person, so that nobody joins a workspace or becomes an operator meanwhile, and whatever the right of the
 * link's maker rests on, so that nobody takes it away; then finds the link again and uses up all that the person has.
 * Null when somebody was first.
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

/** For somebody who is no longer an owner of the workspace. */
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

/** For somebody who is no longer an operator. */
export async function deletePasswordResetsOfOperator(
  client: pg.PoolClient,
  operatorId: string,
): Promise<void> {
  await run(client, sql`delete from password_resets where operator_id = ${operatorId}`);
}

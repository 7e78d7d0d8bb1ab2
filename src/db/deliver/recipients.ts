import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { type RecipientFacts, receives, recipientStatus } from '../../domain/destination/kind/recipient.ts';
import type { Queryable } from '../pool.ts';
import { changedBy, firstRow, rowsOf, run } from '../sql.ts';
import type { EmailRecipient, Recipient } from './deliver-database.ts';

export interface RecipientRecord extends Recipient, RecipientFacts {
  readonly destinationId: string;
  readonly addedAt: Date;
  readonly askedAt: Date | null;
  readonly lastError: string | null;
}

/** Someone who may have a link. */
export interface LinkedRecipient extends RecipientRecord {
  readonly removedAt: Date | null;
  readonly destinationName: string;
  /** What links are derived from. */
  readonly secretCiphertext: Buffer;
  readonly workspaceId: string;
  readonly workspaceName: string;
}

/** An address that someone wants to add. */
export interface WantedRecipient extends RecipientFacts {
  readonly address: string;
  /** True if it is there already. */
  readonly isPresent: boolean;
}

const isMember = (workspaceId: RawBuilder<unknown>, address: RawBuilder<unknown>) => sql`exists (
  select from memberships m join people p on p.id = m.person_id
  where m.workspace_id = ${workspaceId} and lower(p.email) = ${address} and p.email_verified)`;

const columns = sql`r.id, r.destination_id as "destinationId", r.address, r.added_at as "addedAt",
  r.asked_at as "askedAt", r.confirmed_at as "confirmedAt", r.unsubscribed_at as "unsubscribedAt",
  r.last_error as "lastError", ${isMember(sql`d.workspace_id`, sql`r.address`)} as "isMember"`;

/** Without those that an owner removed, in the order in which they were added. */
export async function listRecipients(
  db: Queryable,
  destinationIds: readonly string[],
): Promise<RecipientRecord[]> {
  return rowsOf(
    db,
    sql<RecipientRecord>`
      select ${columns} from destination_recipients r join destinations d on d.id = r.destination_id
      where r.destination_id = any (${destinationIds}::uuid[]) and r.removed_at is null
      order by r.added_at, r.address`,
  );
}

/** Those who get its emails now, or will once they have agreed. */
export async function listReceiving(db: Queryable, destinationId: string): Promise<EmailRecipient[]> {
  const all = await listRecipients(db, [destinationId]);
  return all.flatMap((one) => {
    const status = recipientStatus(one);
    const { id, address } = one;
    return status === 'unsubscribed' ? [] : [{ id, address, receives: receives(status) }];
  });
}

export async function saveRecipientErrors(
  db: Queryable,
  errors: ReadonlyMap<string, string | null>,
): Promise<void> {
  if (errors.size === 0) return;
  await run(
    db,
    sql`
      update destination_recipients r set last_error = e.error
      from unnest(${[...errors.keys()]}::uuid[], ${[...errors.values()]}::text[]) as e (id, error)
      where r.id = e.id and r.last_error is distinct from e.error`,
  );
}

/** What is known about addresses, also about those that were removed. */
export async function readWanted(
  db: Queryable,
  workspaceId: string,
  destinationId: string,
  addresses: readonly string[],
): Promise<WantedRecipient[]> {
  return rowsOf(
    db,
    sql<WantedRecipient>`
      select a.address, r.id is not null and r.removed_at is null as "isPresent", r.confirmed_at as "confirmedAt",
        r.unsubscribed_at as "unsubscribedAt", ${isMember(sql`${workspaceId}`, sql`a.address`)} as "isMember"
      from unnest(${addresses}::text[]) as a (address)
      left join destination_recipients r on r.destination_id = ${destinationId} and r.address = a.address`,
  );
}

/** Exactly these, from now on. Those who stay keep their row as it is. Call under the lock of the destination. */
export async function replaceRecipients(
  client: pg.PoolClient,
  destinationId: string,
  recipients: readonly Recipient[],
  at: Date,
): Promise<void> {
  const ids = recipients.map(({ id }) => id);
  const addresses = recipients.map(({ address }) => address);
  await run(
    client,
    sql`update destination_recipients set removed_at = ${at}
      where destination_id = ${destinationId} and removed_at is null and address <> all (${addresses}::text[])`,
  );
  // What someone who was removed said before still counts.
  await run(
    client,
    sql`insert into destination_recipients as r (id, destination_id, address, added_at)
      select id, ${destinationId}, address, ${at}
      from unnest(${ids}::uuid[], ${addresses}::text[]) as a (id, address)
      on conflict (destination_id, address) do update set removed_at = null, added_at = excluded.added_at,
        last_error = null
      where r.removed_at is not null`,
  );
}

/*
 * Asked, confirmed, unsubscribed: which came last decides. Instances whose clocks differ write them in their order all the
 * same, because none is earlier than the one before it.
 */

/** A new link is about to be sent, which ends earlier ones. Returns its time; null if the recipient was removed. */
export async function markAsked(db: Queryable, recipientId: string, at: Date): Promise<Date | null> {
  const marked = await firstRow(
    db,
    sql<{ readonly askedAt: Date }>`
      update destination_recipients set asked_at = greatest(${at}, unsubscribed_at + interval '1 millisecond')
      where id = ${recipientId} and removed_at is null
      returning asked_at as "askedAt"`,
  );
  return marked?.askedAt ?? null;
}

/** Also someone whom an owner removed. Null if the destination was deleted. */
export async function findLinked(db: Queryable, recipientId: string): Promise<LinkedRecipient | null> {
  return firstRow(
    db,
    sql<LinkedRecipient>`
      select ${columns}, r.removed_at as "removedAt", d.name as "destinationName",
        d.secret_ciphertext as "secretCiphertext", d.workspace_id as "workspaceId", w.name as "workspaceName"
      from destination_recipients r join destinations d on d.id = r.destination_id
        join workspaces w on w.id = d.workspace_id
      where r.id = ${recipientId}`,
  );
}

/** By the link that was sent at `askedAt`. False if it has ended, or was used before. */
export async function confirmRecipient(
  client: pg.PoolClient,
  recipientId: string,
  askedAt: Date,
  at: Date,
): Promise<boolean> {
  const confirmed = await changedBy(
    client,
    sql`update destination_recipients set confirmed_at = greatest(${at}, asked_at)
      where id = ${recipientId} and asked_at = ${askedAt} and removed_at is null
        and (unsubscribed_at is null or unsubscribed_at < ${askedAt})
        and (confirmed_at is null or confirmed_at < ${askedAt})`,
  );
  return confirmed === 1;
}

/** False if they did before, and have not confirmed again since. */
export async function unsubscribeRecipient(
  client: pg.PoolClient,
  recipientId: string,
  at: Date,
): Promise<boolean> {
  const unsubscribed = await changedBy(
    client,
    sql`update destination_recipients set unsubscribed_at = greatest(${at}, confirmed_at)
      where id = ${recipientId} and (unsubscribed_at is null or confirmed_at > unsubscribed_at)`,
  );
  return unsubscribed === 1;
}

import { sql } from 'kysely';
import type pg from 'pg';
import type {
  DestinationStatus,
  DisabledReason,
  SendWhen,
  SubscribableEvent,
} from '../../domain/destination/destination.ts';
import type { Filter } from '../../domain/destination/filter.ts';
import type { KindSettings } from '../../domain/destination/kind/kind-settings.ts';
import type { Mapping } from '../../domain/destination/mapping.ts';
import { comesAfter, type LargePageRequest, type RowsWithinBytes } from '../keyset.ts';
import type { Queryable } from '../pool.ts';
import { changedBy, firstRow, onlyRow, rowsOf, run } from '../sql.ts';
import { rowsWithinBytes, withinBytes } from '../within-bytes.ts';

/** What an owner decides, with the headers encrypted. */
export type DestinationSettings = CommonSettings & KindSettings;

export interface CommonSettings {
  readonly name: string;
  /** Null for all forms. */
  readonly formIds: readonly string[] | null;
  readonly events: readonly SubscribableEvent[];
  readonly filter: Filter;
  readonly mapping: Mapping;
  /** Own headers of a webhook: a JSON object; null without any. */
  readonly headersCiphertext: Buffer | null;
  readonly sendWhen: SendWhen;
  readonly waitMaxSeconds: number;
  readonly perSecond: number;
}

export type DestinationRecord = DestinationSettings & DestinationState;

export interface DestinationState {
  readonly id: string;
  readonly workspaceId: string;
  readonly status: DestinationStatus;
  readonly disabledReason: DisabledReason | null;
  /** What it is depends on the kind: see domain/destination/secrets.ts. */
  readonly secretCiphertext: Buffer;
  readonly previousSecretCiphertext: Buffer | null;
  readonly previousValidUntil: Date | null;
  /** Grows with each change of what an owner decides. */
  readonly version: number;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

interface DestinationHealthRecord {
  readonly consecutiveFailures: number;
  readonly failingSince: Date | null;
  readonly nextProbeAt: Date | null;
  readonly lastError: string | null;
}

export type ListedDestination = DestinationRecord & DestinationHealthRecord;

/** Who changed a destination, and when. */
export interface DestinationChange {
  readonly at: Date;
  readonly by: string;
}

const destinationColumns = sql`d.id, d.workspace_id as "workspaceId", d.name, d.kind, d.status,
  d.disabled_reason as "disabledReason", d.config, d.form_ids::text[] as "formIds", d.events, d.filter, d.mapping,
  d.headers_ciphertext as "headersCiphertext", d.secret_ciphertext as "secretCiphertext",
  d.previous_secret_ciphertext as "previousSecretCiphertext", d.previous_valid_until as "previousValidUntil",
  d.send_when as "sendWhen", d.wait_max_s as "waitMaxSeconds", d.per_second::float8 as "perSecond", d.version,
  d.created_at as "createdAt", d.created_by as "createdBy", d.updated_at as "updatedAt", d.updated_by as "updatedBy"`;

const withHealth = sql`select ${destinationColumns}, h.consecutive_failures as "consecutiveFailures",
    h.failing_since as "failingSince", h.next_probe_at as "nextProbeAt", h.last_error as "lastError"
  from destinations d join destination_health h on h.destination_id = d.id`;

export async function findDestination(
  db: Queryable,
  workspaceId: string,
  destinationId: string,
): Promise<ListedDestination | null> {
  return firstRow(
    db,
    sql<ListedDestination>`${withHealth} where d.workspace_id = ${workspaceId} and d.id = ${destinationId}`,
  );
}

/** Locks the destination until the end of the transaction, so that what is kept of it is what it has now. */
export async function lockDestination(
  client: pg.PoolClient,
  workspaceId: string,
  destinationId: string,
): Promise<DestinationRecord | null> {
  return firstRow(
    client,
    sql<DestinationRecord>`select ${destinationColumns} from destinations d
      where d.workspace_id = ${workspaceId} and d.id = ${destinationId} for update`,
  );
}

export async function listDestinations(
  db: Queryable,
  workspaceId: string,
  { after, limit, bytesMax }: LargePageRequest,
): Promise<RowsWithinBytes<ListedDestination>> {
  const list = sql<ListedDestination>`${withHealth} where d.workspace_id = ${workspaceId}
      and ${comesAfter(after, 'd.created_at', 'd.id')}
    order by d.created_at desc, d.id desc limit ${limit}`;
  const rows = await rowsOf(
    db,
    withinBytes({ list, order: sql`"createdAt" desc, id desc`, column: 'filter', bytesMax }),
  );
  return rowsWithinBytes(rows);
}

/** The names by ID of those that were not deleted. */
export async function findDestinationNames(
  db: Queryable,
  workspaceId: string,
  destinationIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await rowsOf(
    db,
    sql<Pick<DestinationRecord, 'id' | 'name'>>`select id, name from destinations
      where workspace_id = ${workspaceId} and id = any (${destinationIds}::uuid[])`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function listDestinationIds(db: Queryable, workspaceId: string): Promise<string[]> {
  const rows = await rowsOf(
    db,
    sql<Pick<DestinationRecord, 'id'>>`select id from destinations where workspace_id = ${workspaceId}`,
  );
  return rows.map(({ id }) => id);
}

export async function countDestinations(client: pg.PoolClient, workspaceId: string): Promise<number> {
  const { count } = await onlyRow(
    client,
    sql<{ count: number }>`select count(*) as count from destinations where workspace_id = ${workspaceId}`,
  );
  return count;
}

/** With its lease and its health, which every destination has. */
export async function insertDestination(client: pg.PoolClient, record: DestinationRecord): Promise<void> {
  const { id, workspaceId, name, kind, status, formIds, events, sendWhen, waitMaxSeconds, perSecond } =
    record;
  await run(
    client,
    sql`insert into destinations (id, workspace_id, name, kind, status, form_ids, events, filter, mapping, config,
        headers_ciphertext, secret_ciphertext, send_when, wait_max_s, per_second, version, created_at, created_by,
        updated_at, updated_by)
      values (${id}, ${workspaceId}, ${name}, ${kind}, ${status}, ${formIds}::uuid[], ${events}::text[],
        ${JSON.stringify(record.filter)}, ${JSON.stringify(record.mapping)}, ${JSON.stringify(record.config)},
        ${record.headersCiphertext}, ${record.secretCiphertext}, ${sendWhen}, ${waitMaxSeconds}, ${perSecond},
        ${record.version}, ${record.createdAt}, ${record.createdBy}, ${record.updatedAt}, ${record.updatedBy})`,
  );
  await run(client, sql`insert into destination_leases (destination_id) values (${id})`);
  await run(client, sql`insert into destination_health (destination_id) values (${id})`);
}

/** Call under the lock of the destination. */
export async function updateDestination(
  client: pg.PoolClient,
  destinationId: string,
  settings: DestinationSettings & Pick<DestinationState, 'secretCiphertext'>,
  { at, by }: DestinationChange,
): Promise<void> {
  const { name, formIds, events, filter, mapping, sendWhen, waitMaxSeconds, perSecond, secretCiphertext } =
    settings;
  await run(
    client,
    sql`update destinations set name = ${name}, form_ids = ${formIds}::uuid[], events = ${events}::text[],
        filter = ${JSON.stringify(filter)}, mapping = ${JSON.stringify(mapping)},
        config = ${JSON.stringify(settings.config)}, secret_ciphertext = ${secretCiphertext},
        headers_ciphertext = ${settings.headersCiphertext}, send_when = ${sendWhen}, wait_max_s = ${waitMaxSeconds},
        per_second = ${perSecond}, version = version + 1, updated_at = ${at}, updated_by = ${by}
      where id = ${destinationId}`,
  );
}

export async function updateDestinationStatus(
  client: pg.PoolClient,
  destinationId: string,
  status: DestinationStatus,
  disabledReason: DisabledReason | null,
  { at, by }: DestinationChange,
): Promise<void> {
  await run(
    client,
    sql`update destinations set status = ${status}, disabled_reason = ${disabledReason}, version = version + 1,
        updated_at = ${at}, updated_by = ${by}
      where id = ${destinationId}`,
  );
}

/** The secret before becomes the previous one; null ends it immediately. An earlier previous one ends in any case. */
export async function rotateDestinationSecret(
  client: pg.PoolClient,
  destinationId: string,
  {
    ciphertext,
    previousValidUntil,
  }: { readonly ciphertext: Buffer; readonly previousValidUntil: Date | null },
  { at, by }: DestinationChange,
): Promise<void> {
  await run(
    client,
    sql`update destinations set
        previous_secret_ciphertext = case when ${previousValidUntil}::timestamptz is not null then secret_ciphertext end,
        previous_valid_until = ${previousValidUntil}, secret_ciphertext = ${ciphertext}, version = version + 1,
        updated_at = ${at}, updated_by = ${by}
      where id = ${destinationId}`,
  );
}

/** Forgets its failures, so that it is tried again. */
export async function resetHealth(client: pg.PoolClient, destinationId: string): Promise<void> {
  await run(
    client,
    sql`update destination_health set consecutive_failures = 0, opened_at = null, next_probe_at = null,
        failing_since = null, last_error = null
      where destination_id = ${destinationId}`,
  );
}

/** Someone looks for due deliveries at this time, or earlier. */
export async function wakeDestination(db: Queryable, destinationId: string, at: Date): Promise<void> {
  await run(
    db,
    sql`update destination_leases set wake_at = least(wake_at, ${at}::timestamptz)
      where destination_id = ${destinationId}`,
  );
}

/** False when there is no such destination. Its lease and its health go with it. */
export async function deleteDestination(
  db: Queryable,
  workspaceId: string,
  destinationId: string,
): Promise<boolean> {
  const deleted = await changedBy(
    db,
    sql`delete from destinations where workspace_id = ${workspaceId} and id = ${destinationId}`,
  );
  return deleted === 1;
}

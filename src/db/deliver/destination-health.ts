import { sql } from 'kysely';
import type pg from 'pg';
import type { KindSettings } from '../../domain/destination/kind/kind-settings.ts';
import type { DestinationHealth } from '../../domain/destination/retry/circuit.ts';
import { inTransaction, type Queryable } from '../pool.ts';
import { noteLead } from '../relay/outbox.ts';
import { changedBy, firstRow, run } from '../sql.ts';
import type { ChangedHealth, Disabling, SendingDestination, SendingSettings } from './deliver-database.ts';

const healthColumns = sql`coalesce(h.consecutive_failures, 0) as "consecutiveFailures", h.opened_at as "openedAt",
  h.next_probe_at as "nextProbeAt", h.failing_since as "failingSince"`;

type SendingRow = Omit<SendingSettings, 'health'> & KindSettings & DestinationHealth;

/** With what decides whether it can send now. Null when it was deleted. */
export async function findSendingDestination(
  db: Queryable,
  destinationId: string,
): Promise<SendingDestination | null> {
  const row = await firstRow(
    db,
    sql<SendingRow>`
      select d.id, d.workspace_id as "workspaceId", d.name, d.status, s.status <> 'active' as "isSuspended",
        d.kind, d.config, d.form_ids::text[] as "formIds", d.filter, d.mapping,
        d.headers_ciphertext as "headersCiphertext", d.secret_ciphertext as "secretCiphertext",
        d.previous_secret_ciphertext as "previousSecretCiphertext", d.previous_valid_until as "previousValidUntil",
        d.per_second::float8 as "perSecond", d.version, ${healthColumns}
      from destinations d
      join workspaces s on s.id = d.workspace_id
      left join destination_health h on h.destination_id = d.id
      where d.id = ${destinationId}`,
  );
  return row === null ? null : (withHealth(row) as SendingDestination);
}

function withHealth<Row extends DestinationHealth>(row: Row) {
  const { consecutiveFailures, openedAt, nextProbeAt, failingSince, ...destination } = row;
  return { ...destination, health: { consecutiveFailures, openedAt, nextProbeAt, failingSince } };
}

export async function saveHealth(db: Queryable, changed: readonly ChangedHealth[]): Promise<void> {
  const column = <Value>(read: (health: ChangedHealth) => Value) => changed.map(read);
  await run(
    db,
    sql`
      update destination_health h set
        consecutive_failures = c.failures, opened_at = c.opened_at, next_probe_at = c.next_probe_at,
        failing_since = c.failing_since, last_error = c.last_error
      from unnest(
        ${column(({ destinationId }) => destinationId)}::uuid[], ${column(({ version }) => version)}::integer[],
        ${column(({ consecutiveFailures }) => consecutiveFailures)}::integer[],
        ${column(({ openedAt }) => openedAt)}::timestamptz[],
        ${column(({ nextProbeAt }) => nextProbeAt)}::timestamptz[],
        ${column(({ failingSince }) => failingSince)}::timestamptz[],
        ${column(({ lastError }) => lastError)}::text[]
      ) as c (destination_id, version, failures, opened_at, next_probe_at, failing_since, last_error)
      join destinations d on d.id = c.destination_id and d.version = c.version
      where h.destination_id = d.id`,
  );
}

/** Only the version that failed: an owner may have changed it in the meantime. The event tells other destinations. */
export async function disableDestination(
  pool: pg.Pool,
  { destination: { id, workspaceId, name, version }, reason, at }: Disabling,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const disabled = await changedBy(
      client,
      sql`
        update destinations set status = 'disabled', disabled_reason = ${reason}
        where id = ${id} and version = ${version} and status = 'active'`,
    );
    if (disabled === 0) return false;
    const data = { id, name, reason };
    await noteLead(client, workspaceId, null, { type: 'destination.disabled', at, data });
    return true;
  });
}

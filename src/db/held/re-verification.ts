import { sql } from 'kysely';
import type pg from 'pg';
import type { HeldClass } from '../../domain/held/held-class.ts';
import { shardOf } from '../../domain/workspace.ts';
import { dayMs } from '../../time/clock.ts';
import { holdOffErasures } from '../leads/lead-erasures.ts';
import { inTransaction, type Queryable } from '../pool.ts';
import { inWorkspace } from '../sharded.ts';
import { onlyRow, rowsOf, run } from '../sql.ts';
import { lockHeldRows } from './decisions/held-rows.ts';
import { addUsage, freedBy, lockUsage, usageOf } from './held-usage.ts';
import { UsageBook } from './usage-book.ts';

export interface UnprovenRow {
  readonly workspaceId: string;
  readonly id: string;
  readonly sealed: Buffer;
}

/** A page of the requests to a form whose sender is not proven, in the order of their ids. */
export async function listUnproven(
  db: Queryable,
  workspaceId: string,
  formId: string,
  { afterId, now, limit }: { readonly afterId: string | null; readonly now: Date; readonly limit: number },
): Promise<UnprovenRow[]> {
  const isAfter = afterId === null ? sql`` : sql`and id > ${afterId}`;
  return rowsOf(
    db,
    sql<UnprovenRow>`
      select workspace_id as "workspaceId", id, sealed from held_submissions
      where ${inWorkspace(workspaceId)} and form_id = ${formId} and class = 'D' and state = 'held'
        and sealed is not null and expires_at > ${now} ${isAfter}
      order by id limit ${limit}`,
  );
}

/** A request whose signature is right with a secret of its form. */
export interface ProvenRequest {
  readonly id: string;
  readonly class: Extract<HeldClass, 'A' | 'C'>;
  readonly sentAt: Date;
  readonly bodyBytes: number;
}

/**
 * From now on they are kept like those whose sender was proven on arrival, for as long and in the same room. If that is full,
 * the rest stay as they are.
 */
export async function markProven(
  pool: pg.Pool,
  workspaceId: string,
  proven: readonly ProvenRequest[],
  now: Date,
): Promise<void> {
  if (proven.length === 0) return;
  await inTransaction(pool, async (client) => {
    await holdOffErasures(client, workspaceId);
    // Before the days are read: whoever sets fewer has it, too.
    await lockUsage(client, [workspaceId]);
    const { days } = await onlyRow(
      client,
      sql<{ days: number }>`select held_days as days from workspaces where id = ${workspaceId}`,
    );
    const shard = shardOf(workspaceId);
    const book = new UsageBook(await usageOf(client, [shard], [workspaceId]), unlimited);
    const ids = proven.map(({ id }) => id);
    const rows = await lockHeldRows(client, workspaceId, ids, now);
    const moved = rows.filter(
      (row) =>
        row.class === 'D' &&
        row.state === 'held' &&
        book.take({ ...row, shard, workspaceId, class: 'A', sealed: { length: row.bytes ?? 0 } }),
    );
    const changes = moved.flatMap((row) => {
      const freed = freedBy(workspaceId, row);
      return [freed, { ...freed, isProven: true, rows: 1, bytes: -freed.bytes }];
    });
    await addUsage(client, changes);
    const facts = new Map(proven.map((one) => [one.id, one]));
    for (const { id, receivedAt } of moved) {
      const expiresAt = new Date(receivedAt.getTime() + days * dayMs);
      await markOne(client, workspaceId, facts.get(id) as ProvenRequest, expiresAt, now);
    }
  });
}

// There are at most 200 of a workspace: little of what all may use together.
const unlimited = {
  provenBytes: 0,
  provenBytesMax: Number.POSITIVE_INFINITY,
  unprovenBytes: 0,
  unprovenBytesMax: Number.POSITIVE_INFINITY,
};

async function markOne(
  client: pg.PoolClient,
  workspaceId: string,
  { id, class: heldClass, sentAt, bodyBytes }: ProvenRequest,
  expiresAt: Date,
  now: Date,
): Promise<void> {
  await run(
    client,
    sql`
      update held_submissions set class = ${heldClass}, verified_at = ${now}, sent_at = ${sentAt},
        body_bytes = ${bodyBytes}, expires_at = ${expiresAt}
      where ${inWorkspace(workspaceId)} and id = ${id}`,
  );
}

/** How many requests to a form are held that were proven this way. */
export async function countVerified(
  db: Queryable,
  workspaceId: string,
  formId: string,
  now: Date,
): Promise<number> {
  const { count } = await onlyRow(
    db,
    sql<{ count: number }>`
      select count(*) as count from held_submissions
      where ${inWorkspace(workspaceId)} and form_id = ${formId} and state = 'held' and verified_at is not null
        and expires_at > ${now}`,
  );
  return count;
}

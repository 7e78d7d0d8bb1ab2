import { type RawBuilder, sql } from 'kysely';
import { firstDeliveryId } from '../../domain/destination/delivery-id.ts';
import { type DeliveryState, deliveryStates, type EventType } from '../../domain/destination/destination.ts';
import type { PageRequest } from '../keyset.ts';
import type { Queryable } from '../pool.ts';
import { inWorkspace } from '../sharded.ts';
import { allOf, firstRow, rowsOf } from '../sql.ts';

export interface DeliveryRecord {
  readonly id: string;
  readonly destinationId: string;
  /** The number of the event. */
  readonly eventId: number;
  readonly eventType: EventType;
  readonly eventAt: Date;
  readonly eventData: Readonly<Record<string, unknown>> | null;
  readonly submissionId: string | null;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly nextAt: Date;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly lastMs: number | null;
  readonly createdAt: Date;
  readonly deliveredAt: Date | null;
  readonly replayOf: string | null;
}

/** Which deliveries of a workspace. */
export interface DeliverySelection {
  readonly destinationId?: string | undefined;
  readonly state?: DeliveryState | undefined;
  /** Created at this time or later. */
  readonly from?: Date | undefined;
  /** Created before this time. */
  readonly to?: Date | undefined;
}

export interface DeliveryFilter extends DeliverySelection {
  readonly submissionId?: string | undefined;
}

export interface OrderedBy {
  readonly direction: 'asc' | 'desc';
  readonly limit: number;
  /** Conditions that read other rows: checked in this order, one delivery after the other, until there are enough. */
  readonly checks?: readonly RawBuilder<unknown>[];
}

const columns = sql`id, destination_id as "destinationId", event_id as "eventId", event_type as "eventType",
  event_at as "eventAt", event_data as "eventData", submission_id as "submissionId", state, attempts,
  next_at as "nextAt", last_status as "lastStatus", last_error as "lastError", last_ms as "lastMs",
  created_at as "createdAt", delivered_at as "deliveredAt", replay_of as "replayOf"`;

/** Newest first. */
export async function listDeliveries(
  db: Queryable,
  workspaceId: string,
  { submissionId, ...selection }: DeliveryFilter,
  { after, limit }: PageRequest,
): Promise<DeliveryRecord[]> {
  const isAfter = after === null ? [] : [sql`id < ${after.id}`];
  const order = { direction: 'desc', limit } as const;
  const chosen =
    submissionId === undefined
      ? selectedDeliveries(workspaceId, selection, isAfter, order)
      : ofLead(workspaceId, submissionId, selection, isAfter, order);
  return rowsOf(db, sql<DeliveryRecord>`select ${columns} from (${chosen}) as deliveries order by id desc`);
}

/**
 * The first deliveries of a selection that meet the conditions, in the order of their IDs. The index of a destination is by
 * state, so each state is read by itself: however many deliveries are in the others, they are not looked at.
 */
export function selectedDeliveries(
  workspaceId: string,
  selection: DeliverySelection,
  conditions: readonly RawBuilder<unknown>[],
  order: OrderedBy,
): RawBuilder<unknown> {
  const { destinationId, state } = selection;
  const all = [...rangeConditions(workspaceId, selection), ...conditions];
  if (destinationId !== undefined) all.push(sql`destination_id = ${destinationId}`);
  if (state === undefined && destinationId === undefined) return ordered(all, order);
  const states = state === undefined ? deliveryStates : [state];
  const parts = states.map((one) => sql`(${ordered([...all, sql`state = ${one}`], order)})`);
  return inOrder(sql`select * from (${sql.join(parts, sql` union all `)}) as deliveries`, order);
}

/** A lead has few deliveries, so all of them are read. */
function ofLead(
  workspaceId: string,
  submissionId: string,
  { destinationId, state, ...range }: DeliverySelection,
  conditions: readonly RawBuilder<unknown>[],
  order: OrderedBy,
): RawBuilder<unknown> {
  const all = [...rangeConditions(workspaceId, range), sql`submission_id = ${submissionId}`, ...conditions];
  if (destinationId !== undefined) all.push(sql`destination_id = ${destinationId}`);
  if (state !== undefined) all.push(sql`state = ${state}`);
  return ordered(all, order);
}

function rangeConditions(workspaceId: string, { from, to }: DeliverySelection): RawBuilder<unknown>[] {
  return [
    inWorkspace(workspaceId),
    ...(from === undefined ? [] : [sql`id >= ${firstDeliveryId(from)}`]),
    ...(to === undefined ? [] : [sql`id < ${firstDeliveryId(to)}`]),
  ];
}

function ordered(conditions: readonly RawBuilder<unknown>[], order: OrderedBy): RawBuilder<unknown> {
  const rows = sql`select * from deliveries where ${allOf(conditions)}`;
  if (order.checks === undefined) return inOrder(rows, order);
  // PostgreSQL takes every check for one that hardly any row passes, and would read and sort all of them.
  return sql`
    select * from (${rows} order by id ${directionOf(order)} offset 0) as deliveries
    where ${allOf(order.checks)} limit ${order.limit}`;
}

function inOrder(rows: RawBuilder<unknown>, order: OrderedBy): RawBuilder<unknown> {
  return sql`${rows} order by id ${directionOf(order)} limit ${order.limit}`;
}

function directionOf({ direction }: OrderedBy): RawBuilder<unknown> {
  return direction === 'asc' ? sql`asc` : sql`desc`;
}

export async function findDelivery(
  db: Queryable,
  workspaceId: string,
  deliveryId: string,
): Promise<DeliveryRecord | null> {
  return firstRow(
    db,
    sql<DeliveryRecord>`select ${columns} from deliveries where ${inWorkspace(workspaceId)} and id = ${deliveryId}`,
  );
}

export interface AttemptRecord {
  readonly n: number;
  readonly at: Date;
  readonly ms: number;
  readonly status: number | null;
  readonly error: string | null;
  /** Encrypted. */
  readonly responseHead: Buffer | null;
}

/** Oldest first. */
export async function listAttempts(
  db: Queryable,
  workspaceId: string,
  deliveryId: string,
): Promise<AttemptRecord[]> {
  return rowsOf(
    db,
    sql<AttemptRecord>`select n, at, ms, status, error, response_head as "responseHead" from delivery_attempts
      where ${inWorkspace(workspaceId)} and delivery_id = ${deliveryId} order by n`,
  );
}

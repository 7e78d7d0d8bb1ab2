import type { Tables } from '../../simulate/database/tables.ts';

type Row = readonly unknown[];

export interface DeliverTableRows {
  readonly leases: Row[];
  readonly destinations: Row[];
  readonly health: Row[];
  readonly events: Row[];
  readonly counters: Row[];
  readonly deliveries: Row[];
  readonly attempts: Row[];
  readonly outbox: Row[];
}

/** Deliveries of the same event to the same destination, in the order of their ids. */
export function namedDeliveries({ deliver }: Tables) {
  const groups = Map.groupBy(
    deliver.deliveries.values(),
    (row) => `${row.destinationId} ${row.event.number}`,
  );
  return [...groups.values()].flatMap((rows) =>
    rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((row, i) => ({ ...row, n: i + 1 })),
  );
}

/** The rows of the model, with columns in the order in which RealDeliver reads them. */
export function deliverRowsOf(tables: Tables): DeliverTableRows {
  const { deliver } = tables;
  const named = namedDeliveries(tables);
  const nameOf = new Map(named.map((row) => [row.id, [row.destinationId, row.event.number, row.n]]));
  return {
    leases: [...deliver.leases].map(([id, l]) => [id, l.instanceId, l.until, l.wakeAt, l.digestAt]),
    destinations: [...deliver.destinations.values()].map((d) => [
      d.id,
      d.status,
      d.disabledReason,
      d.version,
    ]),
    health: [...deliver.health].map(([id, h]) => [
      ...[id, h.consecutiveFailures, h.openedAt, h.nextProbeAt, h.failingSince, h.lastError],
    ]),
    events: deliver.events.map((e) => [e.workspaceId, e.number, e.type, e.submissionId, e.at, e.data]),
    counters: [...deliver.counters],
    deliveries: named.map((d) => [
      ...[d.destinationId, d.event.number, d.n, d.event.type, d.event.submissionId, d.state, d.attempts],
      ...[d.nextAt, d.lastStatus, d.lastErrorClass, d.replayOf !== null, d.replayId],
      ...[d.deliveredAt, d.sentTo.length === 0 ? null : d.sentTo.join(' ')],
    ]),
    attempts: [...deliver.attempts.values()].map((a) => [...(nameOf.get(a.deliveryId) ?? []), a.n, a.status]),
    outbox: tables.outbox.map((o) => [o.type, o.at, o.workspaceIds, o.submissionIds, o.data]),
  };
}

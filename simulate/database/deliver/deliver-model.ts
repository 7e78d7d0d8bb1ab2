import type {
  ChangedHealth,
  Claim,
  DeliveryOutcome,
  DestinationRef,
  Disabling,
  DueDeliveries,
  DueDelivery,
  DueQuery,
  Release,
  SendingDestination,
  WaitingDestination,
} from '../../../src/db/deliver/deliver-database.ts';
import { isAlarmEvent } from '../../../src/domain/destination/alarm/alarm-event.ts';
import type { LeadFacts } from '../../../src/domain/destination/lead-facts.ts';
import { shardOf } from '../../../src/domain/workspace.ts';
import type { Tables } from '../tables.ts';
import { type LeadRow, uuidText } from '../workspace-rows.ts';
import { type DeliveryRow, type LeaseRow, leadName } from './deliver-rows.ts';

type Lease = readonly [id: string, row: LeaseRow];

/** claimDestinations of src/db/deliver/destination-leases.ts. */
export function claimDestinations(
  { deliver: { leases, destinations } }: Tables,
  { instanceId, now, until, countMax, isFull }: Claim,
): DestinationRef[] {
  const at = now.getTime();
  const isOwn = (row: LeaseRow) => row.instanceId === instanceId;
  const isFree = (row: LeaseRow) =>
    isFull
      ? row.wakeAt <= at && isOwn(row)
      : (row.wakeAt <= at && (row.until <= at || isOwn(row))) || (row.instanceId !== null && row.until <= at);
  const free = [...leases].filter(([, row]: Lease) => isFree(row)).toSorted(([, a], [, b]) => byWake(a, b));
  return free.slice(0, countMax).map(([id]) => {
    const lease = { instanceId, until: until.getTime(), wakeAt: Number.POSITIVE_INFINITY };
    leases.set(id, { ...lease, digestAt: null });
    return { id, workspaceId: destinations.get(id)?.workspaceId as string };
  });
}

function byWake(a: LeaseRow, b: LeaseRow): number {
  return a.wakeAt === b.wakeAt ? 0 : a.wakeAt - b.wakeAt;
}

export function renewLeases(
  { deliver: { leases } }: Tables,
  instanceId: string,
  ids: readonly string[],
  until: Date,
): string[] {
  return ids.filter((id) => {
    const row = leases.get(id);
    if (row?.instanceId !== instanceId) return false;
    leases.set(id, { ...row, until: until.getTime() });
    return true;
  });
}

export function releaseLeases(
  { deliver: { leases } }: Tables,
  instanceId: string,
  releases: readonly Release[],
): void {
  for (const { destinationId: id, freeAt, wakeAt: next, digestAt } of releases) {
    const row = leases.get(id);
    if (row?.instanceId !== instanceId) continue;
    const wakeAt = Math.min(row.wakeAt, next?.getTime() ?? Number.POSITIVE_INFINITY);
    const until = freeAt.getTime();
    leases.set(id, { instanceId: null, until, wakeAt, digestAt: digestAt?.getTime() ?? null });
  }
}

/** listWaiting of src/db/deliver/due-deliveries.ts. Null for all shards. */
export function listWaiting({ deliver }: Tables, shard: number | null): WaitingDestination[] {
  const pending = [...deliver.deliveries.values()].filter(
    ({ state, workspaceId }) => state === 'pending' && (shard === null || shardOf(workspaceId) === shard),
  );
  return [...Map.groupBy(pending, ({ destinationId }) => destinationId)].map(([id, rows]) => ({
    id,
    workspaceId: rows[0]?.workspaceId as string,
    dueAt: firstAt(rows) as Date,
    alarmAt: firstAt(rows.filter(isAlarm)),
  }));
}

function firstAt(rows: readonly DeliveryRow[]): Date | null {
  return rows.length === 0 ? null : new Date(Math.min(...rows.map(({ nextAt }) => nextAt)));
}

function isAlarm({ event }: DeliveryRow): boolean {
  return isAlarmEvent(event.type);
}

/** Of src/db/deliver/destination-leases.ts. */
export function wakeForgotten(
  { deliver: { destinations, health, leases } }: Tables,
  waiting: readonly WaitingDestination[],
  now: Date,
): void {
  for (const { id, dueAt, alarmAt } of waiting) {
    const row = leases.get(id);
    if (row === undefined || destinations.get(id)?.status !== 'active') continue;
    const probeAt = health.get(id)?.nextProbeAt?.getTime() ?? 0;
    const collectedAt = Math.max(dueAt.getTime(), row.digestAt ?? 0);
    const wakeAt = Math.max(Math.min(collectedAt, alarmAt?.getTime() ?? collectedAt), probeAt);
    if (row.wakeAt > wakeAt && (row.instanceId === null || row.until <= now.getTime()))
      leases.set(id, { ...row, wakeAt });
  }
}

export function findSendingDestination({ deliver }: Tables, id: string): SendingDestination | null {
  const row = deliver.destinations.get(id);
  const known = deliver.health.get(id);
  if (row === undefined || known === undefined) return null;
  const { lastError: _, ...health } = known;
  return { ...row, isSuspended: false, health };
}

/** Of src/db/deliver/due-deliveries.ts. */
export function readDueDeliveries(
  tables: Tables,
  { id, workspaceId }: DestinationRef,
  { now, limit, except }: DueQuery,
): DueDeliveries {
  const left = tables.deliver.pendingOf(id).filter((row) => !except.includes(row.id));
  const alarms = left.filter(isAlarm).slice(0, limit);
  const others = left.filter((row) => !isAlarm(row));
  const live = others.filter(({ replayOf }) => replayOf === null).slice(0, limit);
  const again = others.filter(({ replayOf }) => replayOf !== null).slice(0, limit);
  const read = [...alarms, ...live, ...again];
  const later = read.map(({ nextAt }) => nextAt).filter((nextAt) => nextAt > now.getTime());
  const due = read.filter(({ nextAt }) => nextAt <= now.getTime()).slice(0, limit);
  return {
    due: due.map((row) => dueOf(row, leadOf(tables, workspaceId, row.event.submissionId))),
    nextAt: later.length === 0 ? null : new Date(Math.min(...later)),
  };
}

function dueOf({ id, event, attempts, nextAt, sentTo }: DeliveryRow, lead: LeadRow | null): DueDelivery {
  const { number, type, at, data, submissionId } = event;
  return {
    ...{ id, eventNumber: number, eventType: type, eventAt: at, eventData: data, submissionId, attempts },
    nextAt: new Date(nextAt),
    leadBytes: lead?.body.length ?? null,
    sentTo,
  };
}

export function countDelivered(
  { deliver }: Tables,
  { id }: DestinationRef,
  since: Date,
  countMax: number,
): number {
  const rows = [...deliver.deliveries.values()].filter((row) => row.destinationId === id);
  const delivered = rows
    .filter(({ state }) => state === 'delivered')
    .toSorted((a, b) => (a.id > b.id ? -1 : 1))
    .slice(0, countMax)
    .filter(({ deliveredAt }) => deliveredAt !== null && deliveredAt > since.getTime());
  const partly = rows.filter(
    ({ state, nextAt, attempts, sentTo }) =>
      state === 'pending' && nextAt > since.getTime() && attempts <= 3 && sentTo.length > 0,
  );
  const isOfReplay = (isReplay: boolean) => (row: DeliveryRow) => (row.replayOf !== null) === isReplay;
  const counts = [false, true].map((isReplay) => partly.filter(isOfReplay(isReplay)).length);
  return counts.reduce((sum, count) => sum + Math.min(count, countMax), delivered.length);
}

export function leadOf(tables: Tables, workspaceId: string, submissionId: string | null): LeadRow | null {
  const rows = tables.workspaces().find(({ id }) => id === workspaceId);
  return rows?.leads.get(submissionId ?? '') ?? null;
}

/** Of src/db/deliver/lead-facts.ts, for leads without enrichment data. */
export function readLeadFacts(
  tables: Tables,
  workspaceId: string,
  submissionIds: readonly string[],
): LeadFacts[] {
  return submissionIds.flatMap((submissionId) => {
    const lead = leadOf(tables, workspaceId, submissionId);
    return lead === null ? [] : factsOf(tables, lead);
  });
}

export function factsOf({ deliver }: Tables, lead: LeadRow): LeadFacts {
  const { workspaceId, submissionId, surface, score, projection } = lead;
  const id = uuidText(lead.formId);
  return {
    ...{ workspaceId, submissionId, surface, verdict: score.verdict, score: score.score, grade: score.grade },
    formId: id,
    form: { id, slug: 'form', name: 'Form' },
    receivedAt: new Date(lead.receivedAt),
    fields: projection.toString(),
    enrichment: null,
    isEnriched: score.verdict !== 'clean' || deliver.enriched.has(leadName(workspaceId, submissionId)),
    reasons: '[]',
    isTest: false,
  };
}

/** Of src/db/deliver/delivery-outcomes.ts. */
export function writeOutcomes({ deliver }: Tables, outcomes: readonly DeliveryOutcome[]): void {
  for (const outcome of outcomes) {
    const { deliveryId, attempt, status, errorClass, state, nextAt, sentTo } = outcome;
    const row = deliver.deliveries.get(deliveryId);
    if (row === undefined || !isStillOpen(row, outcome)) continue;
    const attempts = row.attempts + (attempt === null ? 0 : 1);
    deliver.change(deliveryId, {
      state,
      attempts,
      nextAt: state === 'dead' ? outcome.at.getTime() : (nextAt?.getTime() ?? row.nextAt),
      lastStatus: attempt === null ? row.lastStatus : status,
      lastErrorClass: errorClass,
      deliveredAt: state === 'delivered' ? outcome.at.getTime() : null,
      sentTo: sentTo.length === 0 ? row.sentTo : sentTo,
    });
    if (attempt !== null)
      deliver.attempts.set(`${deliveryId} ${attempts}`, { deliveryId, n: attempts, status });
  }
}

function isStillOpen(row: DeliveryRow, { state, attemptsBefore }: DeliveryOutcome): boolean {
  if (row.state === 'pending' && row.attempts === attemptsBefore) return true;
  return state === 'delivered' && ['pending', 'dead', 'skipped'].includes(row.state);
}

export function cancelPending({ deliver }: Tables, { id }: DestinationRef): void {
  for (const row of deliver.pendingOf(id)) deliver.change(row.id, { state: 'cancelled' });
}

/** Of src/db/deliver/destination-health.ts. */
export function saveHealth({ deliver }: Tables, changed: readonly ChangedHealth[]): void {
  const { destinations, health } = deliver;
  for (const { destinationId, version, ...row } of changed) {
    if (destinations.get(destinationId)?.version === version) health.set(destinationId, row);
  }
}

export function disableDestination(tables: Tables, { destination, reason, at }: Disabling): boolean {
  const { id, workspaceId, name, version } = destination;
  const row = tables.deliver.destinations.get(id);
  if (row === undefined || row.version !== version || row.status !== 'active') return false;
  tables.deliver.changeDestination(id, { status: 'disabled', disabledReason: reason });
  tables.noteOne(workspaceId, null, 'destination.disabled', at.getTime(), { id, name, reason });
  return true;
}

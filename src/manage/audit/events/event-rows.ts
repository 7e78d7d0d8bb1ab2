import { hash } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type AuditRecord, countEvent } from '../../../db/workspaces/audit-log.ts';
import { listWorkspacesOf } from '../../../db/workspaces/memberships.ts';
import type { CountedEvent } from './event-counters.ts';
import { isOfStranger, type SecurityEvent } from './security-event.ts';

/** A log line. */
export function tellEvent(log: Logger, { event, network, count }: CountedEvent): void {
  const { kind, person, apiKey, operation, workspaceId } = event;
  const address = network === null ? undefined : event.address || undefined;
  const who = { person_id: person?.id, api_key_id: apiKey?.id };
  const facts = { event: kind, ...who, address, workspace_id: workspaceId, operation, count };
  log.info(facts, 'security event');
}

/** A row for each audit log in which it appears. */
export async function keepEvent(pool: pg.Pool, counted: CountedEvent): Promise<void> {
  for (const place of await placesOf(pool, counted.event)) {
    await countEvent(pool, recordOf(counted, place));
  }
}

/** Null is the operator log. Owners do not see attempts by people outside their workspace; operators do. */
async function placesOf(
  pool: pg.Pool,
  { kind, person, workspaceId }: SecurityEvent,
): Promise<(string | null)[]> {
  if (kind === 'accessRefused') return [workspaceId ?? null];
  if (person === undefined) return [null];
  const workspaces = (await listWorkspacesOf(pool, person.id)).map(({ id }) => id);
  return workspaces.length === 0 || person.operator === true ? [...workspaces, null] : workspaces;
}

function recordOf(counted: CountedEvent, place: string | null): AuditRecord {
  const { event, network, firstAt, hourAt, count } = counted;
  const { kind, person, apiKey, operation } = event;
  return {
    id: uuidOf([kind, place, network, person?.id ?? apiKey?.id, operation, hourAt]),
    workspaceId: place,
    at: new Date(firstAt),
    ...actorOf(event),
    action: kind,
    target: person === undefined ? {} : { person_id: person.id },
    changes: operation === undefined ? {} : { operation },
    completed: true,
    byOperator: place === null,
    address: network === null ? null : event.address || null,
    times: count,
  };
}

function actorOf({
  kind,
  person,
  apiKey,
}: SecurityEvent): Pick<AuditRecord, 'actorKind' | 'actorId' | 'actorName'> {
  if (apiKey !== undefined) return { actorKind: 'api_key', actorId: apiKey.id, actorName: apiKey.name };
  if (person === undefined || isOfStranger(kind))
    return { actorKind: 'nobody', actorId: null, actorName: 'nobody' };
  return { actorKind: 'person', actorId: person.id, actorName: person.email };
}

/** Deterministic, so that instances and repeated writes count in one row. */
function uuidOf(parts: readonly unknown[]): string {
  const hex = hash('sha256', JSON.stringify(parts), 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

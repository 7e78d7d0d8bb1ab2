import { countMax } from '../../contract/destinations/destination.ts';
import type { Destination } from '../../contract/destinations/destinations.ts';
import { type DestinationDay, readDestinationDays } from '../../db/deliver/destination-days.ts';
import { findDestination, type ListedDestination } from '../../db/deliver/destinations.ts';
import { notFound } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';

/** A destination with what became of its deliveries. */
export type CountedDestination = ListedDestination & { readonly day: DestinationDay };

type ViewDeps = Pick<ManagementDeps, 'pool' | 'clock'>;

export async function withDays(
  { pool, clock }: ViewDeps,
  workspaceId: string,
  destinations: readonly ListedDestination[],
): Promise<CountedDestination[]> {
  const ids = destinations.map(({ id }) => id);
  const options = { now: new Date(clock.now()), countMax };
  const days = await readDestinationDays(pool, workspaceId, ids, options);
  return destinations.map((destination) => ({
    ...destination,
    day: days.get(destination.id) as DestinationDay,
  }));
}

export async function readDestination(
  deps: ViewDeps,
  workspaceId: string,
  destinationId: string,
): Promise<Destination> {
  const found = await findDestination(deps.pool, workspaceId, destinationId);
  if (found === null) throw notFound('destination');
  const [counted] = await withDays(deps, workspaceId, [found]);
  return viewDestination(counted as CountedDestination, deps.clock.now());
}

/** Without secrets, and without the values of headers. */
export function viewDestination(record: CountedDestination, now: number): Destination {
  const { id, name, kind, status, url, format, filter, mapping, version, day } = record;
  const { previousValidUntil } = record;
  const isRotating = previousValidUntil !== null && previousValidUntil.getTime() > now;
  return {
    id,
    name,
    kind,
    status,
    disabled_reason: record.disabledReason,
    url,
    form_ids: record.formIds === null ? null : [...record.formIds],
    events: [...record.events],
    filter,
    mapping,
    format,
    headers: [...record.headerNames],
    send_when: record.sendWhen,
    wait_max_s: record.waitMaxSeconds,
    per_second: record.perSecond,
    previous_secret_valid_until: isRotating ? previousValidUntil.toISOString() : null,
    version,
    created_at: record.createdAt.toISOString(),
    created_by: record.createdBy,
    updated_at: record.updatedAt.toISOString(),
    updated_by: record.updatedBy,
    last_day: {
      delivered: day.delivered,
      waiting: day.waiting,
      dead: day.dead,
      oldest_waiting_at: day.oldestWaitingAt?.toISOString() ?? null,
      p95_ms: day.p95Ms,
    },
    health: {
      consecutive_failures: record.consecutiveFailures,
      failing_since: record.failingSince?.toISOString() ?? null,
      next_probe_at: record.nextProbeAt?.toISOString() ?? null,
      last_error: record.lastError,
    },
  };
}

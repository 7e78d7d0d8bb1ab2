import type { z } from 'zod';
import { countMax, type recipient as recipientShape } from '../../contract/destinations/destination.ts';
import type { Destination } from '../../contract/destinations/destinations.ts';
import { type DestinationDay, readDestinationDays } from '../../db/deliver/destination-days.ts';
import { findDestination, type ListedDestination } from '../../db/deliver/destinations.ts';
import { listRecipients, type RecipientRecord } from '../../db/deliver/recipients.ts';
import { recipientStatus } from '../../domain/destination/kind/recipient.ts';
import { notFound } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';

/** A destination with what became of its deliveries, and who gets its emails. */
export type CountedDestination = ListedDestination & {
  readonly day: DestinationDay;
  readonly recipients: readonly RecipientRecord[];
};

type ViewDeps = Pick<ManagementDeps, 'pool' | 'clock'>;

export async function withDays(
  { pool, clock }: ViewDeps,
  workspaceId: string,
  destinations: readonly ListedDestination[],
): Promise<CountedDestination[]> {
  const ids = destinations.map(({ id }) => id);
  const options = { now: new Date(clock.now()), countMax };
  const days = await readDestinationDays(pool, workspaceId, ids, options);
  const withEmails = destinations.filter(({ kind }) => kind === 'email').map(({ id }) => id);
  const recipients = withEmails.length === 0 ? [] : await listRecipients(pool, withEmails);
  return destinations.map((destination) => ({
    ...destination,
    day: days.get(destination.id) as DestinationDay,
    recipients: recipients.filter(({ destinationId }) => destinationId === destination.id),
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
  const { id, name, status, filter, version, day } = record;
  const common = {
    id,
    name,
    status,
    disabled_reason: record.disabledReason,
    form_ids: record.formIds === null ? null : [...record.formIds],
    events: [...record.events],
    filter,
    send_when: record.sendWhen,
    wait_max_s: record.waitMaxSeconds,
    per_second: record.perSecond,
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
  const { mapping, previousValidUntil } = record;
  switch (record.kind) {
    case 'webhook': {
      const { url, format, headers } = record.config;
      const isRotating = previousValidUntil !== null && previousValidUntil.getTime() > now;
      return {
        ...common,
        kind: 'webhook',
        ...{ url, mapping, format, headers: [...headers] },
        previous_secret_valid_until: isRotating ? previousValidUntil.toISOString() : null,
      };
    }
    case 'email': {
      const { every, hour, timeZone, linkOnly } = record.config;
      const recipients = record.recipients.map(viewRecipient);
      return { ...common, kind: 'email', recipients, every, hour, time_zone: timeZone, link_only: linkOnly };
    }
    case 'chat': {
      const { service, host, linkOnly } = record.config;
      return { ...common, kind: 'chat', service, host, link_only: linkOnly };
    }
    case 'hubspot':
      return { ...common, kind: 'hubspot', mapping };
  }
}

function viewRecipient(recipient: RecipientRecord): z.output<typeof recipientShape> {
  const { address, askedAt, lastError } = recipient;
  return {
    address,
    status: recipientStatus(recipient),
    asked_at: askedAt?.toISOString() ?? null,
    last_error: lastError,
  };
}

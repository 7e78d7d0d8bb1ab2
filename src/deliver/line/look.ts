import type { Logger } from 'pino';
import type {
  DeliverDatabase,
  DestinationRef,
  DueDelivery,
  SendingDestination,
} from '../../db/deliver/deliver-database.ts';
import type { LeadFacts } from '../../domain/destination/lead-facts.ts';
import { type OpenedSettings, openSettings } from '../../domain/destination/request/delivery-request.ts';
import { allowedBy, type DestinationHealth } from '../../domain/destination/retry/circuit.ts';
import { SealedError, type SecretBox } from '../../domain/secrets/secret-box.ts';
import { type Clock, minuteMs, secondMs } from '../../time/clock.ts';
import type { SharedLeads } from '../shared-leads.ts';
import { needsLead } from './attempt.ts';

export interface LookDeps {
  readonly database: Pick<DeliverDatabase, 'readDestination' | 'readDue' | 'readLeads' | 'cancelSome'>;
  readonly leads: SharedLeads;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly log: Logger;
}

export interface LookOptions {
  readonly limit: number;
  /** What is in progress. */
  readonly except: readonly string[];
  /** What the line knows may be newer than what is stored. */
  readonly healthOf: (destination: SendingDestination) => DestinationHealth;
}

export interface Item {
  readonly delivery: DueDelivery;
  /** Null if the event is not about a lead, or if it was erased. */
  readonly lead: LeadFacts | null;
}

/** What can be sent now. */
export interface Batch {
  readonly destination: SendingDestination;
  readonly opened: OpenedSettings;
  readonly items: readonly Item[];
  /** True if it is one delivery that is to find out whether the receiver works again. */
  readonly isProbe: boolean;
  /** On the monotonic scale. */
  readonly readAt: number;
}

/** Nothing can be sent. */
export interface Nothing {
  /** When someone should look again; null if only an event can change it. */
  readonly until: Date | null;
  /** True if there may be due deliveries that must wait. */
  readonly isBlocked: boolean;
}

const suspendedMs = 30 * secondMs;
const keyMissingMs = 5 * minuteMs;
// Of the bodies of leads: what is made from them is a few times larger, and every line has a batch.
const batchBytesMax = 256 * 1024;

/** Reads a destination and what is due for it. Null if it is to be called again, after others. */
export async function look(
  ref: DestinationRef,
  { limit, except, healthOf }: LookOptions,
  deps: LookDeps,
): Promise<Batch | Nothing | null> {
  const { database, clock } = deps;
  const readAt = clock.monotonic();
  const now = new Date(clock.now());
  const later = (ms: number) => new Date(now.getTime() + ms);
  const destination = await database.readDestination(ref.id);
  if (destination === null) {
    if (await database.cancelSome(ref)) return null;
    return { until: null, isBlocked: false };
  }
  if (destination.status !== 'active') return { until: null, isBlocked: true };
  if (destination.isSuspended) return { until: later(suspendedMs), isBlocked: true };
  const health = healthOf(destination);
  const allowed = allowedBy(health, now);
  if (allowed === 'none') return { until: health.nextProbeAt, isBlocked: true };
  const isProbe = allowed === 'probe';
  // Whether the receiver works is known when what is in progress has ended.
  if (isProbe && except.length > 0) return { until: null, isBlocked: true };
  const opened = tryOpen(destination, now, deps);
  if (opened === null) return { until: later(keyMissingMs), isBlocked: true };
  const { due, nextAt } = await database.readDue(ref, { now, limit: isProbe ? 1 : limit, except });
  if (due.length === 0) return { until: nextAt, isBlocked: false };
  return { destination, opened, items: await withLeads(ref, due, deps), isProbe, readAt };
}

function tryOpen(
  destination: SendingDestination,
  now: Date,
  { secretBox, log }: LookDeps,
): OpenedSettings | null {
  try {
    return openSettings(destination, secretBox, now);
  } catch (error) {
    if (!(error instanceof SealedError)) throw error;
    log.error(
      { destination_id: destination.id, why: error.message },
      'secret of a destination cannot be decrypted, so its deliveries wait: check ENCRYPTION_KEY and ENCRYPTION_KEY_PREVIOUS with leadgate doctor',
    );
    return null;
  }
}

async function withLeads(
  { workspaceId }: DestinationRef,
  due: readonly DueDelivery[],
  { database, leads }: LookDeps,
): Promise<Item[]> {
  const some = withinBytes(due);
  const ids = some.flatMap(({ submissionId, leadBytes, eventType }) =>
    submissionId !== null && leadBytes !== null && needsLead(eventType) ? [submissionId] : [],
  );
  const found = ids.length === 0 ? [] : await database.readLeads(workspaceId, [...new Set(ids)]);
  const byId = new Map(found.map((lead) => [lead.submissionId, leads.of(lead)]));
  return some.map((delivery) => ({ delivery, lead: byId.get(delivery.submissionId ?? '') ?? null }));
}

/** At least one. */
function withinBytes(due: readonly DueDelivery[]): readonly DueDelivery[] {
  let bytes = 0;
  const end = due.findIndex(({ leadBytes }) => {
    bytes += leadBytes ?? 0;
    return bytes > batchBytesMax;
  });
  return end === -1 ? due : due.slice(0, Math.max(1, end));
}

import type { Logger } from 'pino';
import type { Item } from '../../channels/channel.ts';
import type {
  DeliverDatabase,
  DestinationRef,
  DueDeliveries,
  DueDelivery,
  SendingDestination,
} from '../../db/deliver/deliver-database.ts';
import { isAlarmEvent } from '../../domain/destination/alarm/alarm-event.ts';
import { type OpenedSettings, openSettings } from '../../domain/destination/request/delivery-request.ts';
import { allowedBy, type DestinationHealth } from '../../domain/destination/retry/circuit.ts';
import { SealedError, type SecretBox } from '../../domain/secrets/secret-box.ts';
import { type Clock, minuteMs, secondMs } from '../../time/clock.ts';
import type { SharedLeads } from '../shared-leads.ts';
import { each, type Portion, type PortionOptions, portionAgain, portionOf } from './portion.ts';
import { needsLead } from './why-not-sent.ts';

export interface LookDeps {
  readonly database: Pick<
    DeliverDatabase,
    'readDestination' | 'readDue' | 'readLeads' | 'cancelSome' | 'countDelivered'
  >;
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

/** What can be sent now. */
export interface Batch {
  readonly destination: SendingDestination;
  readonly opened: OpenedSettings;
  readonly items: readonly Item[];
  /** True if all of them are one message. */
  readonly isDigest: boolean;
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
  /** Until when they are collected for one message, if they are. */
  readonly digestAt?: Date;
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
  const options = { now, limit: isProbe ? 1 : limit, inProgress: except.length };
  const { portion, due, nextAt } = await readPortion(destination, options, except, database);
  if (due.length === 0) return { until: nextAt, isBlocked: false };
  const ready = due.filter((delivery) => portion.sendAt(delivery) <= now);
  if (ready.length === 0) {
    const digestAt = earliest(due.map((delivery) => portion.sendAt(delivery)));
    // A try that is repeated does not wait for the digest.
    return { until: earliest(nextAt === null ? [digestAt] : [digestAt, nextAt]), isBlocked: true, digestAt };
  }
  const items = await withLeads(ref, ready, portion, deps);
  return { destination, opened, items, isDigest: portion.isDigest, isProbe, readAt };
}

function earliest(times: readonly Date[]): Date {
  return new Date(Math.min(...times.map((time) => time.getTime())));
}

async function readPortion(
  destination: SendingDestination,
  options: PortionOptions,
  except: readonly string[],
  database: LookDeps['database'],
): Promise<DueDeliveries & { readonly portion: Portion }> {
  const { now } = options;
  const first = await portionOf(destination, options, database);
  const found = await database.readDue(destination, { now, limit: first.limit, except });
  // They come first, and nobody collects them: what is wrong with leads is not to wait for leads.
  const alarms = found.due.filter(({ eventType }) => isAlarmEvent(eventType)).slice(0, options.limit);
  if (alarms.length > 0) return { due: alarms, nextAt: null, portion: each(alarms.length) };
  const portion = portionAgain(first, found.due, destination.kind);
  if (portion === first) return { ...found, portion };
  return { ...(await database.readDue(destination, { now, limit: portion.limit, except })), portion };
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
  { isDigest, leadsMax }: Portion,
  { database, leads }: LookDeps,
): Promise<Item[]> {
  const some = withinBytes(due.slice(0, leadsMax));
  const ids = some.flatMap(({ submissionId, leadBytes, eventType }) =>
    submissionId !== null && leadBytes !== null && needsLead(eventType) ? [submissionId] : [],
  );
  const found = ids.length === 0 ? [] : await database.readLeads(workspaceId, [...new Set(ids)]);
  const byId = new Map(found.map((lead) => [lead.submissionId, leads.of(lead)]));
  const read = some.map((delivery) => ({
    delivery,
    lead: byId.get(delivery.submissionId ?? '') ?? null,
    isOnlyCounted: false,
  }));
  if (!isDigest) return read;
  const others = due.slice(some.length);
  return [...read, ...others.map((delivery) => ({ delivery, lead: null, isOnlyCounted: true }))];
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

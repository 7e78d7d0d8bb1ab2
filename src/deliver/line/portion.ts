import type { DeliverDatabase, DueDelivery, SendingDestination } from '../../db/deliver/deliver-database.ts';
import type { DestinationKind } from '../../domain/destination/destination.ts';
import { automaticDigests, digestAt, periodEnd } from '../../domain/destination/kind/digest.ts';
import { digestEntriesMax } from '../../domain/destination/message/digest-message.ts';

/** What a line may read and send next. */
export interface Portion {
  /** How many deliveries are read. */
  readonly limit: number;
  /** How many of their leads are read. */
  readonly leadsMax: number;
  /** True if all of them are one message. */
  readonly isDigest: boolean;
  /** When a delivery that is due is sent: later if it waits for others. */
  sendAt(delivery: DueDelivery): Date;
}

export interface PortionOptions {
  readonly now: Date;
  readonly limit: number;
  /** How many deliveries are being sent. */
  readonly inProgress: number;
}

// What is beyond it becomes a second message.
const digestLeadsMax = 5_000;
// Of the newest deliveries, to find out how many were sent lately: some may have waited for days.
const countedFactor = 4;

/** Webhooks and CRMs get everything; people get no more messages than they can read. */
export async function portionOf(
  destination: SendingDestination,
  { now, limit, inProgress }: PortionOptions,
  database: Pick<DeliverDatabase, 'countDelivered'>,
): Promise<Portion> {
  const { kind, config } = destination;
  if (kind === 'email' && config.every !== 'lead') return digest((since) => digestAt(config, since));
  const automatic = automaticDigests[kind];
  if (automatic === undefined) return each(limit);
  const { leads, periodMs } = automatic;
  const since = new Date(now.getTime() - periodMs);
  const sent = await database.countDelivered(destination, since, countedFactor * leads);
  const left = leads - sent - inProgress;
  return left > 0 ? each(Math.min(limit, left)) : digest((at) => periodEnd(at, periodMs));
}

/**
 * The same, once it is known what is due. A message about many leads that failed is sent again as one: however long ago the
 * others were, its readers get no flood. Its deliveries are due at exactly the same time, because they failed together.
 */
export function portionAgain(portion: Portion, due: readonly DueDelivery[], kind: DestinationKind): Portion {
  const automatic = automaticDigests[kind];
  if (portion.isDigest || automatic === undefined) return portion;
  const hasFailed = due.some(
    ({ attempts, nextAt }, i) => attempts > 0 && nextAt.getTime() === due[i - 1]?.nextAt.getTime(),
  );
  return hasFailed ? digest((at) => periodEnd(at, automatic.periodMs)) : portion;
}

/** Each is sent by itself, as soon as it is due. */
export function each(limit: number): Portion {
  return { limit, leadsMax: limit, isDigest: false, sendAt: ({ nextAt }) => nextAt };
}

/** One that failed is not held up again: it has waited already. */
function digest(sendAt: (since: Date) => Date): Portion {
  const remembered = rememberedTime(sendAt);
  return {
    limit: digestLeadsMax,
    leadsMax: digestEntriesMax,
    isDigest: true,
    sendAt: ({ nextAt, attempts }) => (attempts > 0 ? nextAt : remembered(nextAt)),
  };
}

/** All that are due between two digests have the same one, and finding it takes long in a time zone. */
function rememberedTime(sendAt: (since: Date) => Date): (since: Date) => Date {
  let known: { readonly from: Date; readonly to: Date } | null = null;
  return (since) => {
    if (known === null || since < known.from || since >= known.to) known = { from: since, to: sendAt(since) };
    return known.to;
  };
}

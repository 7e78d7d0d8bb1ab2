import { subscribableEvents } from '../../src/domain/destination/destination.ts';
import type { DigestPeriod } from '../../src/domain/destination/kind/digest.ts';
import { kindEvents, kindPerSecond } from '../../src/domain/destination/kind/kind-settings.ts';
import type { Random } from '../../src/time/random.ts';
import type { DestinationRow } from '../database/deliver/deliver-rows.ts';

/**
 * What a receiver does until the failures end. After that every mood but `picky` is `well`.
 *
 * well    accepts everything, soon
 * slow    accepts everything, after seconds
 * flaky   accepts some; others fail in every way there is
 * broken  accepts nothing
 * picky   never accepts certain events
 */
export type Mood = 'well' | 'slow' | 'flaky' | 'broken' | 'picky';

export interface DestinationPlan
  extends Pick<DestinationRow, 'events' | 'sendWhen' | 'waitMaxSeconds' | 'perSecond'> {
  readonly workspace: number;
  readonly isForCleanOnly: boolean;
  readonly mood: Mood;
  readonly kind: 'webhook' | 'chat' | 'email';
  /** Only of emails. */
  readonly every: Exclude<DigestPeriod, 'day'>;
}

export interface DeliveryPlan {
  /** Processes that relay notes and send deliveries. */
  readonly couriers: number;
  readonly destinations: readonly DestinationPlan[];
}

/** `pick` says which of those that exist then, from 0 up to 1. */
export type DeliveryAct =
  | { readonly kind: 'owner'; readonly does: LeadChange; readonly pick: number }
  | { readonly kind: 'destination'; readonly does: DestinationChange; readonly destination: number }
  | { readonly kind: 'replay'; readonly pick: number }
  | { readonly kind: 'replay all'; readonly workspace: number }
  | {
      readonly kind: 'courier';
      readonly fault: 'killed' | 'killed in a step' | 'frozen' | 'terminated';
      readonly courier: number;
      readonly steps: number;
      readonly forMs: number;
    };

export type LeadChange = 'erase' | 'spam' | 'unmark' | 'enrich';
export type DestinationChange = 'pause' | 'resume' | 'change';

type TimedAct = { readonly at: number } & DeliveryAct;

const deliveryShare = 0.35;
const moods: readonly Mood[] = ['well', 'well', 'well', 'slow', 'flaky', 'flaky', 'broken', 'picky'];
/** As long as the receiver of an ordinary destination gets everything in time. */
const usualPerSecond = 50;

/** Null in most histories: they are about the path of a lead into the database. */
export function deliveryPlanOf(random: Random, kinds: Random, workspaces: number): DeliveryPlan | null {
  if (!random.chance(deliveryShare)) return null;
  return {
    couriers: random.integer(1, 3),
    destinations: Array.from({ length: random.integer(1, 4) }, () =>
      ofSomeKind(kinds, destinationOf(random, workspaces)),
    ),
  };
}

function destinationOf(random: Random, workspaces: number): DestinationPlan {
  return {
    workspace: random.integer(0, workspaces - 1),
    isForCleanOnly: random.chance(0.6),
    events: ['lead.accepted', ...subscribableEvents.slice(1).filter(() => random.chance(0.5))],
    sendWhen: random.chance(0.25) ? 'enriched' : 'accepted',
    waitMaxSeconds: random.integer(1, 20),
    perSecond: random.chance(0.8) ? usualPerSecond : random.integer(2, 20),
    mood: random.pick(moods),
    kind: 'webhook',
    every: 'lead',
  };
}

/** People get messages in some. A chat or a mail server does not dislike certain events. */
function ofSomeKind(random: Random, plan: DestinationPlan): DestinationPlan {
  const kind = random.pick(['webhook', 'webhook', 'webhook', 'chat', 'email'] as const);
  const every = random.pick(['lead', 'hour', 'hour'] as const);
  if (kind === 'webhook') return plan;
  return {
    ...plan,
    ...{ kind, every, perSecond: kindPerSecond[kind] },
    events: plan.events.filter((type) => kindEvents[kind].includes(type)),
    mood: plan.mood === 'picky' ? 'flaky' : plan.mood,
  };
}

export function deliveryActs(random: Random, loadMs: number, plan: DeliveryPlan | null): TimedAct[] {
  if (plan === null) return [];
  const acts: TimedAct[] = [];
  const some = (max: number, act: () => DeliveryAct) => {
    for (let count = random.integer(0, max); count > 0; count--)
      acts.push({ at: random.between(0, loadMs), ...act() });
  };
  some(8, () => ({
    kind: 'owner',
    does: random.pick(['erase', 'erase', 'spam', 'spam', 'unmark', 'enrich', 'enrich'] as const),
    pick: random.next(),
  }));
  some(4, () => ({
    kind: 'destination',
    does: random.pick(['pause', 'resume', 'change'] as const),
    destination: random.integer(0, plan.destinations.length - 1),
  }));
  some(3, () => ({ kind: 'replay', pick: random.next() }));
  if (random.chance(0.3))
    some(1, () => ({ kind: 'replay all', workspace: plan.destinations[0]?.workspace ?? 0 }));
  if (random.chance(0.2)) return acts;
  some(5, () => ({
    kind: 'courier',
    fault: random.pick([
      'killed',
      'killed in a step',
      'killed in a step',
      'frozen',
      'frozen',
      'terminated',
    ] as const),
    courier: random.integer(0, plan.couriers - 1),
    steps: random.integer(1, 60),
    forMs: random.pick([
      random.between(1, 1_000),
      random.between(1_000, 5_000),
      random.between(15_000, 25_000),
    ]),
  }));
  return acts;
}

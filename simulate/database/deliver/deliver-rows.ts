import type { SendingSettings } from '../../../src/db/deliver/deliver-database.ts';
import type { Subscription } from '../../../src/db/deliver/subscriptions.ts';
import type { NewEvent } from '../../../src/db/relay/lead-events.ts';
import type {
  DeliveryState,
  DestinationStatus,
  DisabledReason,
} from '../../../src/domain/destination/destination.ts';
import type { KindSettings } from '../../../src/domain/destination/kind/kind-settings.ts';
import type { DestinationHealth } from '../../../src/domain/destination/retry/circuit.ts';

export type DestinationRow = Omit<SendingSettings, 'health' | 'isSuspended' | 'status'> &
  KindSettings &
  Pick<Subscription, 'events' | 'sendWhen' | 'waitMaxSeconds'> & {
    readonly status: DestinationStatus;
    readonly disabledReason: DisabledReason | null;
  };

/** Times in milliseconds since 1970. */
export interface LeaseRow {
  readonly instanceId: string | null;
  readonly until: number;
  readonly wakeAt: number;
  /** Until when deliveries are collected, if they are. */
  readonly digestAt: number | null;
}

export interface HealthRow extends DestinationHealth {
  readonly lastError: string | null;
}

export interface DeliveryRow {
  readonly workspaceId: string;
  readonly id: string;
  readonly destinationId: string;
  readonly event: NewEvent;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly nextAt: number;
  readonly lastStatus: number | null;
  readonly lastErrorClass: string | null;
  readonly deliveredAt: number | null;
  readonly sentTo: readonly string[];
  readonly replayOf: string | null;
  readonly replayId: string | null;
}

export interface AttemptRow {
  readonly deliveryId: string;
  readonly n: number;
  readonly status: number | null;
}

export interface ReplayRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly lastId: string;
  readonly afterId: string | null;
  readonly done: number;
  readonly isFinished: boolean;
}

const neverHeld: LeaseRow = {
  instanceId: null,
  until: Number.NEGATIVE_INFINITY,
  wakeAt: Number.POSITIVE_INFINITY,
  digestAt: null,
};
/** Of a delivery that nobody has tried. */
export const untried = {
  state: 'pending',
  attempts: 0,
  lastStatus: null,
  lastErrorClass: null,
  deliveredAt: null,
  sentTo: [],
} as const;
const healthy: HealthRow = {
  consecutiveFailures: 0,
  openedAt: null,
  nextProbeAt: null,
  failingSince: null,
  lastError: null,
};

/** When someone should look at a destination. */
export interface DueWake {
  readonly at: number;
  readonly isUrgent: boolean;
}

/** The tables of migrations/0031, in memory. */
export class DeliverRows {
  readonly destinations = new Map<string, DestinationRow>();
  readonly leases = new Map<string, LeaseRow>();
  readonly health = new Map<string, HealthRow>();
  /** The number of the last event, by workspace. */
  readonly counters = new Map<string, number>();
  readonly events: NewEvent[] = [];
  readonly deliveries = new Map<string, DeliveryRow>();
  readonly attempts = new Map<string, AttemptRow>();
  readonly replays = new Map<string, ReplayRow>();
  /** Leads that no provider has yet to respond for, by `leadName`. */
  readonly enriched = new Set<string>();

  /** insertDestination of src/db/deliver/destinations.ts. */
  insertDestination(row: DestinationRow): void {
    this.destinations.set(row.id, row);
    this.leases.set(row.id, neverHeld);
    this.health.set(row.id, healthy);
  }

  changeDestination(id: string, changes: Partial<DestinationRow>): void {
    this.destinations.set(id, { ...this.destinations.get(id), ...changes } as DestinationRow);
  }

  /** tryAgain of src/manage/destinations/destination-changes.ts. */
  tryAgain(id: string, now: number): void {
    this.health.set(id, healthy);
    this.wake(id, now);
  }

  /** Someone looks at it at this time, or earlier. */
  wake(id: string, at: number): void {
    const lease = this.leases.get(id);
    if (lease !== undefined && lease.wakeAt > at) this.leases.set(id, { ...lease, wakeAt: at });
  }

  /** wakeDestinations of src/db/deliver/new-deliveries.ts. */
  wakeFor(id: string, { at, isUrgent }: DueWake): void {
    this.wake(id, isUrgent ? at : Math.max(at, this.leases.get(id)?.digestAt ?? 0));
  }

  change(id: string, changes: Partial<DeliveryRow>): void {
    this.deliveries.set(id, { ...(this.deliveries.get(id) as DeliveryRow), ...changes });
  }

  /** In the order in which they are due. */
  pendingOf(destinationId: string): DeliveryRow[] {
    return [...this.deliveries.values()]
      .filter((row) => row.destinationId === destinationId && row.state === 'pending')
      .toSorted((a, b) => a.nextAt - b.nextAt);
  }

  /** cancelDeliveries of src/db/deliver/erased-deliveries.ts. */
  cancelOfLead(workspaceId: string, submissionId: string): void {
    for (const row of this.deliveries.values()) {
      if (row.workspaceId !== workspaceId || row.event.submissionId !== submissionId) continue;
      if (row.state !== 'delivered' && row.state !== 'cancelled')
        this.change(row.id, { state: 'cancelled', lastErrorClass: 'erased' });
      for (const [name, { deliveryId }] of this.attempts)
        if (deliveryId === row.id) this.attempts.delete(name);
    }
  }
}

export function leadName(workspaceId: string, submissionId: string): string {
  return `${workspaceId} ${submissionId}`;
}

import type {
  DeliveryState,
  DestinationStatus,
  DisabledReason,
  EventType,
} from '../../domain/destination/destination.ts';
import type { Filter } from '../../domain/destination/filter.ts';
import type { KindSettings } from '../../domain/destination/kind/kind-settings.ts';
import type { LeadFacts } from '../../domain/destination/lead-facts.ts';
import type { Mapping } from '../../domain/destination/mapping.ts';
import type { DestinationHealth } from '../../domain/destination/retry/circuit.ts';

/**
 * Everything that deliveries need from PostgreSQL. Every call may fail at any time, even after it has taken effect, and may
 * be made again. Simulations implement it with a database that fails at the worst moments.
 */
export interface DeliverDatabase {
  claim(claim: Claim): Promise<DestinationRef[]>;
  /** Returns those that this instance still holds. */
  renew(instanceId: string, destinationIds: readonly string[], until: Date): Promise<string[]>;
  release(instanceId: string, releases: readonly Release[]): Promise<void>;
  /** Null when it was deleted. */
  readDestination(destinationId: string): Promise<SendingDestination | null>;
  readDue(destination: DestinationRef, query: DueQuery): Promise<DueDeliveries>;
  /** About how many were delivered since then, at least to some of their recipients. Counts to a limit. */
  countDelivered(destination: DestinationRef, since: Date, countMax: number): Promise<number>;
  /** Who gets the emails of a destination now, and who will once they have agreed. */
  listRecipients(destinationId: string): Promise<EmailRecipient[]>;
  /** What the mail server said to the last email to each of them; null if it accepted it. */
  saveRecipientErrors(errors: ReadonlyMap<string, string | null>): Promise<void>;
  /** Leads that were erased are left out. */
  readLeads(workspaceId: string, submissionIds: readonly string[]): Promise<LeadFacts[]>;
  /** Of a destination that was deleted. True if there may be more. */
  cancelSome(destination: DestinationRef): Promise<boolean>;
  /** Where outcomes are written together: a shard of a cluster, or one server for all. */
  partOf(workspaceId: string): Promise<number | null>;
  writeOutcomes(outcomes: readonly DeliveryOutcome[], part: number | null): Promise<void>;
  saveHealth(changed: readonly ChangedHealth[]): Promise<void>;
  /** False when it was changed since it was read, or is not active. */
  disable(disabling: Disabling): Promise<boolean>;
  /** Wakes destinations whose deliveries nobody would look at. Returns when the first of all that can be sent is due. */
  sweep(now: Date): Promise<Date | null>;
  /** Adds some deliveries of a selection that is sent again. False when there is nothing to do. */
  replaySome(now: Date, newId: () => string): Promise<boolean>;
}

export interface Claim {
  readonly instanceId: string;
  readonly now: Date;
  /** When the leases end. */
  readonly until: Date;
  readonly countMax: number;
  /** True for those that this instance holds already, and no others. */
  readonly isFull: boolean;
}

export interface DueQuery {
  readonly now: Date;
  readonly limit: number;
  /** Deliveries that are being sent. */
  readonly except: readonly string[];
}

export interface DestinationRef {
  readonly id: string;
  readonly workspaceId: string;
}

export interface WaitingDestination extends DestinationRef {
  /** When the first of its deliveries is due. */
  readonly dueAt: Date;
  /** When the first about an alarm is due; null if there is none. */
  readonly alarmAt: Date | null;
}

export interface Release {
  readonly destinationId: string;
  /** Nobody else may send before. */
  readonly freeAt: Date;
  /** When someone should look again; null if there is nothing to do. */
  readonly wakeAt: Date | null;
  /** Until when what is due is collected for one message; null if nothing is. */
  readonly digestAt: Date | null;
}

export type SendingDestination = SendingSettings & KindSettings;

/** What all kinds have. */
export interface SendingSettings extends DestinationRef {
  readonly name: string;
  readonly status: DestinationStatus;
  readonly isSuspended: boolean;
  readonly formIds: readonly string[] | null;
  readonly filter: Filter;
  readonly mapping: Mapping;
  readonly headersCiphertext: Buffer | null;
  readonly secretCiphertext: Buffer;
  readonly previousSecretCiphertext: Buffer | null;
  readonly previousValidUntil: Date | null;
  readonly perSecond: number;
  readonly version: number;
  readonly health: DestinationHealth;
}

export interface ChangedHealth extends DestinationHealth {
  readonly destinationId: string;
  /** Of the destination that was tried. Nothing is saved if it was changed since: that has reset its health. */
  readonly version: number;
  readonly lastError: string | null;
}

export interface DueDeliveries {
  readonly due: readonly DueDelivery[];
  /** When the first of the others is due; null when there is none. */
  readonly nextAt: Date | null;
}

export interface Recipient {
  readonly id: string;
  readonly address: string;
}

export interface EmailRecipient extends Recipient {
  /** False while nobody has confirmed the address. */
  readonly receives: boolean;
}

export interface DueDelivery {
  readonly id: string;
  /** Since when it is due. */
  readonly nextAt: Date;
  readonly eventNumber: number;
  readonly eventType: EventType;
  readonly eventAt: Date;
  readonly eventData: Readonly<Record<string, unknown>> | null;
  readonly submissionId: string | null;
  readonly attempts: number;
  /** The size of the lead's body; null without a lead. */
  readonly leadBytes: number | null;
  /** The recipients who have it already, by ID, if others have not. */
  readonly sentTo: readonly string[];
}

export interface DeliveryOutcome {
  readonly workspaceId: string;
  readonly deliveryId: string;
  readonly attemptsBefore: number;
  readonly state: DeliveryState;
  /** Only of a pending one. */
  readonly nextAt: Date | null;
  readonly at: Date;
  readonly status: number | null;
  readonly errorClass: string | null;
  readonly error: string | null;
  /** Null when nothing was sent. */
  readonly attempt: { readonly ms: number; readonly responseHead: Buffer | null } | null;
  readonly destinationVersion: number | null;
  /** See DueDelivery. */
  readonly sentTo: readonly string[];
}

export interface Disabling {
  readonly destination: Pick<SendingDestination, 'id' | 'workspaceId' | 'name' | 'version'>;
  readonly reason: DisabledReason;
  readonly at: Date;
}

import type { NotSent, Tried } from '../../channels/channel.ts';
import type { DeliveryOutcome, DueDelivery, SendingSettings } from '../../db/deliver/deliver-database.ts';
import {
  afterFailure,
  afterSuccess,
  type DestinationHealth,
} from '../../domain/destination/retry/circuit.ts';
import { afterAttempt, type Decision, type Moment } from '../../domain/destination/retry/schedule.ts';
import { responseHeadOwner } from '../../domain/destination/secrets.ts';
import type { SecretBox } from '../../domain/secrets/secret-box.ts';

/** What a try means for its delivery. */
export function decide({ attempts }: DueDelivery, tried: Tried, moment: Moment): Decision {
  return afterAttempt(attempts + 1, tried, moment);
}

/** A receiver that wants no more at a place that its owner has changed in the meantime has failed like any other. */
export function unlessGone(tried: Tried): Tried {
  return tried.meaning === 'gone' ? { ...tried, meaning: 'failed' } : tried;
}

/** What it means for its destination. */
export function learn(health: DestinationHealth, decision: Decision, moment: Moment): DestinationHealth {
  switch (decision.next) {
    case 'delivered':
      return afterSuccess();
    case 'gone':
      return health;
    default:
      return afterFailure(health, moment);
  }
}

export interface Concluded {
  readonly destination: Pick<SendingSettings, 'workspaceId' | 'version'>;
  readonly delivery: DueDelivery;
  readonly tried: Tried;
  readonly decision: Decision;
  /** When it was sent. */
  readonly at: Date;
}

export function triedOutcome(concluded: Concluded, secretBox: SecretBox): DeliveryOutcome {
  const { destination, delivery, tried, decision, at } = concluded;
  const { status, errorClass, error, head, ms, sentTo } = tried;
  return {
    workspaceId: destination.workspaceId,
    deliveryId: delivery.id,
    attemptsBefore: delivery.attempts,
    ...(decision.next === 'retry'
      ? { state: 'pending', nextAt: decision.at }
      : { state: decision.next === 'gone' ? 'dead' : decision.next, nextAt: null }),
    at,
    status,
    errorClass,
    error,
    attempt: {
      ms,
      responseHead: head === null ? null : secretBox.seal(head, responseHeadOwner(delivery.id)),
    },
    destinationVersion: destination.version,
    sentTo,
  };
}

export function unsentOutcome(
  workspaceId: string,
  { id, attempts }: DueDelivery,
  { state, errorClass, error }: NotSent,
  at: Date,
): DeliveryOutcome {
  return {
    workspaceId,
    deliveryId: id,
    attemptsBefore: attempts,
    state,
    nextAt: null,
    at,
    status: null,
    errorClass,
    error,
    attempt: null,
    destinationVersion: null,
    sentTo: [],
  };
}

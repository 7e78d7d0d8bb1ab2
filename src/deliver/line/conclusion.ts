import type { DeliveryOutcome, DueDelivery, SendingDestination } from '../../db/deliver/deliver-database.ts';
import {
  afterFailure,
  afterSuccess,
  type DestinationHealth,
} from '../../domain/destination/retry/circuit.ts';
import {
  afterAttempt,
  type Decision,
  type Moment,
  meaningOf,
} from '../../domain/destination/retry/schedule.ts';
import { statusText } from '../../domain/destination/retry/status-text.ts';
import { responseHeadOwner } from '../../domain/destination/secrets.ts';
import type { SecretBox } from '../../domain/secrets/secret-box.ts';
import type { PostResult } from '../../net/delivery/delivery-http.ts';
import type { NotSent } from './attempt.ts';

/** What a response, or its absence, means for its delivery. */
export function decide({ attempts }: DueDelivery, result: PostResult, moment: Moment): Decision {
  const { status, retryAfterMs } = 'status' in result ? result : { status: null, retryAfterMs: null };
  return afterAttempt(attempts + 1, { status, retryAfterMs }, moment);
}

/** A receiver that wants no more for a URL that its owner has changed in the meantime has failed like any other. */
export function decideUnlessGone({ attempts }: DueDelivery, moment: Moment): Decision {
  return afterAttempt(attempts + 1, { status: null }, moment);
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

export interface Tried {
  readonly destination: Pick<SendingDestination, 'workspaceId' | 'version'>;
  readonly delivery: DueDelivery;
  readonly result: PostResult;
  readonly decision: Decision;
  /** When it was sent. */
  readonly at: Date;
}

export function triedOutcome(tried: Tried, secretBox: SecretBox): DeliveryOutcome {
  const { destination, delivery, result, decision, at } = tried;
  const { error, errorClass } = errorOf(result);
  const head = 'status' in result ? result.head : null;
  return {
    workspaceId: destination.workspaceId,
    deliveryId: delivery.id,
    attemptsBefore: delivery.attempts,
    ...(decision.next === 'retry'
      ? { state: 'pending', nextAt: decision.at }
      : { state: decision.next === 'gone' ? 'dead' : decision.next, nextAt: null }),
    at,
    status: 'status' in result ? result.status : null,
    errorClass,
    error,
    attempt: {
      ms: result.ms,
      responseHead: head === null ? null : secretBox.seal(head, responseHeadOwner(delivery.id)),
    },
    destinationVersion: destination.version,
  };
}

/** For programs and for people; null if it was delivered. */
export function errorOf(result: PostResult): Pick<DeliveryOutcome, 'errorClass' | 'error'> {
  if ('failure' in result) return { errorClass: result.failure, error: result.text };
  const error = statusText(result.status);
  return { errorClass: error === null ? null : meaningOf(result.status), error };
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
  };
}

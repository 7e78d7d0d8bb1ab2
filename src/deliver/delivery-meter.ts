import type { Decision } from '../domain/destination/retry/schedule.ts';
import type { NotSent } from './line/attempt.ts';

/** What deliveries count. */
export interface DeliveryMeter {
  onAttempt(next: Decision['next'], durationMs: number): void;
  onUnsent(state: NotSent['state']): void;
}

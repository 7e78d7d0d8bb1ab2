import type { NotSent } from '../channels/channel.ts';
import type { Decision } from '../domain/destination/retry/schedule.ts';

/** What deliveries count. */
export interface DeliveryMeter {
  onAttempt(next: Decision['next'], durationMs: number): void;
  onUnsent(state: NotSent['state']): void;
}

import { Counter, Histogram, type Registry } from 'prom-client';
import { addGauge } from './host/gauge.ts';

const outcomes = ['delivered', 'failed', 'dead', 'skipped', 'cancelled'] as const;

/** What becomes of a delivery after a try, and without one. */
type Next = 'delivered' | 'retry' | 'gone' | 'dead' | 'skipped' | 'cancelled';

const outcomeOf: Record<Next, (typeof outcomes)[number]> = {
  delivered: 'delivered',
  retry: 'failed',
  gone: 'dead',
  dead: 'dead',
  skipped: 'skipped',
  cancelled: 'cancelled',
};

export interface DeliverySources {
  readonly inFlight: number;
  readonly oldestDueMs: number;
}

/** The metrics of deliveries. */
export class DeliveryMetrics {
  readonly #registry: Registry;
  readonly #outcomes: Counter;
  readonly #seconds: Histogram;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#registry = registry;
    this.#outcomes = new Counter({
      name: 'leadgate_deliveries_total',
      help: 'Tries and other outcomes of deliveries: delivered, failed (tried again later), dead (not tried again), skipped (the filter is no longer met), cancelled (the lead was erased).',
      labelNames: ['outcome'],
      registers,
    });
    for (const outcome of outcomes) this.#outcomes.inc({ outcome }, 0);
    this.#seconds = new Histogram({
      name: 'leadgate_delivery_duration_seconds',
      help: 'Duration of a try, until the receiver has responded or failed.',
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers,
    });
  }

  watch(sources: DeliverySources): void {
    addGauge(this.#registry, {
      name: 'leadgate_deliveries_in_flight',
      help: 'Requests to destinations that wait for a response.',
      read: () => sources.inFlight,
      rule: 'sum',
    });
    addGauge(this.#registry, {
      name: 'leadgate_delivery_oldest_due_seconds',
      help: 'How long the oldest delivery of an active destination has been due, across all instances. A destination that fails, or has a low pace, lets it grow.',
      read: () => sources.oldestDueMs / 1000,
      rule: 'max',
    });
  }

  onAttempt(next: Next, durationMs: number): void {
    this.#outcomes.inc({ outcome: outcomeOf[next] });
    this.#seconds.observe(durationMs / 1000);
  }

  onUnsent(state: Next): void {
    this.#outcomes.inc({ outcome: outcomeOf[state] });
  }
}

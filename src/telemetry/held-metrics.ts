import { Counter, type Registry } from 'prom-client';
import { type NotHeldCause, notHeldCauses } from '../domain/held/not-held.ts';
import { addGauge } from './host/gauge.ts';

/** The metrics of rejected requests that are kept. */
export class HeldMetrics {
  readonly #registry: Registry;
  readonly #held: Counter;
  /** A plain map, because a labelled counter is too slow for rejections. */
  readonly #notHeld = new Map<NotHeldCause, number>(notHeldCauses.map((cause) => [cause, 0]));

  constructor(registry: Registry) {
    const registers = [registry];
    const notHeld = this.#notHeld;
    this.#registry = registry;
    this.#held = new Counter({
      name: 'leadgate_held_requests_total',
      help: 'Rejected requests that were kept.',
      registers,
    });
    new Counter({
      name: 'leadgate_not_held_requests_total',
      help: 'Rejected requests that could be kept but were not, by cause: limit (too many in a minute or hour), memory (too many waiting to be written), full (no space left), known (kept already), excluded (of another workspace, or erased), refused (by the database).',
      labelNames: ['cause'],
      registers,
      collect() {
        this.reset();
        for (const [cause, count] of notHeld) this.inc({ cause }, count);
      },
    });
  }

  watch(waitingBytes: () => number): void {
    addGauge(this.#registry, {
      name: 'leadgate_held_waiting_bytes',
      help: 'Size of the rejected requests in memory that wait to be written.',
      read: waitingBytes,
      rule: 'sum',
    });
  }

  onHeld(): void {
    this.#held.inc();
  }

  onNotHeld(cause: NotHeldCause): void {
    this.#notHeld.set(cause, (this.#notHeld.get(cause) ?? 0) + 1);
  }
}

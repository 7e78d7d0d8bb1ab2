import { type RateLimits, rateLimits } from '../../domain/rate-window.ts';
import type { Clock } from '../../time/clock.ts';
import { CapService, entryDayCaps, mintCaps } from '../outcomes/host-caps.ts';
import { LedgerService } from '../spool/ledger/ledger-service.ts';
import type { HostLink } from './link.ts';
import { Relay } from './relay.ts';
import { memoryTopics } from './shared-memories.ts';

export interface IngestHostDeps {
  readonly spoolBytesMax: number;
  readonly clock: Clock;
  /** Lower limits for tests. */
  readonly limits?: RateLimits;
}

/** What the ingest planes of several workers share, in their supervisor. A worker that has left does not come back. */
export class IngestHost {
  readonly #parts: readonly { join(workerId: number, link: HostLink): void; leave(workerId: number): void }[];

  constructor({ spoolBytesMax, clock, limits = rateLimits }: IngestHostDeps) {
    this.#parts = [
      new LedgerService({ bytesMax: spoolBytesMax, limits, clock }),
      new Relay(Object.values(memoryTopics)),
      new CapService({ clock }),
      new CapService({ clock, kind: entryDayCaps }),
      new CapService({ clock, kind: mintCaps }),
    ];
  }

  join(workerId: number, link: HostLink): void {
    for (const part of this.#parts) part.join(workerId, link);
  }

  leave(workerId: number): void {
    for (const part of this.#parts) part.leave(workerId);
  }
}

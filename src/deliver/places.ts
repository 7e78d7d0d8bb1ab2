import type { DestinationKind } from '../domain/destination/destination.ts';

interface Waiter {
  readonly workspaceId: string;
  readonly held: () => number;
  readonly grant: (isGranted: boolean) => void;
}

/** How many of the last places are only for lines or workspaces that have none. */
interface ReservedPlaces {
  readonly forLines: number;
  readonly forWorkspaces: number;
}

/**
 * How many requests one instance has in progress. Lines wait in one queue and ask for one place at a time, so they take
 * turns. Slow receivers cannot take all places: the last ones are only for lines that have none, and the very last only for
 * workspaces that have none, because a workspace can have many destinations.
 */
export class Places {
  readonly #reserved: ReservedPlaces;
  #free: number;
  readonly #total: number;
  readonly #waiting = new Set<Waiter>();
  readonly #heldByWorkspace = new Map<string, number>();

  constructor(total: number, reserved: ReservedPlaces) {
    this.#total = total;
    this.#free = total;
    this.#reserved = reserved;
  }

  get taken(): number {
    return this.#total - this.#free;
  }

  /** `held` says how many the line has when it is its turn. False when the signal came first. */
  take(workspaceId: string, held: () => number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const abort = () => waiter.grant(false);
      const waiter: Waiter = {
        workspaceId,
        held,
        grant: (isGranted) => {
          this.#waiting.delete(waiter);
          signal.removeEventListener('abort', abort);
          resolve(isGranted);
        },
      };
      signal.addEventListener('abort', abort);
      this.#waiting.add(waiter);
      this.#grantAll();
    });
  }

  free(workspaceId: string): void {
    this.#free++;
    const held = this.#heldBy(workspaceId) - 1;
    if (held > 0) this.#heldByWorkspace.set(workspaceId, held);
    else this.#heldByWorkspace.delete(workspaceId);
    this.#grantAll();
  }

  #heldBy(workspaceId: string): number {
    return this.#heldByWorkspace.get(workspaceId) ?? 0;
  }

  #grantAll(): void {
    for (const waiter of this.#waiting) {
      if (this.#free === 0) return;
      if (!this.#isOpenTo(waiter)) continue;
      this.#free--;
      this.#heldByWorkspace.set(waiter.workspaceId, this.#heldBy(waiter.workspaceId) + 1);
      waiter.grant(true);
    }
  }

  #isOpenTo({ workspaceId, held }: Waiter): boolean {
    if (held() > 0) return this.#free > this.#reserved.forLines;
    return this.#heldBy(workspaceId) === 0 || this.#free > this.#reserved.forWorkspaces;
  }
}

/**
 * A parcel of emails or of contacts can take more than a minute, and all go through the same server. While that is slow, it
 * must not take the places of webhooks.
 */
export function placesOfKinds(): Readonly<Record<DestinationKind, Places>> {
  const requests = new Places(64, { forLines: 16, forWorkspaces: 8 });
  const parcels = () => new Places(16, { forLines: 0, forWorkspaces: 4 });
  return { webhook: requests, chat: requests, email: parcels(), hubspot: parcels() };
}

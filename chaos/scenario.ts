import type { Book } from './check/book.ts';
import type { DeliveryFindings } from './delivery/delivery-check.ts';
import type { HeldFindings } from './held/held-check.ts';
import type { Load } from './load/load.ts';
import type { Traffic } from './load/order.ts';
import type { Breakage } from './world/broken-build.ts';
import type { World } from './world/world.ts';

/** One kind of fault, injected repeatedly while leads come in. */
export interface Scenario {
  readonly name: string;
  readonly about: string;
  readonly instances?: number;
  /** The service uses a pair of servers, one of which is the synchronous standby of the other. */
  readonly hasStandby?: boolean;
  /** The service uses a Citus cluster, by one instance per route. */
  readonly hasCluster?: boolean;
  /** Every workspace has destinations, whose receivers fail. */
  readonly hasDestinations?: boolean;
  /** One more workspace has rejected requests, which are kept and decided about. */
  readonly hasHeld?: boolean;
  /** Changes to the source without which the scenario would take days. */
  readonly substitutions?: readonly Breakage[];
  readonly traffic?: Partial<Traffic>;
  /** Workspaces that send leads. By default so many that none exceeds its rate limits. */
  readonly senders?: number;
  /** Fraction of the usual number of leads per second, for expensive scenarios. */
  readonly rateShare?: number;
  /** Limit of leads per second for this scenario, where more would only overload the machine. */
  readonly rateMax?: number;
  /** How long faults are injected in a full run. */
  readonly seconds: number;
  /** `--all` repeats it until there is as much as this. */
  readonly enough?: Enough;
  /** Additional environment of the instances. `dir` is a folder for the scenario. */
  readonly prepare?: (dir: string) => Promise<Readonly<Record<string, string>>>;
  /** How long after quiet an accepted lead may still be missing, when one instance left it to another. */
  readonly adoptionSeconds?: number;
  readonly goals?: Goals;
  /** Injects faults for as long as the stage says. The caller undoes what is left of them. */
  readonly faults: (stage: Stage) => Promise<void>;
  /** Judges what the senders and receivers saw, when the ledger is complete. */
  readonly judge?: (stage: Stage, book: Book) => Promise<void>;
}

/** How much is needed for a reliable verdict, in all runs of a scenario together. */
interface Enough {
  readonly accepted: number;
  readonly kills: number;
}

/** Goals of the service while PostgreSQL is unavailable. They are reported, never part of a test. */
export interface Goals {
  readonly acceptedShareMin?: number;
  readonly p99MsMax?: number;
  readonly maxMsMax?: number;
  /** From the end of a promotion to the first lead that the new primary committed. */
  readonly promotionMsMax?: number;
}

export interface Stage extends World {
  readonly load: Load;
  /** How long faults are injected, and when that ends. */
  readonly seconds: number;
  readonly endsAt: number;
  /** Adds a line below the table. */
  note(text: string): void;
  /** Reports a broken promise that the comparison of ledger and database cannot see. */
  fault(text: string): void;
  /** Reports how what arrived at destinations, or was kept, compares with what happened. */
  found(findings: DeliveryFindings | HeldFindings): void;
  /** Reports a goal that was not reached. */
  miss(text: string): void;
}

import type { Load } from './load/load.ts';
import type { Traffic } from './load/order.ts';
import type { World } from './world/world.ts';

/** One way in which things go wrong, again and again, while leads come in. */
export interface Scenario {
  readonly name: string;
  readonly about: string;
  readonly instances?: number;
  readonly traffic?: Partial<Traffic>;
  /** The share of the usual number of leads per second, for those that are expensive. */
  readonly rateShare?: number;
  /** Leads per second that are enough for this scenario; more would only be more than the machine can carry. */
  readonly rateMax?: number;
  /** How long the faults go on in a full run. */
  readonly seconds: number;
  /** What the instances get on top of their environment; `dir` is a folder for the scenario. */
  readonly prepare?: (dir: string) => Promise<Readonly<Record<string, string>>>;
  /** How long after quiet an accepted lead may still be on its way, when an instance left it to another. */
  readonly adoptionSeconds?: number;
  readonly goals?: Goals;
  /** Does the damage for as long as the stage says; undoing what is left of it is not its business. */
  readonly faults: (stage: Stage) => Promise<void>;
}

/** Figures that the service sets itself with PostgreSQL away. They are reported and never part of a test. */
export interface Goals {
  readonly acceptedShareMin?: number;
  readonly p99MsMax?: number;
  readonly maxMsMax?: number;
}

export interface Stage extends World {
  readonly load: Load;
  /** The time for the faults, and the moment at which it is over. */
  readonly seconds: number;
  readonly endsAt: number;
  /** Something worth a line below the table. */
  note(text: string): void;
}

import type { Instance } from '../instance/instance.ts';

/** An instance has found that a node of the cluster accepts no leads. */
export interface Trip {
  readonly life: string;
  readonly address: string;
  /** On the monotonic scale. */
  readonly at: number;
  /** False for an instance that started without the database. */
  readonly isPrepared: boolean;
}

/** Notes when instances stop sending leads to a node. */
export class TripWatch {
  readonly trips: Trip[] = [];
  readonly #nodesWithout = new WeakMap<Instance, readonly string[]>();

  look(instance: Instance, at: number): void {
    const { nodesWithout, isPrepared, life } = instance;
    const before = this.#nodesWithout.get(instance) ?? [];
    for (const address of nodesWithout)
      if (!before.includes(address)) this.trips.push({ life: life.name, address, at, isPrepared });
    this.#nodesWithout.set(instance, nodesWithout);
  }
}

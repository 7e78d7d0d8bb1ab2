import { Random } from '../../src/time/random.ts';
import type { SimulatedClock } from '../../src/time/simulated-clock.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { DatabaseServer } from '../database/database-server.ts';
import { RelayLocks } from '../database/deliver/relay-client.ts';
import { Life } from '../life.ts';
import { seedOf } from '../part-seed.ts';
import { workspaces } from '../senders/cast.ts';
import type { Trace } from '../trace.ts';
import { Courier } from './courier.ts';
import type { DeliveryAct, DeliveryPlan } from './delivery-plan.ts';
import { destinationId, destinationRow } from './destinations.ts';
import { Owners } from './owners.ts';
import { Receivers } from './receivers.ts';

export interface DeliveryWorldDeps {
  readonly world: { readonly seed: number; readonly workspaces: number };
  readonly plan: DeliveryPlan;
  readonly clock: SimulatedClock;
  readonly trace: Trace;
  readonly server: DatabaseServer;
  readonly cluster: Cluster | null;
}

interface Slot {
  courier: Courier | null;
  lives: number;
}

/** From when to when a courier did not work, on the monotonic scale. */
interface Disturbance {
  readonly from: number;
  readonly to: number;
}

/** The date was changed. */
interface Leap {
  /** On the monotonic scale. */
  readonly at: number;
  readonly ms: number;
}

const settleMsMax = 90_000;
const lookMs = 250;
const failingMs = 20_000;
/** Ten tries and some probes. */
const leapsMax = 60;
const patientLeaps = 8;

/** What sends deliveries, what receives them, and who owns the leads. */
export class DeliveryWorld {
  readonly plan: DeliveryPlan;
  readonly owners: Owners;
  readonly receivers: Receivers;
  readonly disturbances: Disturbance[] = [];
  readonly leaps: Leap[] = [];
  readonly #deps: DeliveryWorldDeps;
  readonly #locks = new RelayLocks();
  readonly #slots: Slot[];

  constructor(deps: DeliveryWorldDeps) {
    const { world, plan, clock, trace, server, cluster } = deps;
    this.#deps = deps;
    this.plan = plan;
    const randomOf = (name: string) => new Random(seedOf(world.seed, name));
    const moods = plan.destinations.map(({ mood }) => mood);
    this.receivers = new Receivers(moods, clock, randomOf('receivers'), trace);
    this.owners = new Owners({ server, cluster, life: new Life('owners', clock, randomOf('owners')) });
    for (const [number, destination] of plan.destinations.entries())
      server.tables.deliver.insertDestination(destinationRow(number, destination));
    this.#slots = Array.from({ length: plan.couriers }, () => ({ courier: null, lives: 0 }));
  }

  start(): void {
    for (const number of this.#slots.keys()) this.#start(number);
    this.owners.followFeeds(workspaces.slice(0, this.#deps.world.workspaces).map(({ id }) => id));
  }

  perform(act: DeliveryAct): void {
    if (act.kind !== 'courier') {
      this.owners.perform(act);
      return;
    }
    const { courier: number, fault, steps, forMs } = act;
    const { courier } = this.#slots[number] as Slot;
    if (courier === null) return;
    if (fault === 'killed') this.#kill(number, forMs);
    else if (fault === 'killed in a step') courier.life.killAfter(steps, () => this.#kill(number, forMs));
    else if (fault === 'terminated') void this.#terminate(number, forMs);
    else {
      this.#disturb(forMs);
      courier.life.freeze(forMs);
    }
  }

  /** Changes the date. */
  leap(ms: number): void {
    const { clock } = this.#deps;
    this.leaps.push({ at: clock.monotonic(), ms });
    clock.leap(ms);
  }

  /** When a date was, on the monotonic scale. */
  monotonicOf(date: number): number {
    const { clock } = this.#deps;
    let at = date - (clock.now() - clock.monotonic());
    for (const leap of this.leaps.toReversed()) if (at < leap.at) at += leap.ms;
    return at;
  }

  /** Nothing fails from now on but receivers, and who is frozen stays so for a while. */
  calmDown(): void {
    for (const [number, { courier }] of this.#slots.entries()) {
      courier?.life.killAfter(Number.POSITIVE_INFINITY, () => {});
      if (courier === null) this.#start(number);
    }
  }

  /** Owners resume everything, and days pass until nothing waits. Returns why it still does. */
  async finish(): Promise<string | null> {
    const { clock, server } = this.#deps;
    const { deliver } = server.tables;
    // What they did before may take effect until then, and leases end while receivers still fail.
    await clock.advance(failingMs);
    this.receivers.beWell();
    this.#resumeAll(() => true);
    for (let leaps = 0; leaps <= leapsMax; leaps++) {
      // Owners lose patience with a receiver that does not accept everything.
      this.#resumeAll((id) => leaps > patientLeaps && !this.#isOpen(id));
      const until = clock.monotonic() + settleMsMax;
      while (!this.#isSettled()) {
        if (clock.monotonic() > until) return `deliveries are due for ${settleMsMax / 1_000} s`;
        await clock.advance(lookMs);
      }
      this.#resumeAll((id) => deliver.destinations.get(id)?.status === 'disabled');
      const waiting = [...deliver.deliveries.values()].filter(({ state }) => state === 'pending');
      if (waiting.length === 0) return null;
      const dueAt = Math.min(...waiting.map(({ destinationId: id, nextAt }) => this.#dueAt(id, nextAt)));
      this.leap(Math.max(0, dueAt - clock.now()) + 1);
    }
    return 'deliveries wait for longer than all tries take';
  }

  #resumeAll(isWanted: (id: string) => boolean): void {
    for (const number of this.plan.destinations.keys()) {
      const id = destinationId(number);
      if (isWanted(id)) this.owners.changeDestination('resume', id, number);
    }
  }

  #isOpen(id: string): boolean {
    const { deliver } = this.#deps.server.tables;
    return deliver.destinations.get(id)?.status === 'active' && deliver.health.get(id)?.openedAt === null;
  }

  #isSettled(): boolean {
    const { clock, server } = this.#deps;
    const { deliver, outbox } = server.tables;
    const now = clock.now();
    const isHeld = [...deliver.leases.values()].some((row) => row.instanceId !== null && row.until > now);
    const isDue = [...deliver.deliveries.values()].some(
      ({ state, destinationId: id, nextAt }) =>
        state === 'pending' &&
        deliver.destinations.get(id)?.status === 'active' &&
        this.#dueAt(id, nextAt) <= now,
    );
    const isReplaying = [...deliver.replays.values()].some(({ isFinished }) => !isFinished);
    return !isHeld && !isDue && !isReplaying && outbox.length === 0 && !this.owners.isBusy && this.#hasRead;
  }

  get #hasRead(): boolean {
    const { events } = this.#deps.server.tables.deliver;
    const read = [...this.owners.feeds.values()].reduce((sum, feed) => sum + feed.length, 0);
    return read >= events.length;
  }

  /** A circuit or a digest may hold it up. */
  #dueAt(id: string, nextAt: number): number {
    const { health, leases } = this.#deps.server.tables.deliver;
    return Math.max(nextAt, health.get(id)?.nextProbeAt?.getTime() ?? 0, leases.get(id)?.digestAt ?? 0);
  }

  #start(number: number): void {
    const slot = this.#slots[number] as Slot;
    if (slot.courier !== null) return;
    const { world, clock, trace, server, cluster } = this.#deps;
    const name = `courier ${number}.${++slot.lives}`;
    const life = new Life(name, clock, new Random(seedOf(world.seed, `life ${name}`)));
    trace.add(name, 'starts');
    slot.courier = new Courier({ life, server, cluster, locks: this.#locks, receivers: this.receivers });
    slot.courier.start();
  }

  #kill(number: number, downMs: number): void {
    const slot = this.#slots[number] as Slot;
    if (slot.courier === null) return;
    this.#deps.trace.add(slot.courier.life.name, 'is killed');
    this.#end(slot, number, downMs);
  }

  async #terminate(number: number, downMs: number): Promise<void> {
    const slot = this.#slots[number] as Slot;
    const { courier } = slot;
    if (courier === null) return;
    this.#deps.trace.add(courier.life.name, 'is told to stop');
    this.#disturb(downMs);
    await courier.stop();
    if (slot.courier === courier) this.#end(slot, number, downMs);
  }

  #end(slot: Slot, number: number, downMs: number): void {
    this.#disturb(downMs);
    slot.courier?.life.end();
    slot.courier = null;
    this.#deps.clock.deadline(downMs, () => this.#start(number));
  }

  #disturb(ms: number): void {
    const from = this.#deps.clock.monotonic();
    this.disturbances.push({ from, to: from + ms });
  }
}

import type { IngestOutcome } from '../../src/domain/rejection.ts';
import type { Surface } from '../../src/domain/surface.ts';
import { Random } from '../../src/time/random.ts';
import type { SimulatedClock } from '../../src/time/simulated-clock.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { DatabaseServer } from '../database/database-server.ts';
import { HostDisk } from '../disk/host-disk.ts';
import { Life } from '../life.ts';
import { seedOf } from '../part-seed.ts';
import type { Act, Plan } from '../plan.ts';
import type { Trace } from '../trace.ts';
import { Instance } from './instance.ts';

export interface InstancesDeps {
  readonly plan: Plan;
  readonly clock: SimulatedClock;
  readonly trace: Trace;
  readonly server: DatabaseServer;
  readonly cluster: Cluster | null;
  /** Hears why one did not start. */
  readonly troubles: string[];
  readonly onOutcome: (life: string, surface: Surface, outcome: IngestOutcome) => void;
}

interface Slot {
  readonly host: HostDisk;
  instance: Instance | null;
  lives: number;
}

/** The instances on their machines: they are killed, stopped, and start again. */
export class Instances {
  readonly hosts: readonly HostDisk[];
  /** Lives that were killed. */
  readonly killed = new Set<string>();
  /** Lives that stopped in an orderly way. */
  readonly stopped = new Set<string>();
  readonly #deps: InstancesDeps;
  readonly #slots: readonly Slot[];

  constructor(deps: InstancesDeps) {
    this.#deps = deps;
    const { plan } = deps;
    this.hosts = [0, 1].map((number) => new HostDisk(new Random(seedOf(plan.seed, `host ${number}`))));
    this.#slots = plan.hosts.map((host) => ({
      host: this.hosts[host] as HostDisk,
      instance: null,
      lives: 0,
    }));
  }

  /** Null while it is down. */
  at(number: number): Instance | null {
    return this.#slots[number]?.instance ?? null;
  }

  get running(): Instance[] {
    return this.#slots.flatMap(({ instance }) => instance ?? []);
  }

  get areWell(): boolean {
    return this.#slots.every(({ instance }) => instance?.isWell);
  }

  get states(): string[] {
    return this.#slots.map(({ instance }, number) =>
      instance === null ? `${number} is down` : `${number} ${instance.isWell ? 'is well' : 'is not well'}`,
    );
  }

  startAll(): void {
    for (const number of this.#slots.keys()) this.#start(number);
  }

  kill(number: number, downMs: number): void {
    const { clock, trace } = this.#deps;
    const slot = this.#slots[number] as Slot;
    if (slot.instance === null) return;
    trace.add(`instance ${slot.instance.life.name}`, 'is killed');
    this.killed.add(slot.instance.life.name);
    slot.instance.life.end();
    slot.instance = null;
    clock.deadline(downMs, () => this.#start(number));
  }

  killInAStep({ instance: number, steps, isPower, downMs }: Extract<Act, { kind: 'kill in a step' }>): void {
    const { host, instance } = this.#slots[number] as Slot;
    const kill = () =>
      isPower ? this.losePower(this.hosts.indexOf(host), downMs) : this.kill(number, downMs);
    instance?.life.killAfter(steps, kill);
  }

  losePower(hostNumber: number, downMs: number): void {
    const host = this.hosts[hostNumber];
    if (host === undefined) return;
    this.#deps.trace.add(`host ${hostNumber}`, 'loses power');
    for (const [number, slot] of this.#slots.entries()) if (slot.host === host) this.kill(number, downMs);
    host.losePower();
  }

  async terminate(number: number, downMs: number): Promise<void> {
    const { clock, trace } = this.#deps;
    const slot = this.#slots[number] as Slot;
    const { instance } = slot;
    if (instance === null) return;
    trace.add(`instance ${instance.life.name}`, 'is told to stop');
    await instance.stop();
    if (slot.instance !== instance) return;
    trace.add(`instance ${instance.life.name}`, 'has stopped');
    this.stopped.add(instance.life.name);
    instance.life.end();
    slot.instance = null;
    clock.deadline(downMs, () => this.#start(number));
  }

  /** Nothing fails from now on. */
  calmDown(): void {
    for (const host of this.hosts) host.faults.clear();
    for (const [number, { instance }] of this.#slots.entries()) {
      instance?.life.killAfter(Number.POSITIVE_INFINITY, () => {});
      if (instance === null) this.#start(number);
    }
  }

  #start(number: number): void {
    const { plan, clock, trace, server, cluster, troubles, onOutcome } = this.#deps;
    const slot = this.#slots[number] as Slot;
    if (slot.instance !== null) return;
    const name = `${number}.${++slot.lives}`;
    const life = new Life(name, clock, new Random(seedOf(plan.seed, `life ${name}`)));
    trace.add(`instance ${name}`, 'starts');
    const { limits, laneCount, spoolBytesMax } = plan;
    const instance = new Instance({
      ...{ life, host: slot.host, server, cluster, limits, laneCount, spoolBytesMax },
      isDeciding: plan.held !== null,
      onOutcome: (surface, outcome) => {
        if (!life.isOver) onOutcome(name, surface, outcome);
      },
    });
    slot.instance = instance;
    instance.start().catch((error) => troubles.push(`instance ${name} did not start: ${error}`));
  }
}

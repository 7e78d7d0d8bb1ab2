import { keyLifetimeMs } from '../src/domain/lead/idempotency.ts';
import type { IngestOutcome } from '../src/domain/rejection.ts';
import type { Surface } from '../src/domain/surface.ts';
import { shardCount } from '../src/domain/workspace.ts';
import { minuteMs } from '../src/time/clock.ts';
import { Random } from '../src/time/random.ts';
import { othersDone, SimulatedClock } from '../src/time/simulated-clock.ts';
import { Cluster } from './database/cluster.ts';
import { DatabaseServer } from './database/database-server.ts';
import { Server } from './database/server.ts';
import { HostDisk } from './disk/host-disk.ts';
import { Instance } from './instance/instance.ts';
import { Life } from './life.ts';
import type { Act, Plan } from './plan.ts';
import { changeTokens, sealedIdRoot, settle, type Workspace, workspaces } from './senders/cast.ts';
import { isRepeatable, Senders } from './senders/senders.ts';
import { Trace } from './trace.ts';

/** Counted by an instance when it answered. */
export interface Counted {
  readonly life: string;
  readonly surface: Surface;
  readonly outcome: IngestOutcome;
}

/** An instance has found that a node of the cluster accepts no leads. */
export interface Trip {
  readonly life: string;
  readonly address: string;
  /** On the monotonic scale. */
  readonly at: number;
  /** False for an instance that started without the database. */
  readonly isPrepared: boolean;
}

interface Slot {
  readonly host: HostDisk;
  instance: Instance | null;
  lives: number;
  /** Nodes that get no leads from the instance. */
  nodesWithout: readonly string[];
}

const startedAt = Date.UTC(2026, 0, 1);
const calmMsMax = 120_000;
const dayPollMs = 25;

/** Instances, their machines, the database and the senders while a plan runs. */
export class World {
  readonly plan: Plan;
  readonly clock = new SimulatedClock(startedAt);
  readonly trace: Trace;
  readonly server: DatabaseServer;
  readonly cluster: Cluster | null;
  readonly senders: Senders;
  readonly counted: Counted[] = [];
  /** Lives that were killed. */
  readonly killed = new Set<string>();
  /** Lives that stopped in an orderly way. */
  readonly stopped = new Set<string>();
  readonly trips: Trip[] = [];
  /** Unhandled errors of the simulated code, and work that did not finish. */
  readonly troubles: string[] = [];
  /** When the tokens of each workspace changed, on the monotonic scale. */
  readonly tokensChangedAt = new Map<number, number>();
  /** Acts still to come. */
  #left: number;
  #days = 0;
  readonly #slots: Slot[];
  readonly #hosts: HostDisk[];

  constructor(plan: Plan, isTraced: boolean) {
    this.plan = plan;
    this.#left = plan.acts.length;
    this.trace = new Trace(() => this.clock.monotonic(), isTraced);
    const randomOf = (name: string) => new Random(seedOf(plan.seed, name));
    const { limits } = plan;
    this.server = new DatabaseServer(this.clock, randomOf('database'), this.trace, sealedIdRoot, limits);
    settle(this.server, plan.workspaces);
    this.cluster =
      plan.cluster &&
      new Cluster(plan.cluster, this.server, (groupId) => {
        const name = `node ${groupId}`;
        return new Server(name, this.clock, randomOf(name), this.trace);
      });
    this.#hosts = [0, 1].map((number) => new HostDisk(randomOf(`host ${number}`)));
    this.#slots = plan.hosts.map((host) => ({
      host: this.#hosts[host] as HostDisk,
      instance: null,
      lives: 0,
      nodesWithout: [],
    }));
    this.senders = new Senders({
      clock: this.clock,
      random: randomOf('senders'),
      trace: this.trace,
      instance: (number) => this.#slots[number]?.instance ?? null,
      instances: plan.hosts.length,
    });
  }

  async run(): Promise<void> {
    for (const number of this.#slots.keys()) this.#start(number);
    for (const act of this.plan.acts) this.clock.deadline(act.at, () => this.#performInItsTime(act));
    await this.#passUntil(() => this.clock.monotonic() >= this.plan.loadMs, this.plan.loadMs);
    this.#calmDown();
    const isAtRest = () => this.#left === 0 && this.senders.underWay === 0 && this.#isWell;
    if (!(await this.#passUntil(isAtRest, calmMsMax))) this.troubles.push(this.#unrest());
    // Long enough for instances to notice earlier failures and every directory change.
    await this.#passUntil(() => false, 6_000);
    this.#confirm();
    // An instance that has not heard of a removed node spools leads until it does.
    await this.#passUntil(() => this.senders.underWay === 0 && this.#spooledLeads === 0, calmMsMax);
    await this.#flushAll();
    if (this.#spooledLeads > 0) this.troubles.push(`${this.#spooledLeads} leads are left in spools`);
  }

  /** Three times: one may be in progress and fail, the next retries it, and the last writes what was counted in between. */
  async #flushAll(): Promise<void> {
    let left = this.#slots.length;
    for (const { instance } of this.#slots)
      void instance
        ?.flush()
        .then(() => instance.flush())
        .then(() => instance.flush())
        .then(() => left--);
    await this.#passUntil(() => left === 0, calmMsMax);
  }

  get #isWell(): boolean {
    return this.#slots.every(({ instance }) => instance?.isWell) && this.#spooledLeads === 0;
  }

  get #spooledLeads(): number {
    return this.#slots.reduce((sum, { instance }) => sum + (instance?.spooledLeads ?? 0), 0);
  }

  #unrest(): string {
    const states = this.#slots.map(({ instance }, number) =>
      instance === null ? `${number} is down` : `${number} ${instance.isWell ? 'is well' : 'is not well'}`,
    );
    return `no rest: ${states.join(', ')}, ${this.#spooledLeads} leads in spools, ${this.senders.underWay} requests under way`;
  }

  /** True if the condition was met within the time. */
  async #passUntil(isReached: () => boolean, msMax: number): Promise<boolean> {
    const until = this.clock.monotonic() + msMax;
    await othersDone();
    while (!isReached()) {
      if (this.cluster !== null) this.#noteTrips();
      if (!this.clock.step(until)) {
        await this.clock.advance(until - this.clock.monotonic());
        return isReached();
      }
      await othersDone();
    }
    return true;
  }

  #noteTrips(): void {
    for (const slot of this.#slots) {
      const { instance } = slot;
      if (instance === null) continue;
      const { nodesWithout, isPrepared, life } = instance;
      for (const address of nodesWithout)
        if (!slot.nodesWithout.includes(address))
          this.trips.push({ life: life.name, address, at: this.clock.monotonic(), isPrepared });
      slot.nodesWithout = nodesWithout;
    }
  }

  /** A day passes only while no request is in progress. Acts of the next day wait for it. */
  #performInItsTime(act: Act): void {
    const mustWait =
      (act.kind === 'a day passes' && this.senders.inFlight > 0) ||
      (act.kind === 'send' && act.submission.use > this.#days);
    if (!mustWait) {
      this.#left--;
      this.#perform(act);
    } else this.clock.deadline(dayPollMs, () => this.#performInItsTime(act));
  }

  #perform(act: Act): void {
    if (act.kind !== 'send') this.trace.add('fate', JSON.stringify(act));
    const { clock, server } = this;
    switch (act.kind) {
      case 'send':
        this.senders.send(act.submission, act.instance, act.tries);
        break;
      case 'kill':
        this.#kill(act.instance, act.downMs);
        break;
      case 'kill in a step':
        this.#killInAStep(act);
        break;
      case 'power':
        this.#losePower(this.#hosts[act.host], act.downMs);
        break;
      case 'terminate':
        void this.#terminate(act.instance, act.downMs);
        break;
      case 'database':
        server.begin(act.fault);
        clock.deadline(act.forMs, () => server.end(act.fault));
        break;
      case 'node':
        this.#disturbNode(act);
        break;
      case 'move':
        this.#move(act);
        break;
      case 'remove':
        this.#remove(act);
        break;
      case 'disk': {
        const { faults } = this.#hosts[act.host] as HostDisk;
        faults.add(act.fault);
        clock.deadline(act.forMs, () => faults.delete(act.fault));
        break;
      }
      case 'tokens':
        this.tokensChangedAt.set(act.workspace, clock.monotonic());
        changeTokens(server, workspaces[act.workspace] as Workspace, clock.now());
        break;
      case 'a day passes':
        clock.leap(keyLifetimeMs + minuteMs);
        this.#days++;
        this.senders.passDay();
        break;
      case 'forget keys':
        for (let shard = 0; shard < shardCount; shard++)
          server.tables.deleteExpiredKeys(shard, clock.now(), Number.POSITIVE_INFINITY);
    }
  }

  #disturbNode({ node, fault, forMs }: Extract<Act, { kind: 'node' }>): void {
    const { cluster } = this;
    if (cluster === null) return;
    const groupId = cluster.groupAt(node);
    const server = cluster.nodes.get(groupId);
    server?.begin(fault);
    this.clock.deadline(forMs, () => {
      if (!cluster.isRemoved(groupId)) server?.end(fault);
    });
  }

  #move({ bucket, to, closedMs }: Extract<Act, { kind: 'move' }>): void {
    const { cluster } = this;
    if (cluster === null) return;
    cluster.close(bucket);
    this.clock.deadline(closedMs, () => {
      cluster.open(bucket);
      if (to !== null) cluster.move(bucket, cluster.groupAt(to));
    });
  }

  #remove({ node, runsForMs }: Extract<Act, { kind: 'remove' }>): void {
    const { cluster } = this;
    if (cluster === null) return;
    const groupId = cluster.groupAt(node);
    if (cluster.remove(groupId))
      this.clock.deadline(runsForMs, () => cluster.nodes.get(groupId)?.begin('down'));
  }

  #killInAStep({ instance: number, steps, isPower, downMs }: Extract<Act, { kind: 'kill in a step' }>): void {
    const { host, instance } = this.#slots[number] as Slot;
    const kill = () => (isPower ? this.#losePower(host, downMs) : this.#kill(number, downMs));
    instance?.life.killAfter(steps, kill);
  }

  #start(number: number): void {
    const slot = this.#slots[number] as Slot;
    if (slot.instance !== null) return;
    const name = `${number}.${++slot.lives}`;
    const life = new Life(name, this.clock, new Random(seedOf(this.plan.seed, `life ${name}`)));
    this.trace.add(`instance ${name}`, 'starts');
    const { limits, laneCount, spoolBytesMax } = this.plan;
    const instance = new Instance({
      life,
      host: slot.host,
      server: this.server,
      cluster: this.cluster,
      limits,
      laneCount,
      spoolBytesMax,
      onOutcome: (surface, outcome) => {
        if (!life.isOver) this.counted.push({ life: name, surface, outcome });
      },
    });
    slot.instance = instance;
    slot.nodesWithout = [];
    instance.start().catch((error) => this.troubles.push(`instance ${name} did not start: ${error}`));
  }

  #kill(number: number, downMs: number): void {
    const slot = this.#slots[number] as Slot;
    if (slot.instance === null) return;
    this.trace.add(`instance ${slot.instance.life.name}`, 'is killed');
    this.killed.add(slot.instance.life.name);
    slot.instance.life.end();
    slot.instance = null;
    this.clock.deadline(downMs, () => this.#start(number));
  }

  #losePower(host: HostDisk | undefined, downMs: number): void {
    if (host === undefined) return;
    this.trace.add(`host ${this.#hosts.indexOf(host)}`, 'loses power');
    for (const [number, slot] of this.#slots.entries()) if (slot.host === host) this.#kill(number, downMs);
    host.losePower();
  }

  async #terminate(number: number, downMs: number): Promise<void> {
    const slot = this.#slots[number] as Slot;
    const { instance } = slot;
    if (instance === null) return;
    this.trace.add(`instance ${instance.life.name}`, 'is told to stop');
    await instance.stop();
    if (slot.instance !== instance) return;
    this.trace.add(`instance ${instance.life.name}`, 'has stopped');
    this.stopped.add(instance.life.name);
    instance.life.end();
    slot.instance = null;
    this.clock.deadline(downMs, () => this.#start(number));
  }

  #calmDown(): void {
    this.trace.add('fate', 'all is well again');
    this.server.endAll();
    for (const [groupId, node] of this.cluster?.nodes ?? [])
      if (!this.cluster?.isRemoved(groupId)) node.endAll();
    for (const host of this.#hosts) host.faults.clear();
    for (const [number, { instance }] of this.#slots.entries()) {
      instance?.life.killAfter(Number.POSITIVE_INFINITY, () => {});
      if (instance === null) this.#start(number);
    }
  }

  /** Sends everything again that can be retried. */
  #confirm(): void {
    const seen = new Set<number>();
    const use = this.plan.acts.some(({ kind }) => kind === 'a day passes') ? 1 : 0;
    for (const { submission } of [...this.senders.ledger]) {
      if (seen.has(submission.number) || !isRepeatable(submission) || submission.use < use) continue;
      seen.add(submission.number);
      this.senders.send(submission, submission.number % this.plan.hosts.length, 1, true);
    }
  }
}

/** A separate generator per part, so that the random choices of one do not depend on those of another. */
function seedOf(seed: number, name: string): number {
  let mixed = seed ^ 0x9e3779b9;
  for (let at = 0; at < name.length; at++) mixed = Math.imul(mixed ^ name.charCodeAt(at), 0x01000193);
  return mixed;
}

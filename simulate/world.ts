import { keyLifetimeMs } from '../src/domain/lead/idempotency.ts';
import type { IngestOutcome } from '../src/domain/rejection.ts';
import type { Surface } from '../src/domain/surface.ts';
import { shardCount } from '../src/domain/workspace.ts';
import { minuteMs } from '../src/time/clock.ts';
import { Random } from '../src/time/random.ts';
import { othersDone, SimulatedClock } from '../src/time/simulated-clock.ts';
import { Cluster } from './cluster/cluster.ts';
import { performOnCluster } from './cluster/fate.ts';
import { type Trip, TripWatch } from './cluster/trip-watch.ts';
import { DatabaseServer } from './database/database-server.ts';
import { Server } from './database/server.ts';
import { DeliveryWorld } from './deliver/delivery-world.ts';
import type { HostDisk } from './disk/host-disk.ts';
import { HeldWorld } from './held/held-world.ts';
import { Instances } from './instance/instances.ts';
import { seedOf } from './part-seed.ts';
import type { Act, Plan } from './plan.ts';
import { changeTokens, sealedIdRoot, settle, type Workspace, workspaces } from './senders/cast.ts';
import { Senders } from './senders/senders.ts';
import { Trace } from './trace.ts';

/** Counted by an instance when it answered. */
export interface Counted {
  readonly life: string;
  readonly surface: Surface;
  readonly outcome: IngestOutcome;
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
  readonly delivery: DeliveryWorld | null;
  readonly held: HeldWorld | null;
  readonly counted: Counted[] = [];
  readonly instances: Instances;
  readonly #tripWatch = new TripWatch();
  readonly trips: readonly Trip[] = this.#tripWatch.trips;
  /** Unhandled errors of the simulated code, and work that did not finish. */
  readonly troubles: string[] = [];
  /** When the tokens of each workspace changed, on the monotonic scale. */
  readonly tokensChangedAt = new Map<number, number>();
  /** Acts still to come. */
  #left: number;
  #days = 0;

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
    const { clock, trace, server, cluster, troubles } = this;
    this.instances = new Instances({
      ...{ clock, trace, server, cluster, plan, troubles },
      onOutcome: (life, surface, outcome) => this.counted.push({ life, surface, outcome }),
    });
    const instanceOf = (number: number) => this.instances.at(number);
    this.senders = new Senders({
      clock: this.clock,
      random: randomOf('senders'),
      trace: this.trace,
      instance: instanceOf,
      instances: plan.hosts.length,
    });
    this.delivery =
      plan.delivery && new DeliveryWorld({ clock, trace, server, cluster, world: plan, plan: plan.delivery });
    const deciderOf = (number: number) => instanceOf(number)?.decider ?? null;
    this.held =
      plan.held && new HeldWorld({ clock, server, cluster, world: plan, plan: plan.held, deciderOf });
  }

  async run(): Promise<void> {
    this.instances.startAll();
    this.delivery?.start();
    for (const act of this.plan.acts) this.clock.deadline(act.at, () => this.#performInItsTime(act));
    await this.#passUntil(() => this.clock.monotonic() >= this.plan.loadMs, this.plan.loadMs);
    this.#calmDown();
    const isAtRest = () =>
      this.#left === 0 && this.senders.underWay === 0 && this.#isWell && this.held?.isAtRest !== false;
    if (!(await this.#passUntil(isAtRest, calmMsMax))) this.troubles.push(this.#unrest());
    // Long enough for instances to notice earlier failures and every directory change.
    await this.#passUntil(() => false, 6_000);
    if (this.held?.plan.admitsFirst) await this.#admitAll();
    this.senders.confirm(this.#days);
    // An instance that has not heard of a removed node spools leads until it does.
    await this.#passUntil(() => this.senders.underWay === 0 && this.#spooledLeads === 0, calmMsMax);
    await this.#flushAll();
    if (this.#spooledLeads > 0) this.troubles.push(`${this.#spooledLeads} leads are left in spools`);
    await this.#admitAll();
    // From here on days pass, and nobody sends leads.
    for (const { life } of this.instances.running) life.end();
    const trouble = await this.delivery?.finish();
    if (trouble != null) this.troubles.push(trouble);
  }

  /** Three times: one may be in progress and fail, the next retries it, and the last writes what was counted in between. */
  async #flushAll(): Promise<void> {
    const { running } = this.instances;
    let left = running.length;
    for (const instance of running)
      void instance
        .flush()
        .then(() => instance.flush())
        .then(() => instance.flush())
        .then(() => left--);
    await this.#passUntil(() => left === 0, calmMsMax);
  }

  /** What was rejected, and is not decided. */
  async #admitAll(): Promise<void> {
    this.held?.admitAll();
    if (!(await this.#passUntil(() => this.held?.isAtRest !== false, calmMsMax)))
      this.troubles.push('owners wait for decisions');
  }

  get #isWell(): boolean {
    return this.instances.areWell && this.#spooledLeads === 0;
  }

  get #spooledLeads(): number {
    return this.instances.running.reduce((sum, { spooledLeads }) => sum + spooledLeads, 0);
  }

  #unrest(): string {
    return `no rest: ${this.instances.states.join(', ')}, ${this.#spooledLeads} leads in spools, ${this.senders.underWay} requests under way`;
  }

  /** True if the condition was met within the time. */
  async #passUntil(isReached: () => boolean, msMax: number): Promise<boolean> {
    const until = this.clock.monotonic() + msMax;
    await othersDone();
    while (!isReached()) {
      for (const instance of this.cluster === null ? [] : this.instances.running)
        this.#tripWatch.look(instance, this.clock.monotonic());
      if (!this.clock.step(until)) {
        await this.clock.advance(until - this.clock.monotonic());
        return isReached();
      }
      await othersDone();
    }
    return true;
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
        this.instances.kill(act.instance, act.downMs);
        break;
      case 'kill in a step':
        this.instances.killInAStep(act);
        break;
      case 'power':
        this.instances.losePower(act.host, act.downMs);
        break;
      case 'terminate':
        void this.instances.terminate(act.instance, act.downMs);
        break;
      case 'database':
        server.begin(act.fault);
        clock.deadline(act.forMs, () => server.end(act.fault));
        break;
      case 'node':
      case 'move':
      case 'remove':
        if (this.cluster !== null) performOnCluster(act, this.cluster, clock);
        break;
      case 'disk': {
        const { faults } = this.instances.hosts[act.host] as HostDisk;
        faults.add(act.fault);
        clock.deadline(act.forMs, () => faults.delete(act.fault));
        break;
      }
      case 'tokens':
        this.tokensChangedAt.set(act.workspace, clock.monotonic());
        changeTokens(server, workspaces[act.workspace] as Workspace, clock.now());
        break;
      case 'a day passes':
        (this.delivery ?? clock).leap(keyLifetimeMs + minuteMs);
        this.#days++;
        this.senders.passDay();
        break;
      case 'forget keys':
        for (let shard = 0; shard < shardCount; shard++)
          server.tables.deleteExpiredKeys(shard, clock.now(), Number.POSITIVE_INFINITY);
        break;
      case 'form':
      case 'held':
        this.held?.perform(act);
        break;
      default:
        this.delivery?.perform(act);
    }
  }

  #calmDown(): void {
    this.trace.add('fate', 'all is well again');
    this.server.endAll();
    for (const [groupId, node] of this.cluster?.nodes ?? [])
      if (!this.cluster?.isRemoved(groupId)) node.endAll();
    this.instances.calmDown();
    this.delivery?.calmDown();
  }
}

import type { AdmissionChoices } from '../../src/manage/held/admit.ts';
import { Random } from '../../src/time/random.ts';
import { seededRandomness } from '../../src/time/randomness.ts';
import type { SimulatedClock } from '../../src/time/simulated-clock.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { DatabaseServer } from '../database/database-server.ts';
import { type Asking, ask } from '../database/deliver/deliver-client.ts';
import { listChosen } from '../database/held/held-decision-client.ts';
import type { HeldRequest } from '../database/held/held-rows.ts';
import { Life } from '../life.ts';
import { seedOf } from '../part-seed.ts';
import { changeForm, type Workspace, workspaces } from '../senders/cast.ts';
import type { Decider } from './decider.ts';
import type { HeldAct, HeldPlan } from './held-plan.ts';

export interface HeldWorldDeps {
  readonly world: { readonly seed: number; readonly workspaces: number; readonly hosts: readonly number[] };
  readonly plan: HeldPlan;
  readonly clock: SimulatedClock;
  readonly server: DatabaseServer;
  readonly cluster: Cluster | null;
  /** Null while the instance is down. */
  readonly deciderOf: (instance: number) => Decider | null;
}

interface Wanted {
  readonly kind: 'admission' | 'discard';
  readonly workspaceId: string;
  /** All of them without it. */
  readonly ids?: readonly string[];
  readonly excludeTwins: boolean;
}

const by = 'Ada';
const againMs = 500;
const patienceMs = 8_000;
const triesMax = 6;

/** Owners who turn forms off for a while, and decide about what was rejected. They repeat what failed. */
export class HeldWorld {
  readonly plan: HeldPlan;
  /** When the form of each workspace became inactive first, on the monotonic scale. */
  readonly closedAt = new Map<number, number>();
  /** The ids that each selection had at its start. */
  readonly chosen = new Map<string, readonly string[]>();
  readonly #deps: HeldWorldDeps;
  readonly #asking: Asking;
  readonly #random: Random;
  readonly #newId: () => string;
  #busy = 0;

  constructor(deps: HeldWorldDeps) {
    const { world, plan, clock, server, cluster } = deps;
    this.#deps = deps;
    this.plan = plan;
    this.#random = new Random(seedOf(world.seed, 'held'));
    const life = new Life('owners of rejected requests', clock, this.#random);
    this.#asking = { server, cluster, life };
    const randomness = seededRandomness(this.#random, clock);
    this.#newId = () => randomness.uuid();
  }

  /** Nobody waits for a decision, and all forms are active. */
  get isAtRest(): boolean {
    const decisions = this.#deps.server.tables.held.decisions.rows.values();
    return this.#busy === 0 && decisions.every(({ finishedAt }) => finishedAt !== null);
  }

  perform(act: HeldAct): void {
    if (act.kind === 'form') this.#closeForm(act.workspace, act.forMs);
    else this.#decide(act);
  }

  /** Everything that is left in any workspace. */
  admitAll(): void {
    for (const { id: workspaceId } of workspaces.slice(0, this.#deps.world.workspaces))
      this.#select({ kind: 'admission', workspaceId, excludeTwins: true });
  }

  #closeForm(number: number, forMs: number): void {
    const { clock, server } = this.#deps;
    const workspace = workspaces[number] as Workspace;
    if (!this.closedAt.has(number)) this.closedAt.set(number, clock.monotonic());
    changeForm(server, workspace, false);
    this.#busy++;
    clock.deadline(forMs, () => {
      this.#busy--;
      changeForm(server, workspace, true);
    });
  }

  /** Also about those that were decided before: the page may be old. */
  #decide({ does, pick, instances, excludeTwins }: Extract<HeldAct, { kind: 'held' }>): void {
    const requests = [...this.#deps.server.tables.held.requests.values()];
    const place = Math.floor(pick * requests.length);
    const request = requests[place];
    if (request === undefined) return;
    const { workspaceId, id } = request;
    if (does === 'admit some' || does === 'discard some') {
      const kind = does === 'admit some' ? 'admission' : 'discard';
      const isAll = kind === 'admission' && excludeTwins;
      const ids = idsOf(requests.slice(place, place + 3), workspaceId);
      this.#select({ kind, workspaceId, excludeTwins, ...(isAll ? {} : { ids }) });
      return;
    }
    const choices: AdmissionChoices = { by, deliver: true, excludeTwins, decisionId: null };
    for (const instance of instances)
      void this.#insist(instance, (decider) =>
        does === 'admit' ? decider.admit(workspaceId, id, choices) : decider.discard(workspaceId, id, by),
      );
  }

  /** startDecision of src/manage/held. The same selection is not started twice. */
  #select({ kind, workspaceId, ids, excludeTwins }: Wanted): void {
    const { server } = this.#deps;
    const { held } = server.tables;
    const id = this.#newId();
    const work = () => {
      if (held.decisions.rows.has(id)) return;
      const now = new Date(this.#deps.clock.now());
      const selection = ids === undefined ? {} : { ids };
      const admissibleOf = kind === 'admission' ? server.directory.formIds(workspaceId) : null;
      const chosen = listChosen(
        held,
        workspaceId,
        { selection, now, admissibleOf },
        Number.POSITIVE_INFINITY,
      );
      const last = chosen.at(-1);
      if (last === undefined) return;
      this.chosen.set(
        id,
        chosen.map((one) => one.id),
      );
      held.decisions.insert({
        ...{ id, workspaceId, kind, deliver: true, total: chosen.length, done: 0, decided: 0, afterId: null },
        selection: { ...selection, exclude_twins: excludeTwins, last_id: last.id },
        ...{ createdAt: now, createdBy: by, stoppedAt: null, finishedAt: null },
      });
    };
    void this.#insist(null, () => ask(this.#asking, { name: 'select', work }));
  }

  /** On any instance, after the first one failed; without one, by themselves. */
  async #insist(first: number | null, action: (decider: Decider) => Promise<unknown>): Promise<void> {
    const { clock, world, deciderOf } = this.#deps;
    this.#busy++;
    let instance = first;
    for (let tries = 0; tries < triesMax || first === null; tries++) {
      const decider = instance === null ? null : deciderOf(instance);
      if (await this.#try(first === null || decider !== null, () => action(decider as Decider))) break;
      await clock.sleep(againMs);
      if (first !== null) instance = this.#random.integer(0, world.hosts.length - 1);
    }
    this.#busy--;
  }

  /** An instance that is killed meanwhile never responds. */
  #try(isUp: boolean, action: () => Promise<unknown>): Promise<boolean> {
    if (!isUp) return Promise.resolve(false);
    return new Promise((resolve) => {
      const cancel = this.#deps.clock.deadline(patienceMs, () => resolve(false));
      const end = (isDone: boolean) => {
        cancel();
        resolve(isDone);
      };
      action().then(
        () => end(true),
        () => end(false),
      );
    });
  }
}

function idsOf(requests: readonly HeldRequest[], workspaceId: string): string[] {
  return requests.flatMap((one) => (one.workspaceId === workspaceId ? one.id : []));
}

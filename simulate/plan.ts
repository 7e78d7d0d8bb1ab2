import type { RateLimits } from '../src/domain/rate-window.ts';
import { rateLimits } from '../src/domain/rate-window.ts';
import type { Surface } from '../src/domain/surface.ts';
import { Random } from '../src/time/random.ts';
import type { ClusterShape } from './cluster/cluster.ts';
import type { DatabaseFault } from './database/server.ts';
import {
  type DeliveryAct,
  type DeliveryPlan,
  deliveryActs,
  deliveryPlanOf,
} from './deliver/delivery-plan.ts';
import type { DiskFault } from './disk/host-disk.ts';
import { type HeldAct, type HeldPlan, heldActs, heldPlanOf, type Traffic } from './held/held-plan.ts';
import type { Credential, SendAct, Submission } from './senders/submission.ts';

export type Act = { readonly at: number } & (
  | SendAct
  | { readonly kind: 'kill'; readonly instance: number; readonly downMs: number }
  /** Killed during one of its next steps. */
  | {
      readonly kind: 'kill in a step';
      readonly instance: number;
      readonly steps: number;
      readonly isPower: boolean;
      readonly downMs: number;
    }
  | { readonly kind: 'power'; readonly host: number; readonly downMs: number }
  | { readonly kind: 'terminate'; readonly instance: number; readonly downMs: number }
  | { readonly kind: 'database'; readonly fault: DatabaseFault; readonly forMs: number }
  | { readonly kind: 'node'; readonly node: number; readonly fault: DatabaseFault; readonly forMs: number }
  /** A bucket is closed for a while, and is then on another node, or where it was if `to` is null. */
  | { readonly kind: 'move'; readonly bucket: number; readonly to: number | null; readonly closedMs: number }
  /** A node is emptied, and stopped a while later. */
  | { readonly kind: 'remove'; readonly node: number; readonly runsForMs: number }
  | { readonly kind: 'disk'; readonly host: number; readonly fault: DiskFault; readonly forMs: number }
  | { readonly kind: 'tokens'; readonly workspace: number }
  /** More than the lifetime of a key, in which nobody sends anything. */
  | { readonly kind: 'a day passes' }
  | { readonly kind: 'forget keys' }
  | DeliveryAct
  | HeldAct
);

/** Everything that is decided in advance. What is decided later, such as the duration of a call, depends on the seed too. */
export interface Plan {
  readonly seed: number;
  readonly loadMs: number;
  readonly workspaces: number;
  /** Null for one server. */
  readonly cluster: ClusterShape | null;
  /** Null without destinations. */
  readonly delivery: DeliveryPlan | null;
  /** Null if owners do not decide about rejected requests. */
  readonly held: HeldPlan | null;
  /** The machine of each instance. */
  readonly hosts: readonly number[];
  readonly laneCount: number;
  readonly limits: RateLimits;
  readonly spoolBytesMax: number;
  readonly acts: readonly Act[];
}

const databaseFaults: readonly DatabaseFault[] = [
  'down',
  'down',
  'cutting',
  'deaf',
  'slow',
  'silent',
  'read-only',
  'contended',
];
const diskFaults: readonly DiskFault[] = ['io', 'full', 'slow'];

const clusterShare = 0.4;
/** The last shard of a workspace: those after it have no leads. */
const usedShards = 2;
/** Clusters have their own generator, so that they change no plan of one server. */
const clusterSeed = 0x636974;
/** And so have deliveries. */
const deliverySeed = 0x64656c;
const kindSeed = 0x6b696e;
const heldSeed = 0x68656c;

export function planOf(seed: number): Plan {
  const random = new Random(seed);
  const loadMs = random.integer(2_000, 15_000);
  const hostCount = random.integer(1, 2);
  const hosts = Array.from({ length: random.integer(1, 3) }, (_, place) => place % hostCount);
  const cluster = clusterOf(new Random(seed ^ clusterSeed));
  const workspaces = Math.max(random.integer(1, 3), cluster === null ? 1 : 2);
  const delivery = deliveryPlanOf(new Random(seed ^ deliverySeed), new Random(seed ^ kindSeed), workspaces);
  const held = heldPlanOf(new Random(seed ^ heldSeed));
  const isLimited = random.chance(0.2);
  const dayAt = random.chance(0.15) ? random.between(loadMs / 4, loadMs) : Number.POSITIVE_INFINITY;
  const traffic = { loadMs, workspaces, dayAt, instances: hosts.length };
  return {
    seed,
    loadMs,
    workspaces,
    cluster,
    delivery,
    held,
    hosts,
    laneCount: random.integer(1, 2),
    limits: isLimited
      ? { perMinuteMax: random.integer(3, 12), perDayMax: random.integer(8, 30) }
      : rateLimits,
    spoolBytesMax: random.chance(0.15) ? 300_000 : 2 ** 26,
    acts: [
      ...sends(random, traffic),
      ...faults(random, loadMs, hosts),
      ...changes(random, loadMs, workspaces),
      ...clusterActs(new Random(~seed ^ clusterSeed), loadMs, cluster),
      ...deliveryActs(new Random(~seed ^ deliverySeed), loadMs, delivery),
      ...heldActs(new Random(~seed ^ heldSeed), traffic, held),
      ...(dayAt < loadMs ? [{ at: dayAt, kind: 'a day passes' } as const] : []),
    ].toSorted((a, b) => a.at - b.at),
  };
}

function sends(random: Random, { loadMs, workspaces, instances, dayAt }: Traffic): Act[] {
  const acts: Extract<Act, { kind: 'send' }>[] = [];
  const count = random.integer(5, 60);
  let at = 0;
  for (let number = 0; number < count; number++) {
    // Some come in a crowd.
    if (!random.chance(0.4)) at = random.between(0, loadMs);
    const use = at < dayAt ? 0 : 1;
    const earlier = acts.length > 0 && random.chance(0.25) ? random.pick(acts) : null;
    const base = earlier && repeatOf(earlier.submission, { number, use }, random);
    const submission = base ?? newSubmission({ number, use }, random, workspaces);
    const instance = random.integer(0, instances - 1);
    acts.push({ at, kind: 'send', submission, instance, tries: random.integer(1, 6) });
  }
  return acts;
}

function newSubmission(
  { number, use }: Pick<Submission, 'number' | 'use'>,
  random: Random,
  workspaces: number,
): Submission {
  const surface = random.chance(0.55) ? 'server' : 'webhook';
  const key = random.chance(0.6) ? number : null;
  return {
    number,
    workspace: random.integer(0, workspaces - 1),
    surface,
    credential: credentialOf(random, surface),
    key,
    use,
    body: number,
    bodyBytes: random.chance(0.05) ? random.integer(17_000, 40_000) : random.integer(150, 900),
    isUnreadable: false,
    isSignedOnce: surface === 'webhook' && (key === null || random.chance(0.3)),
    packets: random.chance(0.2) ? random.integer(2, 3) : 1,
  };
}

function credentialOf(random: Random, surface: Surface): Credential {
  if (random.chance(0.05)) return 'bad';
  if (surface === 'webhook' || !random.chance(0.15)) return 'good';
  return random.pick(['late', 'early'] as const);
}

/** A retry with the same body, another body or an unreadable one. Null when a retry cannot be recognised. */
function repeatOf(
  earlier: Submission,
  next: Pick<Submission, 'number' | 'use'>,
  random: Random,
): Submission | null {
  if (earlier.key === null) return earlier.isSignedOnce && earlier.use === next.use ? earlier : null;
  if (earlier.use === next.use && random.chance(0.6)) return earlier;
  const isUnreadable = earlier.use === next.use && random.chance(0.3);
  return { ...earlier, ...next, body: next.number, isUnreadable, isSignedOnce: false };
}

function faults(random: Random, loadMs: number, hosts: readonly number[]): Act[] {
  if (random.chance(0.1)) return [];
  const acts: Act[] = [];
  const some = (max: number, act: (at: number) => Act) => {
    for (let count = random.integer(0, max); count > 0; count--) acts.push(act(random.between(0, loadMs)));
  };
  const forMs = () => random.pick([random.between(5, 300), random.between(300, 6_000)]);
  const instance = () => random.integer(0, hosts.length - 1);
  const host = () => random.pick(hosts);
  const downMs = () => random.pick([random.between(1, 50), random.between(50, 3_000)]);
  some(4, (at) => ({ at, kind: 'database', fault: random.pick(databaseFaults), forMs: forMs() }));
  some(2, (at) => ({ at, kind: 'disk', host: host(), fault: random.pick(diskFaults), forMs: forMs() }));
  some(2, (at) => ({ at, kind: 'kill', instance: instance(), downMs: downMs() }));
  some(3, (at) => ({
    at,
    kind: 'kill in a step',
    instance: instance(),
    steps: random.integer(1, 40),
    isPower: random.chance(0.5),
    downMs: downMs(),
  }));
  some(1, (at) => ({ at, kind: 'power', host: host(), downMs: downMs() }));
  some(1, (at) => ({ at, kind: 'terminate', instance: instance(), downMs: downMs() }));
  return acts;
}

function changes(random: Random, loadMs: number, workspaces: number): Act[] {
  const acts: Act[] = [];
  for (let workspace = 0; workspace < workspaces; workspace++)
    acts.push({ at: random.between(0, loadMs), kind: 'tokens', workspace });
  if (random.chance(0.3)) acts.push({ at: random.between(0, loadMs), kind: 'forget keys' });
  return acts;
}

function clusterOf(random: Random): ClusterShape | null {
  if (!random.chance(clusterShare)) return null;
  return {
    nodes: random.integer(2, 3),
    hasLeadsOnCoordinator: random.chance(0.2),
    shardsPerBucket: random.integer(1, 2),
    isDelegated: random.chance(0.25),
  };
}

function clusterActs(random: Random, loadMs: number, cluster: ClusterShape | null): Act[] {
  if (cluster === null || random.chance(0.1)) return [];
  const acts: Act[] = [];
  const some = (max: number, act: (at: number) => Act) => {
    for (let count = random.integer(0, max); count > 0; count--) acts.push(act(random.between(0, loadMs)));
  };
  const node = () => random.integer(0, cluster.nodes - 1);
  const forMs = () => random.pick([random.between(5, 300), random.between(300, 6_000)]);
  some(4, (at) => ({ at, kind: 'node', node: node(), fault: random.pick(databaseFaults), forMs: forMs() }));
  some(random.chance(0.25) ? 40 : 4, (at) => ({
    at,
    kind: 'move',
    bucket: random.integer(0, usedShards / cluster.shardsPerBucket),
    to: random.chance(0.8) ? node() : null,
    closedMs: random.pick([0, random.between(1, 400), random.between(200, 3_000)]),
  }));
  if (random.chance(0.3))
    acts.push({ at: random.between(0, loadMs), kind: 'remove', node: node(), runsForMs: forMs() });
  return acts;
}

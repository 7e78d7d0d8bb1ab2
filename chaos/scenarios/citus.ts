import { setTimeout as sleep } from 'node:timers/promises';
import type { Span } from '../check/bystanders.ts';
import type { Attempt } from '../load/order.ts';
import type { Scenario, Stage } from '../scenario.ts';
import { type Bucket, type CitusWorld, routes, type TransferMode } from '../world/citus/citus-world.ts';
import type { Postgres } from '../world/postgres.ts';
import { untilQuiet } from '../world/quiet.ts';
import { judge, judgeLimits } from './citus-judges.ts';

/** Even on a slow machine, each kind of fault happens. */
const cyclesMin = 2;
const quietMsMax = 15_000;
const settleMsMax = 120_000;
const modes = ['block_writes', 'force_logical'] as const;

/** Injects one fault and says what it should not affect. */
type Fault = (
  stage: Stage,
  citus: CitusWorld,
  cycle: number,
) => Promise<Pick<Span, 'isUnaffected' | 'mayOpen'>>;

const usual = { hasCluster: true, seconds: 90, judge };

/**
 * A coordinator and three nodes. One instance goes straight to the nodes, the other lets the coordinator delegate; senders
 * use both.
 */
export const citusScenarios: readonly Scenario[] = [
  {
    ...usual,
    name: 'citus node kill',
    about: 'kill -9 of a node, alone or with all its processes; it comes back after some seconds',
    faults: repeated(async (stage, citus, cycle) => {
      const node = stage.random.pick(citus.cluster.nodes);
      const isUnaffected = await notOn(stage, citus, [node.port]);
      await loseFor(stage, node, cycle);
      return { isUnaffected, mayOpen: (lost) => lost === node.port };
    }),
  },
  {
    ...usual,
    name: 'citus coordinator kill',
    about: 'kill -9 of the coordinator; leads that go straight to the nodes are stored as before',
    faults: repeated(async (stage, citus, cycle) => {
      const direct = stage.instances[routes.indexOf('direct')]?.port;
      await loseFor(stage, citus.cluster.coordinator, cycle);
      return {
        isUnaffected: ({ port }) => port === direct,
        mayOpen: (_node, instance) => instance !== direct,
      };
    }),
  },
  {
    ...usual,
    name: 'citus bucket move',
    about: 'a bucket with leads is moved to another node, with its writes blocked or by logical replication',
    faults: repeated(async (stage, citus, cycle) => {
      const { bucket, target } = await pickMove(stage, citus);
      const isUnaffected = await notOn(stage, citus, [bucket.nodePort, target.port]);
      await citus.move(bucket, target, modes[cycle % modes.length] as TransferMode);
      return { isUnaffected, mayOpen: () => false };
    }),
  },
  {
    ...usual,
    name: 'citus rebalance',
    about: 'two nodes are added one after the other, and the buckets spread over all nodes each time',
    faults: repeated(async (stage, citus, cycle) => {
      const before = await placesOf(stage, citus);
      const node = await citus.addNode();
      await citus.rebalance(modes[cycle] as TransferMode);
      const after = await placesOf(stage, citus);
      const moved = (await citus.buckets()).filter(({ nodePort }) => nodePort === node.port).length;
      stage.note(`${moved} buckets were moved to the new node (${modes[cycle]})`);
      if (moved === 0) stage.fault('no bucket was moved to the new node');
      return {
        isUnaffected: ({ workspaceId }) =>
          before.get(workspaceId)?.nodePort === after.get(workspaceId)?.nodePort,
        mayOpen: () => false,
      };
    }, modes.length),
  },
  {
    ...usual,
    name: 'citus limits',
    about: 'workspaces exceed their rate limit while the node of one is killed and its bucket moved',
    senders: 6,
    // A lead with a key counts as unanswered if it is refused.
    traffic: { serverShare: 1, keyedShare: 0, invalidShare: 0, largeShare: 0 },
    judge: judgeLimits,
    faults: repeated(async (stage, citus, cycle) => {
      const [node, ...others] = citus.cluster.nodes as [Postgres, ...Postgres[]];
      const onNode = [...(await placesOf(stage, citus)).values()].filter(
        ({ nodePort }) => nodePort === node.port,
      );
      const isUnaffected = await notOn(stage, citus, [node.port]);
      const bucket = onNode[0];
      // One sender stays there to be affected again.
      if (cycle % 2 === 0 || bucket === undefined || onNode.length === 1) await loseFor(stage, node, cycle);
      else await citus.move(bucket, stage.random.pick(others), stage.random.pick(modes));
      return { isUnaffected, mayOpen: (lost) => lost === node.port };
    }),
  },
];

/** A quiet phase, then the fault again and again, each time when all leads of the one before are stored. */
function repeated(fault: Fault, cyclesMax = Number.POSITIVE_INFINITY) {
  return async (stage: Stage) => {
    const citus = stage.citus as CitusWorld;
    const quietMs = Math.min(quietMsMax, stage.seconds * 250);
    // The first leads find everything cold.
    await sleep(quietMs / 3);
    const from = Date.now();
    await sleep(quietMs);
    citus.quiet = { from, to: Date.now(), isUnaffected: () => true, mayOpen: () => false };
    let cycle = 0;
    for (; cycle < cyclesMin || (cycle < cyclesMax && Date.now() < stage.endsAt); cycle++) {
      const from = Date.now();
      const scope = await fault(stage, citus, cycle);
      citus.faults.push({ from, to: Date.now(), ...scope });
      await untilQuiet(stage.instances, settleMsMax);
    }
    stage.note(`the fault was repeated ${cycle} times`);
    await sleep(Math.max(0, stage.endsAt - Date.now()));
  };
}

async function loseFor(stage: Stage, server: Postgres, cycle: number): Promise<void> {
  await (cycle % 2 === 0 ? server.kill() : server.killAll());
  await sleep(stage.random.between(1_000, 6_000) * Math.min(1, stage.seconds / 60));
  await server.start();
}

/** A bucket that a sender uses, and a node that it is not on. */
async function pickMove(stage: Stage, citus: CitusWorld): Promise<{ bucket: Bucket; target: Postgres }> {
  const bucket = stage.random.pick([...(await placesOf(stage, citus)).values()]);
  const others = citus.cluster.nodes.filter(({ port }) => port !== bucket.nodePort);
  return { bucket, target: stage.random.pick(others) };
}

async function notOn(stage: Stage, citus: CitusWorld, ports: readonly (number | null)[]) {
  const places = await placesOf(stage, citus);
  return ({ workspaceId }: Attempt) => !ports.includes(places.get(workspaceId)?.nodePort ?? null);
}

function placesOf({ senders }: Stage, citus: CitusWorld): Promise<Map<string, Bucket>> {
  return citus.places(senders.map(({ workspaceId }) => workspaceId));
}

import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import type { IngestNode } from '../../db/ingest/ingest-database.ts';
import { secondMs } from '../../time/clock.ts';
import { SimulatedClock } from '../../time/simulated-clock.ts';
import { Circuits } from './circuits.ts';

const nodeAt = (address: string | null) =>
  ({ address, probe: () => Promise.reject(new Error('down')) }) as Partial<IngestNode> as IngestNode;

function createWorld() {
  const nodes = { even: nodeAt(null), odd: nodeAt(null) };
  nodes.odd = nodes.even;
  const clock = new SimulatedClock(0);
  let probes = 0;
  const circuits = new Circuits({
    database: {
      nodeOf: (shard) => (shard % 2 === 0 ? nodes.even : nodes.odd),
      // Four shards each.
      bucketOf: (shard) => Math.floor(shard / 4),
      async probeShard() {
        probes++;
        throw new Error('closed');
      },
    },
    prepareDatabase: async () => {},
    clock,
    log: pino({ level: 'silent' }),
  });
  onTestFinished(() => circuits.stop());
  return { nodes, circuits, clock, probes: () => probes };
}

test('only nodes that have shards count, and not the server that stood for them before they were known', () => {
  const { nodes, circuits } = createWorld();
  expect(circuits.areAllOpen).toBe(false);
  Object.assign(nodes, { even: nodeAt('a'), odd: nodeAt('b') });
  circuits.trip(nodes.even, new Error('lost'));
  expect([circuits.isAnyOpen, circuits.areAllOpen]).toEqual([true, false]);
  circuits.trip(nodes.odd, new Error('lost'));
  expect(circuits.areAllOpen).toBe(true);
  // Its shards have moved, and nothing depends on it any more.
  Object.assign(nodes, { even: nodeAt('c'), odd: nodeAt('c') });
  nodes.odd = nodes.even;
  expect(circuits.isAnyOpen).toBe(false);
  expect(circuits.nodes).toEqual([{ address: 'c', isAvailable: true }]);
});

test('a bucket that is being moved closes all of its shards at once, and no others', () => {
  const { circuits } = createWorld();
  circuits.close(5);
  expect([3, 4, 5, 6, 7, 8].filter((shard) => circuits.isOpen(shard))).toEqual([4, 5, 6, 7]);
});

test('nothing is probed after a stop', async () => {
  const { circuits } = createWorld();
  await circuits.stop();
  circuits.close(0);
  expect(circuits.isOpen(0)).toBe(false);
});

test('a node that is down is found without a lead for it, by its second failed probe, and found again when it is back', async () => {
  const { nodes, circuits, clock } = createWorld();
  let isUp = true;
  const watched = { address: 'a', probe: async () => (isUp ? undefined : Promise.reject(new Error('down'))) };
  const node = watched as Partial<IngestNode> as IngestNode;
  Object.assign(nodes, { even: node, odd: node });
  circuits.start();
  const after = async (ms: number) => {
    await clock.advance(ms);
    return circuits.nodes;
  };
  const available = [{ address: 'a', isAvailable: true }];
  expect(await after(20 * secondMs)).toEqual(available);
  isUp = false;
  expect(await after(5 * secondMs)).toEqual(available);
  expect(await after(5 * secondMs)).toEqual([{ address: 'a', isAvailable: false }]);
  isUp = true;
  expect(await after(secondMs)).toEqual(available);
});

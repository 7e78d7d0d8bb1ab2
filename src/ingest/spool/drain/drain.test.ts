import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import type { StorableLead } from '../../../db/ingest/ingest-commit.ts';
import type { IngestNode } from '../../../db/ingest/ingest-database.ts';
import type { DrainException, SpooledLead } from '../../../db/ingest/ingest-drain.ts';
import { realDisk } from '../../../disk/real-disk.ts';
import { rateLimits } from '../../../domain/rate-window.ts';
import { systemRandomness } from '../../../time/randomness.ts';
import { systemClock } from '../../../time/real-clock.ts';
import type { Circuits } from '../../circuit/circuits.ts';
import type { CommitResult } from '../../commit/commit-result.ts';
import { fallbackScore } from '../../commit/score.ts';
import type { Submission } from '../../commit/submission.ts';
import { Spool } from '../spool.ts';
import { Drain } from './drain.ts';

/** Even shards are on one node, odd ones on the other. */
class FakeNode {
  readonly stored: string[] = [];
  isUp = true;
  /** Told of leads instead of storing them. */
  outcome: DrainException['outcome'] | null = null;

  async drain(leads: readonly SpooledLead[]): Promise<DrainException[]> {
    const { outcome } = this;
    if (outcome !== null) return leads.map((_, place) => ({ place, outcome }));
    this.stored.push(...leads.map(({ submissionId }) => submissionId));
    return [];
  }
}

const log = pino({ level: 'silent' });

async function createWorld() {
  const root = mkdtempSync(join(tmpdir(), 'leadgate-drain-'));
  const nodes = [new FakeNode(), new FakeNode()] as [FakeNode, FakeNode];
  const nodeOf = (shard: number) => nodes[shard % 2] as FakeNode;
  const spool = new Spool({
    root,
    bytesMax: 2 ** 30,
    limits: rateLimits,
    disk: realDisk,
    clock: systemClock,
    randomness: systemRandomness,
    log,
    nextId: () => '',
  });
  const closed = new Set<number>();
  const tripped: unknown[] = [];
  const quarantined: string[] = [];
  const drain = new Drain({
    spool,
    circuits: {
      isOpen: (shard: number) => !nodeOf(shard).isUp || closed.has(shard),
      close: (shard: number) => closed.add(shard),
      trip: (_: IngestNode, error: unknown) => tripped.push(error),
    } as unknown as Circuits,
    database: {
      nodeOf: (shard) => nodeOf(shard) as Partial<IngestNode> as IngestNode,
      quarantine: async ({ submissionId }) => {
        quarantined.push(submissionId);
        return true;
      },
    },
    clock: systemClock,
    log,
    meter: { onDrained() {}, onTorn() {}, onDamaged() {}, onQuarantined() {} },
    isBusy: () => false,
    nextId: () => '',
    heavy: { project: async (body) => body },
  });
  onTestFinished(async () => {
    await drain.stop();
    await spool.close();
    rmSync(root, { recursive: true });
  });
  await spool.open();
  return { nodes, spool, drain, closed, tripped, quarantined };
}

async function keep(spool: Spool, shard: number, submissionId: string): Promise<void> {
  const id = Buffer.alloc(16, shard);
  const lead: StorableLead = {
    shard,
    submissionId,
    workspaceId: id,
    formId: id,
    tokenId: null,
    surface: 'server',
    receivedAt: 0,
    body: Buffer.from('{}'),
    projection: Buffer.from('{}'),
    score: fallbackScore,
    key: null,
    signed: null,
  };
  const { kind } = await new Promise<CommitResult>((settle) =>
    spool.submit({ lead, score: () => lead, settle } as unknown as Submission),
  );
  expect(kind).toBe('stored');
}

async function segments(spool: Spool): Promise<string[]> {
  return (await Promise.all(spool.folders.map((folder) => folder.segments()))).flat();
}

const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;

test('a node that is down keeps only its own leads in the spool', async () => {
  const { nodes, spool, drain } = await createWorld();
  const [up, down] = nodes;
  down.isUp = false;
  for (const shard of [0, 1, 2, 3]) await keep(spool, shard, uuid(shard));
  drain.start();
  await expect.poll(() => up.stored).toEqual([uuid(0), uuid(2)]);
  await expect.poll(() => spool.stock.leads).toBe(2);
  // Leads that nobody can drain do not make a file each time the drain looks.
  await keep(spool, 1, uuid(5));
  await keep(spool, 0, uuid(4));
  await expect.poll(() => up.stored).toContain(uuid(4));
  await keep(spool, 1, uuid(7));
  expect(await segments(spool)).toHaveLength(3);
  down.isUp = true;
  await expect.poll(() => down.stored).toEqual([1, 3, 5, 7].map(uuid));
  expect(up.stored).toEqual([0, 2, 4].map(uuid));
  await expect.poll(() => segments(spool)).toEqual([]);
  expect(spool.stock).toMatchObject({ leads: 0, bytes: 0 });
});

test.each(['moved', 'closed'] as const)(
  'leads that are %s stay in the spool, in their order',
  async (outcome) => {
    const { nodes, spool, drain, closed } = await createWorld();
    const [node] = nodes;
    node.outcome = outcome;
    await keep(spool, 0, uuid(1));
    await keep(spool, 0, uuid(2));
    let asked = 0;
    const drainOf = node.drain.bind(node);
    node.drain = (leads) => {
      asked++;
      return drainOf(leads);
    };
    drain.start();
    await expect.poll(() => asked).toBeGreaterThan(0);
    expect(spool.stock.leads).toBe(2);
    expect([...closed]).toEqual(outcome === 'closed' ? [0] : []);
    node.outcome = null;
    closed.clear();
    await expect.poll(() => node.stored).toEqual([uuid(1), uuid(2)]);
    await expect.poll(() => segments(spool)).toEqual([]);
  },
);

test('a lead that must wait is not skipped when the rest of its batch is stored', async () => {
  const { nodes, spool, drain, closed } = await createWorld();
  const [node] = nodes;
  for (const n of [1, 2]) await keep(spool, 0, uuid(n));
  let alone = 0;
  const drainOf = node.drain.bind(node);
  node.drain = async (leads) => {
    // A refused batch is halved, and the move of the bucket ends between the halves.
    if (leads.length > 1 && alone < 2) throw Object.assign(new Error('refused'), { code: '23514' });
    if (leads.length === 1 && ++alone === 1) return [{ place: 0, outcome: 'closed' }];
    return drainOf(leads);
  };
  drain.start();
  await expect.poll(() => node.stored).toContain(uuid(2));
  closed.clear();
  await expect.poll(() => segments(spool)).toEqual([]);
  expect(node.stored).toContain(uuid(1));
});

test.each([
  ['the login', '28000', 1],
  ['a function', '42883', 0],
])('no lead is quarantined because a node refuses %s', async (_, code, trips) => {
  const { nodes, spool, drain, tripped, quarantined } = await createWorld();
  const [node] = nodes;
  await keep(spool, 0, uuid(1));
  const drainOf = node.drain.bind(node);
  let asked = 0;
  node.drain = async (leads) => {
    if (++asked === 1) throw Object.assign(new Error('refused'), { code });
    return drainOf(leads);
  };
  drain.start();
  await expect.poll(() => segments(spool)).toEqual([]);
  expect(node.stored).toEqual([uuid(1)]);
  expect(quarantined).toEqual([]);
  expect(tripped).toHaveLength(trips);
});

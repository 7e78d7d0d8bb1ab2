import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { runStream, type Sample } from '../../chaos/hostile/stream.ts';
import { type CpuSeconds, cpuOf, stolenShare } from '../cpu.ts';
import { buildIndex } from '../leads/index-cost.ts';
import { seedLeads, shortEnrichment } from '../leads/seed.ts';
import { callApi } from '../seed.ts';

export interface Stage {
  readonly port: number;
  readonly pid: number;
  readonly databaseUrl: string;
  /** Of senders in other workspaces. */
  readonly requests: readonly string[];
  readonly rate: number;
  readonly leads: number;
}

interface Quantiles {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Round {
  readonly seconds: number;
  readonly quiet: Quantiles;
  readonly during: Quantiles;
  /** While the events of the erased leads are made. */
  readonly after: Quantiles;
  readonly unanswered: number;
  /** Of the service, during the erasure. */
  readonly cpu: CpuSeconds;
  /** The share of the processor's time that the host gave to others. */
  readonly stolen: number;
}

const warmUpSeconds = 3;
const quietMs = 10_000;
const streamSecondsMax = 240;
const connections = 64;
const formCount = 5;
const pollMs = 25;
const endMsMax = 120_000;

/** Others send all the time: for some seconds alone, then beside an erasure, then while its events are made. */
export async function measureRound(stage: Stage, number: number): Promise<Round> {
  const { port, pid, databaseUrl, requests, rate, leads } = stage;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const workspaceId = await fillWorkspace(stage, number);
    await client.query('checkpoint');
    await until(() => hasNoNotes(client));
    const ending = new AbortController();
    const order = { port, requests, rate, connections, warmUpSeconds, seconds: streamSecondsMax };
    const stream = runStream({ ...order, isTraced: true }, ending.signal);
    await sleep(warmUpSeconds * 1_000 + quietMs);
    const stolen = stolenShare();
    const cpuBefore = cpuOf(pid).node;
    const startedAt = Date.now();
    await eraseAll(stage, client, workspaceId, leads);
    const endedAt = Date.now();
    const cpu = { node: cpuOf(pid).node - cpuBefore, postgres: 0 };
    const stolenDuring = stolen();
    await until(() => isTold(client, workspaceId, leads));
    const toldAt = Date.now();
    ending.abort();
    const { sent, statuses, samples = [] } = await stream;
    const between = (from: number, to: number) =>
      quantilesOf(samples.filter(([dueAt]) => dueAt >= from && dueAt < to));
    return {
      seconds: (endedAt - startedAt) / 1_000,
      quiet: between(0, startedAt),
      during: between(startedAt, endedAt),
      after: between(endedAt, Math.max(toldAt, endedAt + 1_000)),
      unanswered: sent - (statuses['202'] ?? 0),
      cpu,
      stolen: stolenDuring,
    };
  } finally {
    await client.end();
  }
}

/** Another one in each round, because the rows of erased leads slow down what follows until they are vacuumed. */
async function fillWorkspace({ port, databaseUrl, leads }: Stage, number: number): Promise<string> {
  const create = async (path: string, body: object) => String((await callApi(port, 'POST', path, body)).id);
  const [workspaceId, neighbourId] = [
    await create('/workspaces', { name: `Erased ${number}` }),
    await create('/workspaces', { name: `Neighbour ${number}` }),
  ];
  const formIds: string[] = [];
  for (let form = 0; form < formCount; form++)
    formIds.push(
      await create(`/workspaces/${workspaceId}/forms`, { name: 'Contact', slug: `erased-${number}-${form}` }),
    );
  // Half of them are the neighbour's.
  const plan = {
    leads: 2 * leads,
    every: 2,
    workspaceId,
    formIds,
    otherWorkspaceIds: [neighbourId],
    enrichment: shortEnrichment,
    withTraces: false,
  };
  await seedLeads(databaseUrl, plan, () => {});
  // All of them, or the service would go on with it while it is measured.
  for (const id of [workspaceId, neighbourId]) await buildIndex(databaseUrl, id);
  return workspaceId;
}

async function eraseAll({ port }: Stage, client: pg.Client, workspaceId: string, leads: number) {
  const selection = { filter: {}, any_number: true };
  await callApi(port, 'POST', `/workspaces/${workspaceId}/lead-actions/erasures`, selection);
  await until(async () => {
    const { rows } = await client.query(
      'select changed from lead_actions where workspace_id = $1 and finished_at is not null',
      [workspaceId],
    );
    if (rows.length > 0 && rows[0].changed !== leads) throw new Error(`${rows[0].changed} leads were erased`);
    return rows.length > 0;
  });
}

async function hasNoNotes(client: pg.Client): Promise<boolean> {
  return (await client.query('select from enrichment_outbox limit 1')).rowCount === 0;
}

/** Whether each erasure is an event. */
async function isTold(client: pg.Client, workspaceId: string, leads: number): Promise<boolean> {
  const { rows } = await client.query('select last from event_counters where workspace_id = $1', [
    workspaceId,
  ]);
  return Number(rows[0]?.last ?? 0) >= leads;
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + endMsMax; !(await isTrue()); await sleep(pollMs))
    if (Date.now() > deadline) throw new Error(`It took more than ${endMsMax / 1_000} s`);
}

function quantilesOf(samples: readonly Sample[]): Quantiles {
  const sorted = samples.map(([, tookMs]) => tookMs).toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

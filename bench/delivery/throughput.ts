import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf } from '../cpu.ts';
import { formatCount } from '../report.ts';
import { sendLeads } from './senders.ts';
import { createDestination, createWorkspaces, type Row, type Stage, untilIdle } from './stage.ts';

const workspaceCount = 8;
const destinationsPerWorkspace = 8;
const leadsPerSecond = 100;
const warmUpSeconds = 5;
const goal = 500;

/** More leads than can be delivered, so that what arrives is what the instance can do while it also accepts leads. */
export async function measureThroughput(stage: Stage): Promise<Row[]> {
  const workspaces = await createWorkspaces(stage, 'many', workspaceCount);
  for (const [number, workspace] of workspaces.entries())
    for (let each = 0; each < destinationsPerWorkspace; each++)
      await createDestination(stage, workspace, `/many/${number}/${each}`);
  const tokens = workspaces.map(({ token }) => token);
  const seconds = stage.isQuick ? 10 : 40;
  const sending = sendLeads({ port: stage.port, tokens, perSecond: leadsPerSecond, seconds });
  await sleep(warmUpSeconds * 1_000);
  const before = await snapshot(stage);
  await sleep((seconds - warmUpSeconds) * 1_000);
  const after = await snapshot(stage);
  const sent = await sending;
  await untilIdle(stage);
  const arrivals = await stage.sink.take();
  const deliveries = after.count - before.count;
  const rate = (deliveries * 1_000) / (after.at - before.at);
  const micros = (part: 'node' | 'postgres') =>
    (((after[part] - before[part]) * 1e6) / deliveries).toFixed(0);
  const expected = sent.length * destinationsPerWorkspace;
  return [
    {
      figure: `deliveries/s, one instance, ${workspaceCount * destinationsPerWorkspace} destinations, ${leadsPerSecond} leads/s`,
      measured: `${formatCount(rate)}/s`,
      goal: `>= ${goal}/s`,
      isGood: rate >= goal && arrivals.length === expected,
    },
    {
      figure: `processor time per delivery, with its part of a lead`,
      measured: `Node ${micros('node')} µs, PostgreSQL ${micros('postgres')} µs`,
      goal: '',
      isGood: true,
    },
  ];
}

async function snapshot({ sink, pid }: Stage) {
  const count = await sink.count();
  // The database is a child of the benchmark.
  return { at: Date.now(), count, node: cpuOf(pid).node, postgres: cpuOf(process.pid).postgres };
}

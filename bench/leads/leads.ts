import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../src/db/embedded/server.ts';
import { buildPages } from '../pages.ts';
import { callApi } from '../seed.ts';
import { startServiceOn } from '../targets/targets.ts';
import { runAndUndo, undoLater } from '../undo.ts';
import { buildIndex, describeIndex } from './index-cost.ts';
import { insertCosts } from './insert-cost.ts';
import { createMeasuredWorkspace, measureLists } from './lists.ts';
import { progressOf, type SeedPlan, seedLeads, shortEnrichment } from './seed.ts';

/** Measures the lead table: the real management API on a workspace with half of all leads. */
const otherWorkspaceCount = 20;
const resultsDir = join(import.meta.dirname, '../results');

async function bench(leads: number): Promise<boolean> {
  await buildPages();
  await mkdir(resultsDir, { recursive: true });
  const dataDir = await mkdtemp(join(resultsDir, 'leads-'));
  undoLater(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
  undoLater(() => postgres.stop());
  const { port } = await startServiceOn(postgres.url, dataDir);
  const plan = await planOf(port, leads);
  await seedLeads(postgres.url, plan, progressOf(leads));
  print(`\n\n${describeIndex(await buildIndex(postgres.url, plan.workspaceId))}\n\n`);
  const { aboveGoal } = await measureLists(port, plan);
  print('\nInsertion, µs per lead\n');
  for (const { title, microseconds } of await insertCosts(postgres.url)) {
    print(`${title.padEnd(60)}${microseconds.toFixed(1).padStart(8)}\n`);
  }
  return aboveGoal === 0;
}

async function planOf(port: number, leads: number): Promise<SeedPlan> {
  const measured = await createMeasuredWorkspace(port, 'Bench 0');
  const otherWorkspaceIds: string[] = [];
  for (let number = 1; number <= otherWorkspaceCount; number++) {
    const workspace = await callApi(port, 'POST', '/workspaces', { name: `Bench ${number}` });
    otherWorkspaceIds.push(String(workspace.id));
  }
  return {
    ...measured,
    leads,
    every: 2,
    otherWorkspaceIds,
    enrichment: shortEnrichment,
    withTraces: false,
  };
}

function print(text: string): void {
  process.stdout.write(text);
}

const { values } = parseArgs({ options: { leads: { type: 'string', default: '2000000' } } });
const leads = Number(values.leads);
if (!Number.isInteger(leads) || leads < 1_000) {
  process.stderr.write(
    'npm run bench:leads -- [--leads=2000000]   at least 1,000; half of them in one workspace\n',
  );
  process.exitCode = 2;
} else {
  process.exitCode = await runAndUndo(() => bench(leads));
}

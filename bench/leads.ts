import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../src/db/embedded/server.ts';
import { casesOf } from './leads/cases.ts';
import { buildIndex } from './leads/index-cost.ts';
import { insertCosts } from './leads/insert-cost.ts';
import { type Figures, measure, readPage } from './leads/measure.ts';
import { type SeedPlan, seedLeads } from './leads/seed.ts';
import { buildPages } from './pages.ts';
import { callApi } from './seed.ts';
import { startServiceOn } from './targets/targets.ts';
import { runAndUndo, undoLater } from './undo.ts';

/** Measures the lead table: the real management API on a workspace with half of all leads. */
const goalMs = 100;
const formCount = 5;
const otherWorkspaceCount = 20;
const resultsDir = join(import.meta.dirname, 'results');

async function bench(leads: number): Promise<boolean> {
  await buildPages();
  await mkdir(resultsDir, { recursive: true });
  const dataDir = await mkdtemp(join(resultsDir, 'leads-'));
  undoLater(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
  undoLater(() => postgres.stop());
  const { port } = await startServiceOn(postgres.url, dataDir);
  const plan = await planOf(port, leads);
  const startedAt = performance.now();
  await seedLeads(postgres.url, plan, (done) => {
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
    print(`\r${done.toLocaleString('en')} of ${leads.toLocaleString('en')} leads, ${seconds} s `);
  });
  print('\n\n');

  const index = await buildIndex(postgres.url, plan.workspaceId);
  print(
    `Index: ${index.leads.toLocaleString('en')} leads in ${index.seconds.toFixed(0)} s; per lead ${index.nodeMicroseconds.toFixed(0)} µs of Node, ${index.diskBytes.toFixed(0)} bytes of disk, ${index.walBytes.toFixed(0)} bytes of WAL\n\n`,
  );
  const leadsUrl = `http://127.0.0.1:${port}/api/v1/workspaces/${plan.workspaceId}/leads`;
  await markSome(port, plan.workspaceId, leadsUrl);
  print(
    `${''.padEnd(44)}${['p50', 'p95', 'max', 'found', 'calls', 'whole'].map((name) => name.padStart(8)).join('')}\n`,
  );
  let isGood = true;
  for (const each of casesOf(plan, await middleOf(leadsUrl))) {
    const figures = await measure(leadsUrl, each);
    const isAbove = figures.p95 > goalMs && each.isWithoutGoal !== true;
    isGood &&= !isAbove;
    print(`${each.title.padEnd(44)}${row(figures)}${isAbove ? '  ABOVE' : ''}\n`);
  }
  print('\nInsertion, µs per lead\n');
  for (const { title, microseconds } of await insertCosts(postgres.url)) {
    print(`${title.padEnd(60)}${microseconds.toFixed(1).padStart(8)}\n`);
  }
  return isGood;
}

async function planOf(port: number, leads: number): Promise<SeedPlan> {
  const ids = async (count: number, path: string, body: (number: number) => object) => {
    const made: string[] = [];
    for (let number = 0; number < count; number++) {
      made.push(String((await callApi(port, 'POST', path, body(number))).id));
    }
    return made;
  };
  const [workspaceId = '', ...otherWorkspaceIds] = await ids(
    1 + otherWorkspaceCount,
    '/workspaces',
    (number) => ({
      name: `Bench ${number}`,
    }),
  );
  const formIds = await ids(formCount, `/workspaces/${workspaceId}/forms`, (number) => ({
    name: `Form ${number}`,
    slug: `bench-leads-${number}`,
  }));
  return { leads, workspaceId, formIds, otherWorkspaceIds };
}

/** Marks some of the newest leads, as a person would. */
async function markSome(port: number, workspaceId: string, leadsUrl: string): Promise<void> {
  const { items } = await readPage(`${leadsUrl}?limit=60`);
  for (const { submission_id } of items as { submission_id: string }[]) {
    await callApi(port, 'PUT', `/workspaces/${workspaceId}/leads/${submission_id}/mark`, { mark: 'spam' });
  }
}

/** A cursor into the middle of the list. */
async function middleOf(leadsUrl: string): Promise<Readonly<Record<string, string>>> {
  const to = new Date(Date.now() - 45 * 86_400_000).toISOString();
  return { to, cursor: (await readPage(`${leadsUrl}?limit=1&to=${to}`)).next_cursor ?? '' };
}

function row({ p50, p95, max, found, calls, wholeMs }: Figures): string {
  const times = [p50, p95, max].map((ms) => ms.toFixed(1));
  return [...times, found ?? '', calls, wholeMs.toFixed(0)].map((cell) => String(cell).padStart(8)).join('');
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

import { callApi } from '../seed.ts';
import { casesOf } from './cases.ts';
import { type Figures, measure, readPage } from './measure.ts';
import type { SeedPlan } from './seed.ts';

/** What each list and search may take, at the 95th percentile. */
export const listMsMax = 100;
const formCount = 5;

export interface Lists {
  /** The slowest of those with a goal. */
  readonly slowest: { readonly title: string; readonly p95: number };
  readonly aboveGoal: number;
  readonly cases: number;
}

/** A workspace with its forms, whose lists are measured. */
export async function createMeasuredWorkspace(port: number, name: string) {
  const workspaceId = String((await callApi(port, 'POST', '/workspaces', { name })).id);
  const formIds: string[] = [];
  const slug = name.toLowerCase().replaceAll(' ', '-');
  for (let number = 0; number < formCount; number++) {
    const form = { name: `Form ${number}`, slug: `${slug}-${number}` };
    formIds.push(String((await callApi(port, 'POST', `/workspaces/${workspaceId}/forms`, form)).id));
  }
  return { workspaceId, formIds };
}

/** Calls the management API for each of the cases, and prints a row for each. */
export async function measureLists(port: number, plan: SeedPlan): Promise<Lists> {
  const leadsUrl = `http://127.0.0.1:${port}/api/v1/workspaces/${plan.workspaceId}/leads`;
  await markSome(port, plan.workspaceId, leadsUrl);
  const head = ['p50', 'p95', 'max', 'found', 'calls', 'whole'];
  print(`${''.padEnd(44)}${head.map((name) => name.padStart(8)).join('')}\n`);
  let slowest = { title: '', p95: 0 };
  let aboveGoal = 0;
  const cases = casesOf(plan, await middleOf(leadsUrl));
  for (const each of cases) {
    const figures = await measure(leadsUrl, each);
    const hasGoal = each.isWithoutGoal !== true;
    const isAbove = hasGoal && figures.p95 > listMsMax;
    if (isAbove) aboveGoal++;
    if (hasGoal && figures.p95 > slowest.p95) slowest = { title: each.title, p95: figures.p95 };
    print(`${each.title.padEnd(44)}${row(figures)}${isAbove ? '  ABOVE' : ''}\n`);
  }
  return { slowest, aboveGoal, cases: cases.length };
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

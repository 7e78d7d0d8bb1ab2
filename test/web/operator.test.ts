import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace, Seed } from '../manage/leads/seed.ts';
import { Browser, join, makeOperator, type Browser as Person } from '../support/browser/browser.ts';
import { type BrowserWorld, seriousFindings, startBrowserWorld } from '../support/browser/chromium.ts';
import { findingsInLightAndDark, overflow, revisit } from '../support/browser/looks.ts';

const email = 'operator@example.com';
let world: BrowserWorld;
let seed: Seed;
let operator: Person;
let page: Page;

beforeAll(async () => {
  world = await startBrowserWorld();
  seed = new Seed(world.service);
  const workspaceId = await createWorkspace(world.service, 'Engines');
  operator = await join(world.service, workspaceId, email, 'owner');
  await makeOperator(world.service, operator);
  page = await world.open('/account', { person: operator, width: 390 });
});
afterAll(async () => {
  await seed.stop();
  await world.stop();
  expect(world.faults).toEqual([]);
});

/** An hour, which the service itself would need an hour for. */
async function withHistory(): Promise<void> {
  await page.route('**/operator/health/series', async (route) => {
    const answer = await (await route.fetch()).json();
    const points = Array.from({ length: 100 }, (_, i) => ({
      at: new Date(Date.now() - (100 - i) * 30_000).toISOString(),
      leads_per_second: i,
      commit_p50_ms: i < 20 ? null : 4,
      commit_p99_ms: i < 20 ? null : 18 + i,
      spool_leads: 0,
      queue_leads: i % 7,
      enrichment_waiting: 1_234,
      disk_used_percent: 12.3,
    }));
    await route.fulfill({ json: { ...answer, workers: 2, points } });
  });
}

test('the health is in sentences with the warnings first, and the last hour is in charts or in a table', async () => {
  await seed.query(
    `select graphile_worker.add_job('nobody_runs_this', '{}'::json, run_at => now() - interval '20 minutes')`,
  );
  await withHistory();
  await revisit(page, '/operator', operator);
  const first = page.locator('.statements > li').first();
  await first.getByText('Warning', { exact: true }).waitFor();
  await first.getByText('Enrichment: 1 job is waiting; the oldest for 20 min.').waitFor();
  await first.getByText('Check that a process with ROLE all or enrich runs').waitFor();
  expect(await first.getByRole('link', { name: 'Documentation' }).getAttribute('href')).toMatch(/^\/docs\//);
  await page.getByText('The database is available.').waitFor();
  await page.getByRole('img', { name: /^Leads per second\. .*newest 99, highest 99/ }).waitFor();
  await page.getByText(/^Of .*, all 2 workers, in steps of 30 seconds\. The first worker started/).waitFor();
  expect(await findingsInLightAndDark(page, 'operator-health')).toEqual([]);
  expect(await overflow(page)).toBe(0);
  await page.getByRole('button', { name: 'Show as table' }).click();
  await page.getByRole('cell', { name: '117 ms' }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.unroute('**/operator/health/series');
});

test('an operator finds a rejection without a workspace by its request ID', async () => {
  const [known, other] = [crypto.randomUUID(), crypto.randomUUID()];
  await seed.query(
    `insert into unattributed_requests (surface, reason, count, first_at, request_ids, after_ms)
     values ('webhook', 'form_unknown', 1, now(), array[$1::uuid], array[0])`,
    [known],
  );
  const search = async (id: string) => {
    await page.getByLabel('Request ID').fill(id);
    await page.keyboard.press('Enter');
  };
  await search(other);
  await page.getByText('None of the last 50,000 has this request ID.').waitFor();
  await search(known);
  await page.getByText(/^form_unknown · webhook · last/).waitFor();
  expect(await findingsInLightAndDark(page, 'operator-unattributed')).toEqual([]);
  expect(await overflow(page)).toBe(0);
  await page.getByRole('button', { name: 'Clear search' }).click();
  await page.getByText('None.', { exact: true }).waitFor();
});

test('an operator finds a workspace among many, suspends and resumes it, and opens tabs by their URLs', async () => {
  for (let i = 0; i < 22; i++) await createWorkspace(world.service, `Filler ${i}`);
  const name = `${'Überlänge'.repeat(20)}<b>`;
  const id = await createWorkspace(world.service, name);
  await page.getByRole('tab', { name: 'Workspaces' }).click();
  await page.waitForURL('**/operator/workspaces');
  await page.getByRole('button', { name: 'Show more workspaces' }).click();
  await page.getByText('Engines', { exact: true }).last().waitFor();
  await page.getByLabel('Find a workspace').fill('ÜBERLÄNGE');
  await page.keyboard.press('Enter');
  const suspend = page.getByRole('button', { name: 'Suspend' });
  await expect.poll(() => suspend.count()).toBe(1);
  await suspend.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Unpaid');
  await dialog.getByLabel(/to confirm/).fill(name);
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await page.getByText(/by \S+@example\.com: Unpaid/).waitFor();
  expect(await findingsInLightAndDark(page, 'operator-workspaces')).toEqual([]);
  expect(await overflow(page)).toBe(0);
  await page.getByText('Active', { exact: true }).click();
  await page.getByText('No workspaces match this search.').waitFor();
  await page.getByText('All', { exact: true }).click();
  await page.getByLabel('Find a workspace').fill(id);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Suspend' }).waitFor();
  await page.goto('/operator/audit');
  await page.getByRole('heading', { name: 'Operator: Audit log' }).waitFor();
});

test('sessions are named by browser and network, and the others are signed out together after a confirmation', async () => {
  const others = [new Browser(world.service.url), new Browser(world.service.url)];
  for (const other of others) await other.signIn(email);
  await revisit(page, '/account', operator);
  await page.getByText('This device').waitFor();
  expect(await page.getByText('(this network)').count()).toBe(3);
  await page.getByRole('button', { name: 'Sign out others' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign out 2 other sessions?' });
  expect(await findingsInLightAndDark(page, 'sessions')).toEqual([]);
  await dialog.getByRole('button', { name: 'Sign out others' }).click();
  await page.getByText('2 other sessions signed out.').waitFor();
  await page.getByRole('button', { name: 'Sign out others' }).waitFor({ state: 'detached' });
  for (const other of others) expect((await other.api('GET', '/me')).status).toBe(401);
  expect(await overflow(page)).toBe(0);
  await page.getByRole('button', { name: /^Sign out .*, this device$/ }).click();
  await page.waitForURL('**/sign-in');
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createForm, createWorkspace, Seed } from '../../manage/leads/seed.ts';
import { join, type Browser as Person } from '../../support/browser/browser.ts';
import { type BrowserWorld, seriousFindings, startBrowserWorld } from '../../support/browser/chromium.ts';
import { overflow } from '../../support/browser/looks.ts';

let world: BrowserWorld;
let seed: Seed;
let owner: Person;
let member: Person;
let workspaceId: string;
let base: string;
let page: Page;

beforeAll(async () => {
  world = await startBrowserWorld();
  seed = new Seed(world.service);
  workspaceId = await createWorkspace(world.service, 'Engines');
  base = `/w/${workspaceId}/leads`;
  const form_id = (await createForm(world.service, workspaceId, { name: 'Contact' })).id;
  await seed.lead(workspaceId, { form_id, fields: { name: 'Ada' }, score: 90 });
  await seed.lead(workspaceId, { form_id, fields: { name: 'Bob' }, verdict: 'suspect' });
  owner = await join(world.service, workspaceId, 'olga@example.com', 'owner');
  member = await join(world.service, workspaceId, 'max@example.com', 'member');
  page = await world.open(`${base}?verdict=clean&sort=score`, { person: member });
  await page.getByRole('cell', { name: 'Ada', exact: true }).waitFor();
});
afterAll(async () => {
  await seed.stop();
  await world.stop();
  expect(world.faults).toEqual([]);
});

const tab = (name: string, shown = page) =>
  shown.getByRole('navigation', { name: 'Saved views' }).getByRole('link', { name });
const address = () => new URL(page.url());

test('a view is saved by a member, has its own URL, and shows the same leads to a colleague', async () => {
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Hot leads');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/leads?view=*');
  expect([...address().searchParams.keys()]).toEqual(['view']);
  expect(await tab('Hot leads').getAttribute('aria-current')).toBe('page');
  const elsewhere = await world.open(address().pathname + address().search, { person: owner, width: 390 });
  await elsewhere.getByText('Ada').first().waitFor();
  expect(await elsewhere.getByText('Bob').count()).toBe(0);
  await tab('All leads', elsewhere).click();
  await elsewhere.getByText('Bob').first().waitFor();
  expect(await overflow(elsewhere)).toBe(0);
  expect(await seriousFindings(page)).toEqual([]);
  await elsewhere.close();
});

test('a changed view says so, keeps the change in its URL, and can be reset or saved', async () => {
  const changes = page.getByRole('group', { name: 'Unsaved changes' });
  await page.getByRole('button', { name: 'Remove filter: Verdict is clean' }).click();
  await page.getByRole('cell', { name: 'Bob', exact: true }).waitFor();
  await changes.getByText('Unsaved changes').waitFor();
  await page.reload();
  await page.getByRole('cell', { name: 'Bob', exact: true }).waitFor();
  await changes.getByRole('button', { name: 'Reset' }).click();
  await page.getByRole('cell', { name: 'Bob', exact: true }).waitFor({ state: 'detached' });
  await changes.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove filter: Verdict is clean' }).click();
  await changes.getByRole('button', { name: 'Save', exact: true }).click();
  await changes.waitFor({ state: 'detached' });
  expect([...address().searchParams.keys()]).toEqual(['view']);
  await page.getByRole('cell', { name: 'Bob', exact: true }).waitFor();
});

test('a view that someone else changes or deletes says so', async () => {
  const path = `/workspaces/${workspaceId}/lead-views/${address().searchParams.get('view')}`;
  await owner.api('PATCH', path, { filters: { verdict: 'suspect' } });
  await page.getByText('Someone else changed this view just now.').waitFor();
  await page.getByRole('cell', { name: 'Ada', exact: true }).waitFor({ state: 'detached' });
  await owner.api('DELETE', path);
  await page.getByText('The view Hot leads was deleted.').waitFor();
  await page.getByRole('cell', { name: 'Bob', exact: true }).waitFor();
  await page.reload();
  await page.getByText('This view does not exist, or was deleted.').waitFor();
});

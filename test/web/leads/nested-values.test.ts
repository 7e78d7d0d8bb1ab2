import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createForm, createWorkspace, Seed } from '../../manage/leads/seed.ts';
import { join } from '../../support/browser/browser.ts';
import { type BrowserWorld, startBrowserWorld } from '../../support/browser/chromium.ts';
import { findingsInLightAndDark } from '../../support/browser/looks.ts';

let world: BrowserWorld;
let seed: Seed;
let base: string;
let formPath: string;
let page: Page;

/** `basket`, `none` and `tags` are nested in every lead, `size` in one of them, and `budget` in none. */
const leads = [
  { name: 'Ada', basket: { a: [1, 2] }, none: {}, tags: [], size: 'large', budget: null },
  { name: 'Bob', basket: [{ a: 1 }], none: {}, tags: ['x'], size: { from: 1, to: 9 }, budget: 5 },
];

beforeAll(async () => {
  world = await startBrowserWorld();
  seed = new Seed(world.service);
  const workspaceId = await createWorkspace(world.service, 'Engines');
  base = `/w/${workspaceId}/leads`;
  const form_id = (await createForm(world.service, workspaceId, { name: 'Contact' })).id;
  formPath = `/w/${workspaceId}/forms/${form_id}`;
  for (const fields of leads) await seed.lead(workspaceId, { form_id, fields });
  const person = await join(world.service, workspaceId, 'olga@example.com', 'owner');
  // As someone has chosen them when these keys were flat.
  const columns = [{ id: 'field.basket', shown: true, width: 200 }, { id: 'field.size' }];
  const stored = await person.api('PUT', `/workspaces/${workspaceId}/lead-table`, { view: { columns } });
  expect(stored.status).toBe(200);
  page = await world.open(base, { person });
  await page.getByRole('cell', { name: 'Ada', exact: true }).waitFor();
});
afterAll(async () => {
  await seed.stop();
  await world.stop();
  expect(world.faults).toEqual([]);
});

const headings = async () =>
  (await page.getByRole('columnheader').filter({ hasText: /\w/ }).allInnerTexts()).sort();
const flat = ['Form', 'Received', 'Score', 'Verdict', 'budget', 'name', 'size'];

test('a key whose values are all nested is no column, even if it was chosen as one, and not a choice', async () => {
  await expect.poll(headings).toEqual(flat);
  await page.getByRole('button', { name: 'Columns' }).click();
  const choices = page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox');
  await expect.poll(() => choices.count()).toBe(flat.length - 1);
  await page.keyboard.press('Escape');
});

test('a column with flat values marks those that are nested, and never shows JSON', async () => {
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await row('Ada').getByRole('cell', { name: 'large' }).waitFor();
  await row('Bob').getByRole('cell', { name: 'nested' }).waitFor();
  expect(await page.getByRole('table', { name: 'Leads' }).innerText()).not.toMatch(/[[{]/);
  expect(await findingsInLightAndDark(page, 'nested-values')).toEqual([]);
});

test('nested values are shown with the lead', async () => {
  await page.getByText('Bob', { exact: true }).click();
  await page.getByRole('dialog').getByText('"from": 1').waitFor();
});

test('a key whose values are all nested is not suggested as a field, which would be a column', async () => {
  await page.goto(formPath);
  await page.getByRole('button', { name: 'Add budget' }).waitFor();
  expect(await page.getByRole('button', { name: 'Add basket' }).count()).toBe(0);
});

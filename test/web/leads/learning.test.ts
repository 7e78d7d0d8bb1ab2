import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createForm, createWorkspace, Seed } from '../../manage/leads/seed.ts';
import { drones, many, ordinary, TaughtForm } from '../../manage/learning/taught-form.ts';
import { join } from '../../support/browser/browser.ts';
import { type BrowserWorld, seriousFindings, startBrowserWorld } from '../../support/browser/chromium.ts';

let world: BrowserWorld;
let seed: Seed;
let form: TaughtForm;
let page: Page;

beforeAll(async () => {
  world = await startBrowserWorld();
  seed = new Seed(world.service);
  const workspaceId = await createWorkspace(world.service, 'Engines');
  const { id } = await createForm(world.service, workspaceId, { name: 'Contact' });
  form = new TaughtForm(world.service, seed, workspaceId, id);
  await form.leads(many(20, ordinary));
  const fleet = (n: number) => ({ ...drones(n), email: `grace${n}@drone-fleet.de` });
  await form.mark(await form.leads(many(10, fleet)), 'spam');
  await form.until(({ state }) => state === 'learned');
  const person = await join(world.service, workspaceId, 'olga@example.com', 'owner');
  page = await world.open(`/w/${workspaceId}/forms/${id}/scoring`, { person });
});
afterAll(async () => {
  await seed.stop();
  await world.stop();
  expect(world.faults).toEqual([]);
});

const card = () => page.getByRole('region', { name: 'Learning from your marks' });

test('an owner sees how many marked leads a form has learned from, and which domains', async () => {
  await card().getByText('Learned from 10 marked as spam and 0 as not spam, by one person').waitFor();
  await card().getByText('Domains that speak for spam: drone-fleet.de').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
});

test('an owner turns learning off with the other settings', async () => {
  await card().getByLabel('Marks shift the risk of similar leads').click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved as version 1').waitFor();
  expect(await form.learning()).toMatchObject({ enabled: false, state: 'off' });
});

test('an owner makes a form forget, after a confirmation', async () => {
  await card().getByRole('button', { name: 'Forget what was learned' }).click();
  const dialog = page.getByRole('dialog', { name: 'Forget what was learned?' });
  await dialog.getByRole('button', { name: 'Forget' }).click();
  await card().getByText('No marked leads count yet.').waitFor();
  await card().getByText('Forgotten by olga@example.com').waitFor();
  await card().getByRole('button', { name: 'Forget what was learned' }).waitFor({ state: 'detached' });
  expect(await form.learning()).toMatchObject({ leads: { spam: 0 }, forgotten_by: 'olga@example.com' });
});

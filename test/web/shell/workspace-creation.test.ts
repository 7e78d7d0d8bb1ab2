import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace, Seed } from '../../manage/leads/seed.ts';
import { join } from '../../support/browser/browser.ts';
import { type BrowserWorld, seriousFindings, startBrowserWorld } from '../../support/browser/chromium.ts';
import { revisit } from '../../support/browser/looks.ts';

let world: BrowserWorld;
let seed: Seed;
let workspaceId: string;

beforeAll(async () => {
  world = await startBrowserWorld();
  seed = new Seed(world.service);
  workspaceId = await createWorkspace(world.service, 'Engines');
});
afterAll(async () => {
  await seed.stop();
  await world.stop();
  expect(world.faults).toEqual([]);
});

test('an operator lets everyone create workspaces, and a member then creates one and owns it', async () => {
  const operator = await join(world.service, workspaceId, 'operator@example.com', 'member');
  await seed.query(`update people set operator = true where email = 'operator@example.com'`);
  const person = await join(world.service, workspaceId, 'person@example.com', 'member');
  const create = { name: 'New workspace' };

  const page = await world.open(`/w/${workspaceId}`, { person });
  await page.getByRole('button', { name: 'Switch workspace' }).click();
  await page.getByRole('menuitem', { name: 'Engines' }).waitFor();
  expect(await page.getByRole('menuitem', create).count()).toBe(0);

  await revisit(page, '/operator/settings', operator);
  const everyone = page.getByRole('radio', { name: 'Everyone' });
  await page.getByText('This is the default').waitFor();
  expect(await page.getByRole('radio', { name: 'Operators' }).isChecked()).toBe(true);
  expect(await seriousFindings(page)).toEqual([]);
  await everyone.click();
  await page.getByText('This is the default').waitFor({ state: 'detached' });
  expect(await everyone.isChecked()).toBe(true);

  await revisit(page, `/w/${workspaceId}`, person);
  await page.getByRole('button', { name: 'Switch workspace' }).click();
  await page.getByRole('menuitem', create).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Of my own');
  expect(await seriousFindings(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create workspace' }).click();
  await page.getByRole('button', { name: /Of my own/ }).waitFor();
  const { json } = await person.api('GET', '/me');
  expect(json.workspaces).toContainEqual(expect.objectContaining({ name: 'Of my own', role: 'owner' }));
});

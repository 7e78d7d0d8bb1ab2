import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { join, makeOperator } from '../support/browser/browser.ts';
import { type BrowserWorld, seriousFindings, startBrowserWorld } from '../support/browser/chromium.ts';
import { revisit } from '../support/browser/looks.ts';
import { createSender, type Sender } from '../support/sender.ts';

let world: BrowserWorld;
let sender: Sender;
let page: Page;

beforeAll(async () => {
  world = await startBrowserWorld();
  sender = await createSender(world.service);
  page = await world.open('/sign-in');
});
afterAll(async () => {
  await world.stop();
  expect(world.faults).toEqual([]);
});

test('an owner sees the former slugs of the workspace in the form settings, and can use one again', async () => {
  const owner = await join(world.service, sender.workspaceId, 'owner@example.com', 'owner');
  await revisit(page, `/w/${sender.workspaceId}/forms/${sender.formId}`, owner);
  await page.getByLabel('Slug').fill('moved');
  await page.getByText('stays reserved for this workspace').first().waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const former = page.getByRole('button', { name: sender.slug, exact: true });
  await former.waitFor();
  await page.reload();
  await former.waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await former.click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'moved', exact: true }).waitFor();
  const { json } = await world.service.api('GET', `/workspaces/${sender.workspaceId}/forms/${sender.formId}`);
  expect(json.slug).toBe(sender.slug);
});

test('an operator releases a former slug after typing it', async () => {
  const { workspaceId, formId, slug } = await createSender(world.service);
  await world.service.api('DELETE', `/workspaces/${workspaceId}/forms/${formId}`);
  const operator = await join(world.service, sender.workspaceId, 'operator@example.com', 'member');
  await makeOperator(world.service, operator);
  await revisit(page, '/operator/settings', operator);
  await page.getByLabel('Former slug').fill(slug);
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('button', { name: 'Release' }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Release' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Unused for years');
  await dialog.getByLabel(/^Type/).fill(slug);
  await dialog.getByRole('button', { name: 'Release slug' }).click();
  await page.getByText('This is not a former slug.').waitFor();
  const { json } = await world.service.api('GET', `/workspaces/${workspaceId}/former-slugs`);
  expect(json.items).toEqual([]);
});

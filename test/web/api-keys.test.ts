import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callWithKey } from '../manage/api-keys/key-holder.ts';
import { createWorkspace } from '../manage/leads/seed.ts';
import { join } from '../support/browser/browser.ts';
import {
  type BrowserWorld,
  focused,
  seriousFindings,
  startBrowserWorld,
} from '../support/browser/chromium.ts';
import { actionsOutside, overflow } from '../support/browser/looks.ts';
import { picture } from '../support/browser/picture.ts';

let world: BrowserWorld;
let page: Page;
let workspaceId: string;
let key: string;

/** Each test continues from the last. */
beforeAll(async () => {
  world = await startBrowserWorld();
  workspaceId = await createWorkspace(world.service, 'Engines');
  const person = await join(world.service, workspaceId, 'olga@example.com', 'owner');
  page = await world.open(`/w/${workspaceId}/api-keys`, { person });
});
afterAll(async () => {
  await world.stop();
  expect(world.faults).toEqual([]);
});

const dialog = () => page.getByRole('dialog');
const scope = (name: string) => dialog().getByRole('checkbox', { name, exact: true });

test('a preset chooses scopes, and a changed scope is a choice of its own', async () => {
  await page.getByText('No API keys yet').waitFor();
  await page.getByRole('button', { name: 'Create API key' }).first().click();
  await focused(dialog().getByLabel('Name'));
  const preset = dialog().getByRole('combobox', { name: 'Permissions' });
  expect(await preset.inputValue()).toBe('Read leads');
  await preset.click();
  await page.getByRole('option', { name: 'Zapier, Make, n8n' }).click();
  for (const name of ['leads:read', 'forms:read', 'destinations:read', 'destinations:write'])
    expect(await scope(name).isChecked()).toBe(true);
  expect(await scope('leads:erase').isChecked()).toBe(false);
  expect(await seriousFindings(page)).toEqual([]);
  await scope('destinations:write').uncheck();
  await expect.poll(() => preset.inputValue()).toBe('Custom');
});

test('the dialog fits a phone, and a key without scopes is refused at its input', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await picture(page, 'api-key-dialog-phone');
  await expect.poll(() => overflow(page)).toBe(0);
  await expect.poll(() => actionsOutside(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await picture(page, 'api-key-dialog');
  for (const name of ['leads:read', 'forms:read', 'destinations:read']) await scope(name).uncheck();
  await dialog().getByLabel('Name').fill('Reports');
  await dialog().getByRole('button', { name: 'Create API key' }).click();
  await dialog().getByText('Choose at least one').waitFor();
  await scope('leads:read').check();
});

test('a new key is shown once, works, and closing the dialog asks first', async () => {
  await dialog().getByRole('button', { name: 'Create API key' }).click();
  const shown = dialog().getByLabel('API key', { exact: true });
  await shown.waitFor();
  key = await shown.inputValue();
  expect((await callWithKey(world.service, key, 'GET', `/workspaces/${workspaceId}/leads`)).status).toBe(200);
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Go back' }).click();
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await dialog().waitFor({ state: 'detached' });
  const row = page.getByRole('row', { name: /Reports/ });
  await row.getByText('leads:read').waitFor();
  await row.getByText('olga').waitFor();
  expect(await page.content()).not.toContain(key);
});

test('its use appears in the list by itself', async () => {
  await page.getByRole('row', { name: /In use/ }).waitFor();
});

test('a key that was used today is revoked by typing its name, and loses access immediately', async () => {
  await page.getByRole('button', { name: 'Revoke Reports' }).click();
  const revoke = dialog().getByRole('button', { name: 'Revoke API key' });
  expect(await revoke.isDisabled()).toBe(true);
  await dialog().getByLabel('Type Reports to confirm').fill('Reports');
  await revoke.click();
  await dialog().waitFor({ state: 'detached' });
  expect((await callWithKey(world.service, key, 'GET', `/workspaces/${workspaceId}/leads`)).status).toBe(401);
  await page.getByRole('button', { name: 'Show 1 revoked or expired key' }).click();
  await page.getByRole('row', { name: /Reports.*Revoked/ }).waitFor();
});

test('the audit log can be filtered by actions on keys', async () => {
  await page.goto(`/w/${workspaceId}/workspace?action=keys`);
  await page.getByText('olga created API key Reports').waitFor();
  await page.getByText('olga revoked API key Reports').waitFor();
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, join } from '../../support/browser/browser.ts';
import { type BrowserWorld, startBrowserWorld } from '../../support/browser/chromium.ts';
import { createSender, post, rejectedBody, type Sender } from '../../support/sender.ts';
import { expectGoodLooks } from '../destinations/other-kinds.ts';

let world: BrowserWorld;
let sender: Sender;
let owner: Browser;
let page: Page;

/** The workspace of a new owner whose token of the first start has ended. Each test continues from the last. */
beforeAll(async () => {
  world = await startBrowserWorld();
  sender = await createSender(world.service);
  const { workspaceId, tokenId } = sender;
  await world.service.api('DELETE', `/workspaces/${workspaceId}/tokens/${tokenId}`);
  owner = await join(world.service, workspaceId, 'olga@example.com', 'owner');
  page = await world.open(`/w/${workspaceId}`, { person: owner });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
});
afterAll(async () => {
  await world.stop();
  expect(world.faults).toEqual([]);
});

const dialog = () => page.getByRole('dialog');
let token: string;

test('without an active token the Overview offers a new one, and its setup steps ask for one', async () => {
  expect((await post(world.service, sender, 'server')).body).toBe(rejectedBody);
  await page.getByRole('link', { name: 'Create an ingest token' }).waitFor();
  await page.getByText('Create a token, and copy the command that it comes with.').waitFor();
  await expectGoodLooks(page, 'overview-first-token');
});

test('a click shows a new token once, with a command that stores the first lead when it is pasted', async () => {
  await page.getByRole('button', { name: 'Create token' }).click();
  const shown = dialog().getByLabel('Token', { exact: true });
  await shown.waitFor();
  token = await shown.inputValue();
  await expectGoodLooks(page, 'overview-first-token-shown');
  await dialog().getByRole('button', { name: 'Copy as curl' }).click();
  await dialog().getByRole('button', { name: 'Copied' }).waitFor();
  const command = await page.evaluate<string>('navigator.clipboard.readText()');
  const { stdout } = await promisify(execFile)('sh', ['-c', command]);
  expect(stdout).toContain('{"submission_id":');
});

test('the token stays until its owner has saved it, although the page no longer waits for a lead', async () => {
  await page.getByRole('heading', { name: 'Newest leads', includeHidden: true }).waitFor();
  expect(await dialog().getByLabel('Token', { exact: true }).inputValue()).toBe(token);
  await dialog().getByRole('button', { name: 'I have saved it' }).click();
  await page.getByText('Waiting for the first lead').waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(token);
  const { json } = await owner.api('GET', `/workspaces/${sender.workspaceId}/tokens`);
  expect(json.items).toMatchObject([{ name: 'First lead', status: 'active', form_id: sender.formId }, {}]);
});

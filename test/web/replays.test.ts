import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { join, type Browser as Person } from '../support/browser/browser.ts';
import { type BrowserWorld, seriousFindings, startBrowserWorld } from '../support/browser/chromium.ts';
import { createSender, post, type Sender, someLead, submissionIdOf } from '../support/sender.ts';

let world: BrowserWorld;
let sender: Sender;
let owner: Person;
let page: Page;

beforeAll(async () => {
  world = await startBrowserWorld();
  sender = await createSender(world.service);
  owner = await join(world.service, sender.workspaceId, 'olga@example.com', 'owner');
  page = await world.open(`/w/${sender.workspaceId}/forms/${sender.formId}/delivery`, { person: owner });
});
afterAll(() => world.stop());

const formPath = () => `/workspaces/${sender.workspaceId}/forms/${sender.formId}`;
const protection = async () => (await owner.api('GET', formPath())).json.replay_protection;

test('an owner chooses what happens to a signed request that arrives again', async () => {
  const choice = (label: string) => page.getByRole('radio', { name: label });
  await expect.poll(() => choice('Return the original lead, unless there is a key').isChecked()).toBe(true);
  for (const [label, value] of [
    ['Create a new lead each time', 'off'],
    ['Always return the original lead', 'all'],
  ] as const) {
    await choice(label).click();
    await expect.poll(protection).toBe(value);
    await expect.poll(() => choice(label).isChecked()).toBe(true);
  }
  await page.reload();
  await expect.poll(() => choice('Always return the original lead').isChecked()).toBe(true);
  expect(await seriousFindings(page)).toEqual([]);
  await owner.api('PATCH', formPath(), { replay_protection: 'unkeyed' });
});

test('a lead that may be a replay is shown in diagnostics, with a link to the lead', async () => {
  const timestamp = String(Math.floor(world.service.clock.now() / 1000));
  await post(world.service, sender, 'webhook', someLead, { timestamp });
  const copy = await post(world.service, sender, 'webhook', someLead, { timestamp, key: 'another' });
  await page.goto(`/w/${sender.workspaceId}/tokens/diagnostics`);
  await page.getByText('It may be a replay').waitFor();
  await page.getByRole('link', { name: 'View lead' }).first().click();
  await expect.poll(() => page.url()).toContain(submissionIdOf(copy));
  expect(world.faults).toEqual([]);
});

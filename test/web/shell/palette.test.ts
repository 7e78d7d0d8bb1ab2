import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { join } from '../../support/browser/browser.ts';
import { type BrowserWorld, focused, loaded, startBrowserWorld } from '../../support/browser/chromium.ts';
import { findingsInLightAndDark, overflow, turnTo } from '../../support/browser/looks.ts';
import { createSender, post, type Sender } from '../../support/sender.ts';

let world: BrowserWorld;
let sender: Sender;
let page: Page;
let member: Page;
let leadId: string;

beforeAll(async () => {
  world = await startBrowserWorld();
  sender = await createSender(world.service);
  const lead = JSON.stringify({ name: 'Grace Hopper', email: 'grace@example.com' });
  leadId = JSON.parse((await post(world.service, sender, 'server', lead)).body).submission_id;
  const people = ['owner', 'member'] as const;
  const [owner, other] = await Promise.all(
    people.map((role) => join(world.service, sender.workspaceId, `${role}@example.com`, role)),
  );
  page = await world.open(home(), { person: owner as NonNullable<typeof owner> });
  member = await world.open(home(), { person: other as NonNullable<typeof other> });
});
afterAll(async () => {
  await world.stop();
  expect(world.faults).toEqual([]);
});

const home = (path = '') => `/w/${sender.workspaceId}${path}`;
const box = (on = page) => on.getByRole('combobox', { name: 'Search pages, forms, leads and actions' });
const option = (name: string | RegExp, on = page) => on.getByRole('option', { name });

async function openAt(path: string): Promise<void> {
  await turnTo(page, path);
  await loaded(page);
}

async function search(text: string, on = page): Promise<void> {
  await on.keyboard.press('Control+k');
  await box(on).fill(text);
}

test('Ctrl-K opens the palette from any page, and Enter goes where the first result leads', async () => {
  await openAt(home());
  await search('deliver');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${home('/deliveries')}`);
  await box().waitFor({ state: 'detached' });
});

test('it finds a form by name and a lead by any of its text', async () => {
  await openAt(home());
  await search('grace@exam');
  await option(/Grace Hopper/).click();
  await page.waitForURL(`**${home(`/leads/${leadId}`)}`);
  await openAt(home());
  await search('contact');
  await option(/^Contact/).click();
  await page.waitForURL(`**${home(`/forms/${sender.formId}`)}`);
});

test('a pasted ID leads to its lead, and a text to the list of all leads that have it', async () => {
  await openAt(home());
  await search(leadId);
  await option(/Open the lead/).click();
  await page.waitForURL(`**${home(`/leads/${leadId}`)}`);
  await openAt(home());
  await search('nobody has this');
  await option(/Search all leads/).click();
  await page.waitForURL(`**${home('/leads')}?q=nobody*`);
});

test('an action opens the dialog of another page', async () => {
  await openAt(home());
  for (const [text, title] of [
    ['create form', 'New form'],
    ['create ingest', 'New ingest token'],
    ['invite', 'New invitation'],
  ] as const) {
    await search(text);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: title }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
});

test('the arrow keys move the choice, which a screen reader hears, and Escape returns the focus', async () => {
  await openAt(home());
  const opener = page.getByRole('button', { name: 'Commands' });
  await opener.click();
  await box().press('ArrowDown');
  await box().press('ArrowDown');
  await box().press('ArrowUp');
  const chosen = await page.locator('[role=option][aria-selected=true]').getAttribute('id');
  expect(chosen).toBe(await page.getByRole('option').nth(1).getAttribute('id'));
  expect(await box().getAttribute('aria-activedescendant')).toBe(chosen);
  expect(await findingsInLightAndDark(page, 'palette')).toEqual([]);
  await page.keyboard.press('Escape');
  await box().waitFor({ state: 'detached' });
  await focused(opener);
});

test('it fits on a phone', async () => {
  await openAt(home());
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 780 });
  await search('a');
  expect(await overflow(page)).toBe(0);
  await page.keyboard.press('Escape');
  if (size !== null) await page.setViewportSize(size);
});

test('a member finds neither pages nor actions of owners', async () => {
  await search('', member);
  await option('Leads', member).waitFor();
  const names = await member.getByRole('option').allInnerTexts();
  expect(names).toContain('Forms');
  for (const name of ['Ingest tokens', 'Diagnostics', 'Create form', 'Invite someone'])
    expect(names).not.toContain(name);
});

test('the question mark lists the keys of the page, which can be turned off and on', async () => {
  await openAt(home());
  await page.keyboard.press('?');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await list.getByText('Refresh').waitFor();
  expect(await findingsInLightAndDark(page, 'shortcuts')).toEqual([]);
  await list.getByRole('switch', { name: 'Single-key shortcuts' }).click();
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  // Ctrl-K is not a single key.
  await search('turn on');
  await page.keyboard.press('Enter');
  await page.getByText('Single-key shortcuts are on.').waitFor();
  expect(await list.count()).toBe(0);
  await page.keyboard.press('?');
  await list.waitFor();
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await openAt(home('/leads'));
  await page.keyboard.press('?');
  for (const label of ['Next lead', 'Open the lead', 'Search leads', 'Refresh'])
    await list.getByText(label).waitFor();
});

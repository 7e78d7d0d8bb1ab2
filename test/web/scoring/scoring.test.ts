import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createForm, createWorkspace, Seed } from '../../manage/leads/seed.ts';
import { type Browser, join } from '../../support/browser/browser.ts';
import { type BrowserWorld, startBrowserWorld } from '../../support/browser/chromium.ts';
import { findingsInLightAndDark, overflow, revisit } from '../../support/browser/looks.ts';

let world: BrowserWorld;
let page: Page;
let owner: Browser;
let workspaceId: string;
let formId: string;
let leadId: string;
const at = () => `/w/${workspaceId}/forms/${formId}/scoring`;

beforeAll(async () => {
  world = await startBrowserWorld();
  workspaceId = await createWorkspace(world.service, 'Engines');
  formId = (await createForm(world.service, workspaceId, { name: 'Contact' })).id;
  const seed = new Seed(world.service);
  leadId = await seed.lead(workspaceId, { form_id: formId, fields: { email: 'someone@mailinator.com' } });
  await seed.lead(workspaceId, { form_id: formId, fields: { email: 'ada@analytical.engine', name: 'Ada' } });
  await seed.stop();
  owner = await join(world.service, workspaceId, 'olga@example.com', 'owner');
  page = await world.open(at(), { person: owner, width: 1280 });
});
afterAll(async () => {
  await world.stop();
  expect(world.faults).toEqual([]);
});

const rules = () => page.getByRole('region', { name: 'Rules' });
const group = (name: RegExp) => rules().getByRole('button', { name });
const points = (code: string) => page.getByLabel(`Points for ${code}`, { exact: true });
const allPoints = () => rules().getByLabel(/^Points for /);
const linkPoints = () => rules().getByLabel(/^Points for LINK/);
const search = () => page.getByLabel('Search rules');
const headings = () => rules().getByRole('heading', { level: 3 }).allInnerTexts();

test('rules are folded by family with their number, and open by keyboard', async () => {
  await group(/^Email address \d+ rules$/).waitFor();
  expect(await allPoints().count()).toBe(0);
  await group(/^Email address/).focus();
  await page.keyboard.press('Enter');
  await points('EMAIL_DISPOSABLE').waitFor();
  expect(await group(/^Email address/).getAttribute('aria-expanded')).toBe('true');
  expect(await group(/^Links/).getAttribute('aria-expanded')).toBe('false');
  await page.keyboard.press('Space');
  await points('EMAIL_DISPOSABLE').waitFor({ state: 'detached' });
});

test('a search over code and text opens what it finds, says when there is nothing, and folding comes back after it', async () => {
  await group(/^Phone/).click();
  await search().fill('disposable mx');
  await points('EMAIL_DISPOSABLE_MX').waitFor();
  expect(await allPoints().count()).toBe(1);
  await search().fill('NO-REPLY address');
  await points('EMAIL_NO_REPLY').waitFor();
  await search().fill('no such rule');
  await rules().getByText('No rules match this search.').waitFor();
  await rules().getByRole('button', { name: 'Show all rules' }).click();
  expect(await group(/^Phone/).getAttribute('aria-expanded')).toBe('true');
  expect(await group(/^Email address/).getAttribute('aria-expanded')).toBe('false');
});

test('changes are counted while they are typed, can be shown alone, and come first once they are saved', async () => {
  await group(/^Links/).click();
  await points('LINKS_2').fill('33');
  await group(/^Links \d+ rules 1 changed$/).waitFor();
  await page.getByLabel('LINKS_1 is on').click({ force: true });
  await group(/^Links \d+ rules 2 changed$/).waitFor();
  await page.getByLabel('Only changed (2)').click();
  expect(await allPoints().count()).toBe(2);
  // It stays while its number is replaced.
  await points('LINKS_2').fill('');
  await points('LINKS_2').fill('34');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved as version 1').waitFor();
  await page.getByLabel('Only changed (2)').click();
  // Folding is as it was before saving.
  await points('LINKS_2').waitFor();
  const places = await Promise.all([0, 1].map((place) => linkPoints().nth(place).getAttribute('aria-label')));
  expect(places.toSorted()).toEqual(['Points for LINKS_1', 'Points for LINKS_2']);
  await page.reload();
  await group(/^Links/).waitFor();
  expect((await headings())[0]).toContain('Links');
  expect(await findingsInLightAndDark(page, 'scoring-rules')).toEqual([]);
});

test('a rejected number is shown at its rule, even if its family is folded', async () => {
  await search().fill('LEARNED_SPAM');
  await points('LEARNED_SPAM').fill('50');
  await search().fill('');
  await points('LEARNED_SPAM').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => points('LEARNED_SPAM').getAttribute('aria-invalid')).toBe('true');
  await page.getByRole('button', { name: 'Discard' }).click();
});

test('the dry run shows each lead before and after with the findings that moved, and follows the draft', async () => {
  const examples = page.getByRole('region', { name: 'Leads that your draft changes' });
  await search().fill('EMAIL_DISPOSABLE');
  await points('EMAIL_DISPOSABLE').fill('4');
  await page.getByRole('button', { name: 'Start dry run' }).click();
  await examples.waitFor();
  const row = examples.getByRole('row').filter({ hasText: 'EMAIL_DISPOSABLE' });
  await row.getByText('+40 → +4', { exact: true }).waitFor();
  expect(await row.getByRole('cell').nth(1).innerText()).toMatch(/Suspect\s+Risk 40, score \d+/);
  expect(await row.getByRole('cell').nth(2).innerText()).toMatch(/Clean\s+Risk 4, score \d+/);
  // The words have icons: colour is not alone.
  expect(await row.locator('.tag svg').count()).toBe(2);
  await points('EMAIL_DISPOSABLE').fill('6');
  await row.getByText('+40 → +6', { exact: true }).waitFor();
  await expect.poll(() => examples.getAttribute('aria-busy')).toBe('false');
  expect(await findingsInLightAndDark(page, 'scoring-dry-run')).toEqual([]);
  const [tab] = await Promise.all([page.waitForEvent('popup'), row.getByRole('link').click()]);
  await tab.waitForURL(`**/w/${workspaceId}/leads/${leadId}`);
  await tab.close();
  expect(await points('EMAIL_DISPOSABLE').inputValue()).toBe('6');

  await page.setViewportSize({ width: 390, height: 900 });
  await examples.locator('.stacked[data-narrow]').waitFor();
  await expect.poll(() => overflow(page)).toBe(0);
  expect(await findingsInLightAndDark(page, 'scoring-dry-run-phone')).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: 'Discard' }).click();
  await examples.waitFor({ state: 'detached' });
});

test('a member sees the rules, but can neither change them nor start a dry run', async () => {
  const member = await join(world.service, workspaceId, 'max@example.com', 'member');
  await revisit(page, at(), member);
  await search().fill('EMAIL_DISPOSABLE');
  await points('EMAIL_DISPOSABLE').waitFor();
  expect(await points('EMAIL_DISPOSABLE').isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: 'Start dry run' }).count()).toBe(0);
});

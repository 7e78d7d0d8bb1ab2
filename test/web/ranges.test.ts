import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Seed } from '../manage/leads/seed.ts';
import { join } from '../support/browser/browser.ts';
import { type BrowserWorld, startBrowserWorld } from '../support/browser/chromium.ts';
import { turnTo } from '../support/browser/looks.ts';
import { createSender, post, type Sender } from '../support/sender.ts';

const hourMs = 3_600_000;
let world: BrowserWorld;
let sender: Sender;
let page: Page;
let base: string;

beforeAll(async () => {
  world = await startBrowserWorld();
  sender = await createSender(world.service);
  base = `/w/${sender.workspaceId}`;
  await post(world.service, sender, 'server');
  const seed = new Seed(world.service);
  const at = (hours: number) => new Date(Date.now() - hours * hourMs).toISOString();
  const ofForm = { form_id: sender.formId };
  await seed.count(sender.workspaceId, at(1), 'accepted', 2, ofForm);
  for (const hours of [1, 60]) {
    await seed.count(sender.workspaceId, at(hours), 'signature_mismatch', 3, ofForm);
    await seed.count(sender.workspaceId, at(hours), 'rate_limited_minute', 4, ofForm);
  }
  await seed.stop();
  const person = await join(world.service, sender.workspaceId, 'olga@example.com', 'owner');
  page = await world.open(`${base}?range=7d`, { person });
});
afterAll(async () => {
  await world.stop();
  expect(world.faults).toEqual([]);
});

const parameters = () => Object.fromEntries(new URL(page.url()).searchParams);

test('from the overview of 7 days, every number, reason and bar opens its list of the same 7 days', async () => {
  const opened = async (click: () => Promise<void>, heading: string) => {
    await turnTo(page, `${base}?range=7d`);
    await click();
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    return parameters();
  };
  const link = (name: string | RegExp) => () =>
    page.getByRole('main').getByRole('link', { name, exact: true }).click();
  expect(await opened(link(/ accepted, open leads$/), 'Leads')).toEqual({ range: '7d' });
  expect(await opened(link('6 rejected, open diagnostics'), 'Diagnostics')).toEqual({ range: '7d' });
  expect(await opened(link('8 rate limited, open diagnostics'), 'Diagnostics')).toEqual({
    range: '7d',
    tab: 'limited',
  });
  await page.getByRole('tab', { name: 'Rate limited · 8', selected: true }).waitFor();
  expect(await opened(link(/^The signature/), 'Diagnostics')).toEqual({
    range: '7d',
    reason: 'signature_mismatch',
  });
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  expect(parameters()).toEqual({ range: '7d' });
  expect(await opened(link('Diagnostics'), 'Diagnostics')).toEqual({ range: '7d' });
  const zoomed = await opened(async () => {
    await page.getByRole('group', { name: /^Chart over time/ }).focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
  }, 'Diagnostics');
  expect(zoomed).toMatchObject({ range: '7d', from: expect.any(String), to: expect.any(String) });
});

test('a time selected in Diagnostics is kept by the link to the leads, which shows it and can drop it', async () => {
  const { from, to } = parameters();
  await page.getByRole('link', { name: / accepted, open leads$/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();
  expect(parameters()).toEqual({ range: '7d', from, to });
  await page.getByRole('button', { name: /^Remove filter: Received / }).click();
  await page.waitForURL((url) => !url.searchParams.has('from'));
  expect(parameters()).toEqual({});
});

test('the last 24 hours of a form open its leads and rejections of the last 24 hours', async () => {
  await page.goto(`${base}/forms`);
  await page.getByRole('link', { name: '3 rejected' }).click();
  await page.getByRole('tab', { name: 'Rejected · 3' }).waitFor();
  expect(parameters()).toEqual({ form_id: sender.formId, range: '24h' });
  await page.goBack();
  await page.getByRole('row', { name: sender.slug }).getByRole('link', { name: /^\d+$/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();
  expect(parameters()).toEqual({ form_id: sender.formId, range: '24h' });
});

test('while the name of a new form is typed in any script, the URL that it will get is shown', async () => {
  await page.goto(`${base}/forms`);
  await page.getByRole('button', { name: 'Create form' }).first().click();
  const dialog = page.getByRole('dialog');
  const name = dialog.getByLabel('Name');
  const preview = (slug: string | RegExp) => dialog.getByText(slug);
  await name.fill('Связаться с нами');
  await preview(`${world.service.url}/api/v1/ingest/svyazatsya-s-nami`).waitFor();
  await name.fill('اتصل بنا');
  expect(await preview('svyazatsya-s-nami').count()).toBe(0);
  const slug = preview(/\/api\/v1\/ingest\/form-[0-9a-f]{8}$/);
  await slug.waitFor();
  const shown = (await slug.textContent())?.split('/').at(-1) ?? '';
  expect(await page.evaluate('document.querySelector("[dir=auto]:dir(rtl)")?.value')).toBe('اتصل بنا');
  await dialog.getByLabel('Slug').fill(sender.slug);
  await dialog.getByRole('button', { name: `Use ${sender.slug}-2` }).waitFor();
  await dialog.getByLabel('Slug').fill('');
  await slug.waitFor();
  await dialog.getByRole('button', { name: 'Create form' }).click();
  await page.getByRole('heading', { name: 'اتصل بنا' }).waitFor();
  await expect.poll(() => page.getByLabel('Slug').inputValue()).toBe(shown);
});

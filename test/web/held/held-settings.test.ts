import type pg from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Seed } from '../../manage/leads/seed.ts';
import { join, type Browser as Person } from '../../support/browser/browser.ts';
import { type BrowserWorld, loaded, startBrowserWorld } from '../../support/browser/chromium.ts';
import { findingsInLightAndDark, overflow, revisit, turnTo } from '../../support/browser/looks.ts';
import { openTestPool } from '../../support/database/database.ts';
import { holdRow } from '../../support/held-rows.ts';
import { createSender, post, type Sender } from '../../support/sender.ts';

let world: BrowserWorld;
let pool: pg.Pool;
let seed: Seed;
let sender: Sender;
let owner: Person;
let member: Person;
let page: Page;

beforeAll(async () => {
  world = await startBrowserWorld();
  pool = openTestPool(world.service.databaseUrl);
  seed = new Seed(world.service);
  sender = await createSender(world.service);
  owner = await join(world.service, sender.workspaceId, 'olga@example.com', 'owner');
  member = await join(world.service, sender.workspaceId, 'max@example.com', 'member');
  page = await world.open(ofForm(), { person: owner });
});
afterAll(async () => {
  await seed.stop();
  await pool.end();
  await world.stop();
  expect(world.faults).toEqual([]);
});

const at = (path = '') => `/w/${sender.workspaceId}${path}`;
const ofForm = (path = '') => at(`/forms/${sender.formId}${path}`);
const workspace = async () =>
  (await world.service.api('GET', `/workspaces/${sender.workspaceId}`)).json.held_days;
const form = async () =>
  (await world.service.api('GET', `/workspaces/${sender.workspaceId}/forms/${sender.formId}`)).json;
const inactiveText = '2 requests were rejected while this form was inactive and are kept.';

async function open(path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
  await loaded(page);
}

test('activating a form offers what was rejected while it was inactive, until it is hidden for the session', async () => {
  await world.service.api('PATCH', `/workspaces/${sender.workspaceId}/forms/${sender.formId}`, {
    active: false,
  });
  for (const name of ['Ada', 'Bob'])
    expect((await post(world.service, sender, 'server', JSON.stringify({ name }))).status).toBe(200);
  await open(ofForm());
  expect(await page.getByText(inactiveText).count()).toBe(0);
  await page.getByRole('switch', { name: 'Inactive' }).click();
  await page.getByText(inactiveText).waitFor();
  expect(await findingsInLightAndDark(page, 'held banner form')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => overflow(page)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('link', { name: 'Look at them' }).click();
  await page.getByRole('row').filter({ hasText: 'Form inactive' }).nth(1).waitFor();
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    reason: 'form_inactive',
    form_id: sender.formId,
  });
  await page.goBack();
  await page.getByRole('button', { name: 'Hide for now' }).click();
  await page.getByText(inactiveText).waitFor({ state: 'detached' });
  await page.reload();
  await loaded(page);
  expect(await page.getByText(inactiveText).count()).toBe(0);
  await holdRow(pool, sender, { reason: 'form_inactive', body: '{"name":"Eve"}' });
  await page.getByText('3 requests were rejected while this form was inactive').waitFor();
});

test('Delivery settings offer requests whose signatures match the secret now', async () => {
  await open(ofForm('/delivery'));
  await holdRow(pool, sender, {
    reason: 'signature_mismatch',
    class: 'A',
    surface: 'webhook',
    verifiedAt: new Date(),
  });
  await page.getByText('The signature of 1 kept request matches the secret of this form now.').waitFor();
  expect(await findingsInLightAndDark(page, 'held banner secret')).toEqual([]);
});

test('the Overview and Diagnostics offer what limits rejected, and each reason says how many are held', async () => {
  const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString();
  await seed.count(sender.workspaceId, minute, 'rate_limited_minute', 12, { form_id: sender.formId });
  const receivedAt = new Date(Date.now() - 2 * 3_600_000);
  await holdRow(pool, sender, { reason: 'rate_limited_minute', receivedAt });
  const offer = page.getByText(
    /^1 request was rejected over the limit per minute and is kept\. It arrived 2 hr ago\.$/,
  );
  for (const path of ['', '/tokens/diagnostics?range=7d', '/tokens/diagnostics?tab=limited']) {
    await open(at(path));
    await offer.waitFor();
  }
  await page.getByRole('link', { name: '1 of 12 held' }).waitFor();
  expect(await findingsInLightAndDark(page, 'held reasons')).toEqual([]);
  await page.getByRole('link', { name: '1 of 12 held' }).click();
  await page.waitForURL('**/held?reason=rate_limited_minute');
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  for (const range of ['range=1h', `from=${new Date().toISOString()}&to=${tomorrow}`]) {
    await open(at(`/tokens/diagnostics?${range}`));
    await page.getByRole('group', { name: 'Rate limited' }).waitFor();
    expect(await offer.count()).toBe(0);
  }
  await open(at());
  await offer.waitFor();
  await world.service.api('POST', `/workspaces/${sender.workspaceId}/held/discards`, {
    reason: 'rate_limited_minute',
  });
  await offer.waitFor({ state: 'detached' });
});

test('a form stops keeping its rejected requests with a click', async () => {
  await open(ofForm());
  await page.getByRole('switch', { name: 'Keep rejected requests of this form' }).click();
  await expect.poll(async () => (await form()).keeps_rejected).toBe(false);
});

test('keeping for fewer days asks first, because it deletes what is held', async () => {
  await open(at('/workspace'));
  const days = page.getByRole('textbox', { name: 'Days' });
  const card = page.getByRole('heading', { name: 'Rejected requests' }).locator('..');
  const save = card.getByRole('button', { name: 'Save' });
  expect(await days.inputValue()).toBe('14 days');
  await days.fill('30');
  await save.click();
  await expect.poll(workspace).toBe(30);
  await days.fill('2');
  await save.click();
  const dialog = page.getByRole('dialog', { name: 'Keep rejected requests for a shorter time?' });
  await dialog.getByText('Of 4 requests that are kept now, those older than 2 days are deleted').waitFor();
  expect(await findingsInLightAndDark(page, 'held days')).toEqual([]);
  expect(await workspace()).toBe(30);
  await dialog.getByRole('button', { name: 'Shorten' }).click();
  await expect.poll(workspace).toBe(2);
  await dialog.waitFor({ state: 'detached' });
  await card.getByRole('radio', { name: 'Do not keep them' }).check();
  await save.click();
  await page.getByRole('button', { name: 'Delete and keep none' }).click();
  await expect.poll(workspace).toBe(0);
  await open(at('/tokens/diagnostics/held'));
  await page.getByText('This workspace does not keep rejected requests').waitFor();
});

test('members see neither banners nor settings, because they cannot decide', async () => {
  await world.service.api('PATCH', `/workspaces/${sender.workspaceId}`, { held_days: 14 });
  await holdRow(pool, sender, { reason: 'form_inactive' });
  await revisit(page, ofForm(), member);
  await page.getByRole('heading', { level: 1, name: 'Contact' }).waitFor();
  await loaded(page);
  expect(await page.getByText(/rejected while this form was inactive/).count()).toBe(0);
  expect(await page.getByText('Keep rejected requests of this form').count()).toBe(0);
  await open(at('/workspace'));
  expect(await page.getByRole('heading', { name: 'Rejected requests' }).count()).toBe(0);
});

test('the pages say so if the operator has turned keeping off', async () => {
  const off = await startBrowserWorld({ env: { HELD: 'off' } });
  const { workspaceId, formId } = await createSender(off.service);
  const person = await join(off.service, workspaceId, 'olga@example.com', 'owner');
  const other = await off.open(`/w/${workspaceId}/tokens/diagnostics/held`, { person });
  await other.getByText('The operator has turned keeping off').waitFor();
  expect(await findingsInLightAndDark(other, 'held off')).toEqual([]);
  for (const path of ['/workspace', `/forms/${formId}`]) {
    await turnTo(other, `/w/${workspaceId}${path}`);
    await other.getByText(/^The operator has turned keeping off, so/).waitFor();
  }
  await off.stop();
  expect(off.faults).toEqual([]);
});

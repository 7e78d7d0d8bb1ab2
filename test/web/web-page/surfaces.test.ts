import type pg from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Seed } from '../../manage/leads/seed.ts';
import { join, makeOperator } from '../../support/browser/browser.ts';
import { type BrowserWorld, loaded, startBrowserWorld } from '../../support/browser/chromium.ts';
import { findingsInLightAndDark } from '../../support/browser/looks.ts';
import { openTestPool } from '../../support/database/database.ts';
import { holdRow } from '../../support/held-rows.ts';
import { createSender, post, type Sender } from '../../support/sender.ts';

let world: BrowserWorld;
let pool: pg.Pool;
let sender: Sender;
let page: Page;
let leadId: string;
let heldId: string;

beforeAll(async () => {
  world = await startBrowserWorld();
  pool = openTestPool(world.service.databaseUrl);
  sender = await createSender(world.service);
  const person = await join(world.service, sender.workspaceId, 'olga@example.com', 'owner');
  await makeOperator(world.service, person);
  const seed = new Seed(world.service);
  const now = new Date().toISOString();
  const ofForm = { form_id: sender.formId, surface: 'browser' };
  leadId = await seed.lead(sender.workspaceId, {
    ...ofForm,
    received_at: now,
    fields: { email: 'web@example.com' },
  });
  await seed.count(sender.workspaceId, now, 'origin_not_allowed', 3, ofForm);
  await seed.rejection(sender.workspaceId, now, 'origin_not_allowed', ofForm);
  await seed.unattributed(now, 'browser', 'token_unknown', 2);
  await seed.stop();
  heldId = await holdRow(pool, sender, { reason: 'token_expired', surface: 'browser' });
  await post(world.service, sender, 'server', '{"email":"token@example.com"}');
  await post(world.service, sender, 'server', '[]');
  page = await world.open('/account', { person });
});
afterAll(async () => {
  await pool.end();
  await world.stop();
  expect(world.faults).toEqual([]);
});

async function open(path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
  await loaded(page);
}

const at = (path: string) => `/w/${sender.workspaceId}${path}`;

async function chooseWebPage(): Promise<void> {
  await page.getByRole('combobox', { name: 'Surface' }).click();
  await page.getByRole('option', { name: 'Web page' }).click();
  await page.waitForURL('**?*surface=browser*');
}

test('leads are filtered by the surface of web pages, and say that they came from one', async () => {
  await open(at('/leads'));
  await page.getByText('token@example.com').first().waitFor();
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('combobox', { name: 'Field' }).click();
  await page.getByRole('option', { name: 'Surface' }).click();
  await page.getByRole('checkbox', { name: 'web page' }).check();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL('**?*surface=browser*');
  await page.getByText('token@example.com').waitFor({ state: 'detached' });
  await page.getByText('web@example.com').first().waitFor();
  await open(at(`/leads/${leadId}`));
  await page.getByText('via web page').waitFor();
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByText('from a web page').waitFor();
});

test('diagnostics are filtered by the surface of web pages', async () => {
  await open(at('/tokens/diagnostics'));
  await page.getByText('body_not_object').first().waitFor();
  await page.getByRole('button', { name: 'Filter' }).click();
  await chooseWebPage();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('body_not_object').first().waitFor({ state: 'detached' });
  await page.getByRole('row').filter({ hasText: 'origin_not_allowed' }).getByText('web page').waitFor();
  expect(await findingsInLightAndDark(page, 'web page diagnostics')).toEqual([]);
});

test('a held request of a web page says where it came from and why it was rejected', async () => {
  await open(at(`/tokens/diagnostics/held/${heldId}`));
  const drawer = page.getByRole('dialog');
  await drawer.getByText('Browser token expired').waitFor();
  await drawer.getByText('Web page', { exact: true }).waitFor();
  expect(await drawer.getByRole('link', { name: 'Debug signature' }).count()).toBe(0);
  await open(at('/tokens/diagnostics/held'));
  await page.getByRole('row').filter({ hasText: 'Browser token expired' }).getByText('web page').waitFor();
});

test('operators see rejections of web pages that name no form', async () => {
  await open('/operator');
  await page.getByText(/token_unknown · web page/).waitFor();
});

test('an API key can be allowed to create tokens for browsers', async () => {
  await open(at('/api-keys'));
  await page.getByRole('button', { name: 'Create API key' }).first().click();
  await page.getByRole('checkbox', { name: 'browser:mint', exact: true }).check();
});

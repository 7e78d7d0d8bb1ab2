import type pg from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { join, makeOperator, type Browser as Person } from '../support/browser/browser.ts';
import { type BrowserWorld, seriousFindings, startBrowserWorld } from '../support/browser/chromium.ts';
import { openWithClock, revisit } from '../support/browser/looks.ts';
import { openTestPool } from '../support/database/database.ts';
import { quarantined, spooledLead } from '../support/quarantine.ts';
import { createSender, type Sender } from '../support/sender.ts';

/** The page polls at this interval. */
const refreshMs = 5_000;
let world: BrowserWorld;
let pool: pg.Pool;
let sender: Sender;
let operator: Person;
let page: Page;

beforeAll(async () => {
  world = await startBrowserWorld();
  pool = openTestPool(world.service.databaseUrl);
  sender = await createSender(world.service);
  operator = await join(world.service, sender.workspaceId, 'operator@example.com', 'member');
  await makeOperator(world.service, operator);
  page = await openWithClock(world, '/operator/quarantine', { person: operator });
});
beforeEach(() => pool.query('delete from spool_quarantine'));
afterAll(async () => {
  await pool.end();
  await world.stop();
  expect(world.faults).toEqual([]);
});

test('an operator stores one lead and discards another, each after a confirmation, and the list updates by itself', async () => {
  await page.getByText('Quarantine is empty').waitFor();
  await page.getByText('No lead waits for you to store or discard it.').waitFor();
  const [kept, dropped] = [spooledLead(sender, '{"n":1}'), spooledLead(sender, '{"n":2}')];
  await quarantined(pool, kept);
  await quarantined(pool, dropped);
  await quarantined(pool, spooledLead(sender, '{"n":3}'), 'other_body');
  await page.clock.fastForward(refreshMs);
  await page.getByText(kept.submissionId).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  expect(await page.getByRole('button', { name: /^Store / }).count()).toBe(2);
  expect(await page.getByRole('button', { name: /^Discard / }).count()).toBe(3);

  await page.getByRole('button', { name: `Store ${kept.submissionId}` }).click();
  await page.getByRole('button', { name: 'Store lead' }).click();
  await page.getByText('Lead stored.').waitFor();
  await page.getByText(kept.submissionId).waitFor({ state: 'detached' });
  const stored = await world.service.api(
    'GET',
    `/workspaces/${sender.workspaceId}/leads/${kept.submissionId}`,
  );
  expect(stored.json.fields).toEqual({ n: 1 });

  const discard = page.getByRole('button', { name: `Discard ${dropped.submissionId}` });
  await discard.click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect((await pool.query('select from spool_quarantine')).rowCount).toBe(2);
  await discard.click();
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Discard lead' }).click();
  await page.getByText('Lead discarded.').waitFor();
  await page.getByText(dropped.submissionId).waitFor({ state: 'detached' });

  await pool.query('delete from spool_quarantine');
  await page.clock.fastForward(refreshMs);
  await page.getByText('Quarantine is empty').waitFor();
});

test('what PostgreSQL still refuses stays, and the dialog says why', async () => {
  const lead = spooledLead(sender, '{"poison":1}');
  await quarantined(pool, lead);
  await pool.query('alter table leads add constraint test_poison check (octet_length(body) <> 12) not valid');
  await page.reload();
  await page.getByRole('button', { name: /^Store / }).click();
  await page.getByRole('button', { name: 'Store lead' }).click();
  await page.getByRole('dialog').getByText('test_poison').waitFor();
  // Somebody else decides in between, and the second try finds out before the list does.
  const listed = Promise.withResolvers<void>();
  await page.route(/\/operator\/quarantine(\?|$)/, async (route) => {
    await listed.promise;
    await route.continue();
  });
  await pool.query('delete from spool_quarantine');
  await page.getByRole('button', { name: 'Store lead' }).click();
  listed.resolve();
  await page.getByText('Somebody else has already decided.').waitFor();
  await pool.query('alter table leads drop constraint test_poison');
});

test('operators see in the navigation how many leads wait, and nobody else has the page', async () => {
  await quarantined(pool, spooledLead(sender, '{"n":4}'));
  await page.goto('/account');
  const link = page.getByRole('link', { name: /Quarantine/ });
  await link.getByText('1 waiting').waitFor();
  await link.click();
  await page.getByRole('heading', { name: 'Quarantine' }).waitFor();
  const owner = await join(world.service, sender.workspaceId, 'owner@example.com', 'owner');
  await revisit(page, '/operator/quarantine', owner);
  await page.getByText('Operators only').waitFor();
  expect(await page.getByRole('link', { name: /Quarantine/ }).count()).toBe(0);
});

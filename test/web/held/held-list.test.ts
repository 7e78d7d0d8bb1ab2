import type pg from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { join, type Browser as Person } from '../../support/browser/browser.ts';
import { type BrowserWorld, loaded, startBrowserWorld } from '../../support/browser/chromium.ts';
import {
  actionsOutside,
  findingsInLightAndDark,
  overflow,
  revisit,
  turnTo,
} from '../../support/browser/looks.ts';
import { openTestPool } from '../../support/database/database.ts';
import { holdRow } from '../../support/held-rows.ts';
import { createSender, type Sender } from '../../support/sender.ts';

const hourMs = 3_600_000;
const attack = '<img src=x onerror=window.attacked=1>';

let world: BrowserWorld;
let pool: pg.Pool;
let sender: Sender;
let owner: Person;
let member: Person;
let page: Page;

beforeAll(async () => {
  world = await startBrowserWorld();
  pool = openTestPool(world.service.databaseUrl);
  sender = await createSender(world.service);
  owner = await join(world.service, sender.workspaceId, 'olga@example.com', 'owner');
  member = await join(world.service, sender.workspaceId, 'max@example.com', 'member');
  page = await world.open(at('/tokens/diagnostics'), { person: owner });
});
afterAll(async () => {
  await pool.end();
  await world.stop();
  expect(world.faults).toEqual([]);
});

const at = (path = '') => `/w/${sender.workspaceId}${path}`;
const heldAt = (query = '') => at(`/tokens/diagnostics/held${query}`);
const ago = (hours: number) => new Date(Date.now() - hours * hourMs);
const rows = () =>
  page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });
const drawer = () => page.getByRole('dialog', { name: 'Held request' });

async function open(path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
  await loaded(page);
}

/** One of each kind, and their ids by reason. */
async function holdSome(): Promise<Record<string, string>> {
  return {
    limited: await holdRow(pool, sender, { body: `{"name":"${attack}"}`, receivedAt: ago(1) }),
    inactive: await holdRow(pool, sender, { reason: 'form_inactive', receivedAt: ago(2) }),
    list: await holdRow(pool, sender, {
      reason: 'body_not_object',
      class: 'C',
      body: '[1,2]',
      receivedAt: ago(3),
    }),
    unsigned: await holdRow(pool, sender, {
      reason: 'signature_mismatch',
      class: 'D',
      surface: 'webhook',
      receivedAt: ago(4),
      request: { timestamp: '1765432100', signature: 'ab'.repeat(32) },
    }),
    foreign: await holdRow(pool, sender, {
      reason: 'rate_limited_day',
      receivedAt: ago(5),
      encryptionKey: 'x'.repeat(43),
    }),
  };
}

test('the tab Held explains itself while nothing is held, and the tabs lead from one to the other', async () => {
  await page.getByRole('tab', { name: 'Held' }).click();
  await page.waitForURL(`**${heldAt()}`);
  await page.getByRole('heading', { name: 'Nothing is held' }).waitFor();
  await page.getByText('Keeping is not accepting.').waitFor();
  expect(await findingsInLightAndDark(page, 'held empty')).toEqual([]);
  await page.getByRole('tab', { name: 'Rejections' }).click();
  await page.waitForURL(`**${at('/tokens/diagnostics')}`);
});

test('what is held appears without a reload, is counted, and says what it is', async () => {
  await open(heldAt());
  await holdSome();
  await expect.poll(() => rows().count()).toBe(5);
  await page
    .getByText(/^5 rejected requests are kept, [23] of them can be admitted\. The first is deleted on/)
    .waitFor();
  await rows().nth(0).getByText('Over the limit per minute', { exact: true }).waitFor();
  await rows().nth(2).getByText('No lead').waitFor();
  await rows().nth(3).getByText('Not proven').waitFor();
  await rows().nth(4).getByText('Cannot be read').waitFor();
  expect(await findingsInLightAndDark(page, 'held')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => overflow(page)).toBe(0);
  await expect.poll(() => actionsOutside(page)).toEqual([]);
  expect(await findingsInLightAndDark(page, 'held-phone')).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('every filter is in the URL, and the back button returns to the former one', async () => {
  await page.getByRole('combobox', { name: 'Reason' }).click();
  await page.getByRole('option', { name: 'Form inactive' }).click();
  await expect.poll(() => rows().count()).toBe(1);
  expect(new URL(page.url()).search).toBe('?reason=form_inactive');
  await page.goBack();
  await expect.poll(() => rows().count()).toBe(5);
  await open(heldAt('?class=D'));
  await expect.poll(() => rows().count()).toBe(1);
  await open(heldAt(`?form_id=${sender.formId}&class=C`));
  await expect.poll(() => rows().count()).toBe(1);
  await open(heldAt('?state=admitted'));
  await page.getByRole('heading', { name: 'No requests match these filters' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await expect.poll(() => rows().count()).toBe(5);
  await open(heldAt('?class=Z'));
  await page
    .getByText(/use one of A, B, C, D|Invalid input/)
    .first()
    .waitFor();
});

test('a request is shown with its headers and its body as text, why it was rejected, and how to fix it', async () => {
  await open(heldAt());
  await rows().nth(3).getByText('Not proven').click();
  await drawer().getByText('The signature does not match the timestamp and body that arrived.').waitFor();
  await drawer().getByText('X-SVC-Timestamp: 1765432100').waitFor();
  await drawer().getByText('"name": "Ada Lovelace"').waitFor();
  expect(await drawer().getByRole('button', { name: 'Admit…' }).count()).toBe(0);
  expect(await findingsInLightAndDark(page, 'held request')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => overflow(page)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 900 });
  await drawer().getByRole('link', { name: 'Debug signature' }).click();
  await page.getByRole('heading', { level: 1, name: 'Signature debugger' }).waitFor();
  await page.goBack();
  await drawer().waitFor();
  await page.keyboard.press('Escape');
  await drawer().waitFor({ state: 'detached' });
  await rows().nth(0).getByRole('link').first().click();
  await drawer().getByText(attack).waitFor();
  expect(await page.evaluate('window.attacked')).toBeUndefined();
  await page.keyboard.press('Escape');
  await rows().nth(4).getByRole('link').first().click();
  await drawer().getByText('It was encrypted with a key that the service no longer has.').waitFor();
  await page.keyboard.press('Escape');
  await drawer().waitFor({ state: 'detached' });
});

test('a selection is by row, by page or everything that matches, and a row that leaves the list leaves it', async () => {
  const bar = page.getByRole('group', { name: 'Selection' });
  await open(heldAt());
  expect(await bar.getByRole('button', { name: 'Admit…' }).isDisabled()).toBe(true);
  await rows().nth(1).getByRole('checkbox').check();
  await rows().nth(2).getByRole('checkbox').check();
  await bar.getByText('2 requests selected').waitFor();
  const head = page.getByRole('checkbox', { name: 'Select all on this page' });
  const headState = () =>
    Promise.all([':checked', ':indeterminate'].map((state) => head.and(page.locator(state)).count()));
  expect(await headState()).toEqual([0, 1]);
  await head.click();
  await bar.getByText('5 requests selected').waitFor();
  await pool.query(`delete from held_submissions where reason = 'body_not_object'`);
  await pool.query('update held_usage set rows = rows - 1 where is_proven');
  await bar.getByText('4 requests selected').waitFor();
  expect(await headState()).toEqual([1, 0]);
  await bar.getByRole('button', { name: 'Clear selection' }).click();
  await bar.getByRole('button', { name: 'Select all' }).click();
  await bar.getByText('All are selected').waitFor();
  expect(await rows().getByRole('checkbox', { checked: true }).count()).toBe(4);
});

test('members are told that held requests are for owners', async () => {
  await revisit(page, heldAt(), member);
  await page.getByRole('heading', { name: 'Owners only' }).waitFor();
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
  await turnTo(page, at(`/forms/${sender.formId}`));
  await page.getByRole('heading', { level: 1, name: 'Contact' }).waitFor();
  expect(await page.getByRole('button', { name: 'Admit…' }).count()).toBe(0);
});

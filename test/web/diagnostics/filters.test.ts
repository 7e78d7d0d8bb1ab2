import { afterAll, beforeAll, expect, test } from 'vitest';
import { findingsInLightAndDark } from '../../support/browser/looks.ts';
import { type RejectedWorld, startRejectedWorld } from './rejected-world.ts';

let at: RejectedWorld;

beforeAll(async () => {
  at = await startRejectedWorld();
});
afterAll(async () => {
  await at.stop();
  expect(at.world.faults).toEqual([]);
});

const parameters = () => Object.fromEntries(new URL(at.page.url()).searchParams);
const reasons = () => at.page.locator('.reason-group');

test('filters are chosen in a menu, shown as chips that can be removed one by one, and counted', async () => {
  const { page } = at;
  await reasons().nth(1).waitFor();
  await page.keyboard.press('f');
  const menu = page.getByRole('dialog', { name: /^Filter/ });
  await menu.getByRole('combobox', { name: 'Reason' }).click();
  await menu.getByRole('option', { name: 'form_inactive' }).click();
  await menu.getByRole('option', { name: 'timestamp_outside_window' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Filter ?1 set$/ }).waitFor();
  expect(parameters()).toEqual({ reason: 'form_inactive,timestamp_outside_window' });
  await expect.poll(() => reasons().count()).toBe(2);
  await menu.getByRole('combobox', { name: 'Severity' }).click();
  await menu.getByRole('option', { name: /^Info/ }).click();
  await expect.poll(() => reasons().count()).toBe(1);
  expect(await findingsInLightAndDark(page, 'diagnostics-filter-menu')).toEqual([]);
  await menu.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: /^Filter ?2 set$/ }).waitFor();
  await page.reload();
  await expect.poll(() => reasons().count()).toBe(1);
  await page.getByRole('button', { name: 'Remove filter on severity Info' }).click();
  await expect.poll(() => reasons().count()).toBe(2);
  await page.getByRole('button', { name: 'Remove filter on reason form_inactive' }).click();
  await expect.poll(() => reasons().count()).toBe(1);
  expect(parameters()).toEqual({ reason: 'timestamp_outside_window' });
});

test('the page says how many rejections are only counted', async () => {
  const { page } = at;
  await page.goto(at.at());
  await page.getByText('Showing 3 of 50; 47 are only counted', { exact: true }).waitFor();
});

test('filters that find nothing say what is filtered, and can be cleared or widened', async () => {
  const { page } = at;
  await page.goto(at.at('?reason=form_inactive&surface=webhook&range=15m'));
  await page.getByRole('heading', { name: 'Nothing was rejected in the last 15 min' }).waitFor();
  await page.getByText('with reason form_inactive, surface webhook.').waitFor();
  expect(await findingsInLightAndDark(page, 'diagnostics-nothing')).toEqual([]);
  await page.getByRole('button', { name: 'Widen to 24 h' }).click();
  await expect.poll(() => reasons().count()).toBe(1);
  expect(parameters()).toMatchObject({ range: '24h', reason: 'form_inactive' });
  await page.goBack();
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await page.waitForURL((url) => !url.searchParams.has('reason'));
  expect(parameters()).toEqual({ range: '15m' });
});

test('until a wider range has loaded, nothing is said about it', async () => {
  const { page } = at;
  await page.goto(at.at('?reason=form_inactive&surface=server&range=15m'));
  await page.getByText('Nothing that matches the filters was sent in the last 15 min.').waitFor();
  const release = Promise.withResolvers<void>();
  await page.route(/\/diagnostics(\/groups)?\?/, async (route) => {
    await release.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Widen to 24 h' }).click();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor();
  expect(await page.getByText(/^Nothing .* in the last 24 hours/).count()).toBe(0);
  release.resolve();
  await page.unrouteAll({ behavior: 'wait' });
  await expect.poll(() => reasons().count()).toBe(1);
});

test('a range stays relative in the URL, and a custom one is two times in the zone that the page shows', async () => {
  const { page } = at;
  await page.goto(at.at());
  await page.getByText('15 min', { exact: true }).click();
  await page.waitForURL(/range=15m/);
  expect(parameters()).toEqual({ range: '15m' });
  await page.getByText('UTC', { exact: true }).click();
  await page.getByRole('button', { name: 'Custom' }).click();
  const dialog = page.getByRole('dialog', { name: 'Custom' });
  await dialog.getByLabel('From (UTC)').fill('2026-03-01T08:00');
  await dialog.getByLabel('To (UTC)').fill('2026-03-01T07:00');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await dialog.getByText('The end must be after the start.').waitFor();
  await dialog.getByLabel('To (UTC)').fill('2026-03-02T08:00');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(/from=/);
  expect(parameters()).toMatchObject({
    from: '2026-03-01T08:00:00.000Z',
    to: '2026-03-02T08:00:00.000Z',
  });
  await page.getByText('1 Mar 2026, 08:00:00 UTC – 2 Mar 2026, 08:00:00 UTC').waitFor();
  await page.getByText('Nothing was sent in the selected time.').waitFor();
});

test('with filters, an empty chart speaks of what matches them', async () => {
  const { page } = at;
  await page.goto(at.at('?surface=browser'));
  await page.getByText('Nothing that matches the filters was sent in the last 24 hours.').waitFor();
});

test('the choice of UTC is kept by the browser, and belongs to this page alone', async () => {
  const { page } = at;
  await page.goto(at.at('?from=2026-03-01T08:00:00.000Z'));
  await page.getByText('1 Mar 2026, 08:00:00 UTC – now').waitFor();
  await page.getByText('Local', { exact: true }).click();
  await page.getByText(/^1 Mar 2026, \d\d:00:00 – now$/).waitFor();
  await page.getByText('UTC', { exact: true }).click();
  await page.goto(`/w/${at.sender.workspaceId}/leads?from=2026-03-01T08:00:00.000Z`);
  await page.getByText(/^Received since 1 Mar 2026, \d\d:00:00$/).waitFor();
});

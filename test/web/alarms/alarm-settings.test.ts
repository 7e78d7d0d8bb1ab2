import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { join, type Browser as Person } from '../../support/browser/browser.ts';
import { type BrowserWorld, loaded, startBrowserWorld } from '../../support/browser/chromium.ts';
import { actionsOutside, findingsInLightAndDark, overflow } from '../../support/browser/looks.ts';
import { createSender, type Sender } from '../../support/sender.ts';

let world: BrowserWorld;
let sender: Sender;
let owner: Person;
let page: Page;

beforeAll(async () => {
  world = await startBrowserWorld();
  sender = await createSender(world.service);
  owner = await join(world.service, sender.workspaceId, 'olga@example.com', 'owner');
  page = await world.open(`/w/${sender.workspaceId}/alarms/settings`, { person: owner });
  await page.getByRole('heading', { level: 1, name: 'Alarm settings' }).waitFor();
  await loaded(page);
});
afterAll(async () => {
  await world.stop();
  expect(world.faults).toEqual([]);
});

const path = () => `/workspaces/${sender.workspaceId}/alarm-settings`;
const saved = async () => (await world.service.api('GET', path())).json;
const save = () => page.getByRole('button', { name: 'Save' });
const isSaved = () => page.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' });

test('the page shows the defaults, and says that no emails are sent without a mail server', async () => {
  await page.getByText('Default settings. Nobody has changed them yet.').waitFor();
  await page.getByText(/^This service has no mail server/).waitFor();
  expect(await save().isDisabled()).toBe(true);
  expect(await findingsInLightAndDark(page, 'alarm settings')).toEqual([]);
});

test('emails, the time zone, the hour of the digest and single kinds are saved', async () => {
  await page.getByRole('switch', { name: 'Send emails to all owners' }).click();
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Tokyo');
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
  await page.getByRole('combobox', { name: 'Daily digest at' }).click();
  await page.getByRole('option', { name: '06:00' }).click();
  await page.getByRole('switch', { name: 'More spam than usual', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Sensitive, all forms' }).check();
  await save().click();
  await isSaved();
  const settings = await saved();
  expect(settings).toMatchObject({ version: 1, email_owners: false, digest_hour: 6 });
  expect(settings.time_zone).toBe('Asia/Tokyo');
  expect(settings.rules).toMatchObject([
    { kind: 'spam_surge', form_id: null, enabled: false },
    { kind: 'silence', form_id: null, enabled: true, sensitive: true },
  ]);
  await page.getByText(/^Saved by /).waitFor();
});

test('what is turned on again needs no rule', async () => {
  await page.getByRole('switch', { name: 'More spam than usual', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Sensitive, all forms' }).uncheck();
  await save().click();
  await isSaved();
  expect((await saved()).rules).toEqual([]);
});

test('a form can have its own number of days, be muted and be left out', async () => {
  await page.getByRole('combobox', { name: 'Form of the exception' }).click();
  await page.getByRole('option', { name: 'Contact' }).click();
  await page.getByRole('button', { name: 'Add exception' }).click();
  const exception = page.getByRole('list', { name: 'Exceptions' }).getByRole('listitem');
  await exception.getByRole('textbox', { name: 'Days without a lead, Contact' }).fill('4');
  await exception.getByLabel('Mute until, No leads, Contact').fill('2099-03-04');
  await exception.getByText(/^Muted until 4 Mar 2099/).waitFor();
  expect(await findingsInLightAndDark(page, 'alarm settings exception')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => overflow(page)).toBe(0);
  await expect.poll(() => actionsOutside(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await save().click();
  await isSaved();
  const [rule, ...others] = (await saved()).rules;
  expect(others).toEqual([]);
  expect(rule).toMatchObject({ kind: 'silence', form_id: sender.formId, enabled: true, silent_days: 4 });
  expect(rule.muted_until).toMatch(/^2099-03-0[345]/);
  await exception.getByRole('switch', { name: 'Contact' }).click();
  await save().click();
  await isSaved();
  expect((await saved()).rules[0].enabled).toBe(false);
  await exception.getByRole('button', { name: /^Remove the exception/ }).click();
  await save().click();
  await isSaved();
  expect((await saved()).rules).toEqual([]);
});

test('what someone else saved in the meantime is not overwritten, and what was typed stays until it is discarded', async () => {
  await page.getByRole('switch', { name: 'Expiry', exact: true }).click();
  await world.service.api('PUT', path(), { digest_hour: 3 });
  await page.getByText(/^Saved by operator/).waitFor();
  await save().click();
  await page.getByText(/^Someone else has saved these settings/).waitFor();
  expect(await saved()).toMatchObject({ digest_hour: 3, rules: [] });
  expect(await page.getByRole('switch', { name: 'Expiry', exact: true }).isChecked()).toBe(false);
  expect(await findingsInLightAndDark(page, 'alarm settings conflict')).toEqual([]);
  await page.getByRole('button', { name: 'Load the newest settings' }).click();
  expect(await page.getByRole('combobox', { name: 'Daily digest at' }).inputValue()).toBe('03:00');
  await page.getByRole('switch', { name: 'Expiry', exact: true }).click();
  await save().click();
  await isSaved();
  expect(await saved()).toMatchObject({ digest_hour: 3, rules: [{ kind: 'expiry_near', enabled: false }] });
});

test('nobody leaves unsaved changes by accident', async () => {
  await page.getByRole('switch', { name: 'Expiry', exact: true }).click();
  const asked = page.waitForEvent('dialog');
  const click = page.getByRole('link', { name: 'Leads', exact: true }).click();
  const dialog = await asked;
  expect(dialog.message()).toBe('Leave without saving your changes?');
  await dialog.dismiss();
  await click;
  expect(new URL(page.url()).pathname).toBe(`/w/${sender.workspaceId}/alarms/settings`);
  await page.getByRole('button', { name: 'Discard' }).click();
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shardOf } from '../../../src/domain/workspace.ts';
import { Seed } from '../../manage/leads/seed.ts';
import { goodPassword, join, type Browser as Person } from '../../support/browser/browser.ts';
import { type BrowserWorld, focused, loaded, startBrowserWorld } from '../../support/browser/chromium.ts';
import { actionsOutside, findingsInLightAndDark, overflow, revisit } from '../../support/browser/looks.ts';
import { picture } from '../../support/browser/picture.ts';
import { createSender, type Sender } from '../../support/sender.ts';

const originRule =
  'Must be an origin such as https://www.example.com, or https://*.example.com for one label; without path';
const site = 'https://www.example.com';

let world: BrowserWorld;
let seed: Seed;
let sender: Sender;
let owner: Person;
let member: Person;
let page: Page;

/** Each test continues from the last. */
beforeAll(async () => {
  world = await startBrowserWorld();
  seed = new Seed(world.service);
  sender = await createSender(world.service);
  owner = await join(world.service, sender.workspaceId, 'olga@example.com', 'owner');
  member = await join(world.service, sender.workspaceId, 'max@example.com', 'member');
  page = await world.open(at('/delivery'), { person: owner });
});
afterAll(async () => {
  await seed.stop();
  await world.stop();
  expect(world.faults).toEqual([]);
});

const at = (path: string) => `/w/${sender.workspaceId}/forms/${sender.formId}${path}`;
const settingsPath = () => `/workspaces/${sender.workspaceId}/forms/${sender.formId}/browser`;
const settings = async () => (await world.service.api('GET', settingsPath())).json;
const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const section = (name: string) => page.getByRole('region', { name, exact: true });
const code = async () => (await page.locator('pre').first().innerText()).replaceAll('\u00a0', ' ');

/** The toast of the last save would be taken for that of the next. */
async function save(): Promise<void> {
  await button('Save changes').click();
  await button('Discard changes').waitFor({ state: 'detached' });
}

async function count(origin: string, step: string, number: number, at = new Date()): Promise<void> {
  const minute = new Date(Math.floor(at.getTime() / 60_000) * 60_000);
  await seed.query(
    `insert into mint_counts (shard, workspace_id, form_id, minute, origin, step, count, last_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [shardOf(sender.workspaceId), sender.workspaceId, sender.formId, minute, origin, step, number, at],
  );
}

test('an owner turns it on with an origin, and what is no origin is refused at its input', async () => {
  await page.getByRole('tab', { name: 'Web page' }).click();
  await page.getByRole('switch', { name: 'Accept leads from web pages' }).check();
  await button('Save changes').click();
  await page.getByText('Add the origin of at least one page').waitFor();
  const origin = page.getByRole('textbox', { name: 'New origin' });
  await origin.fill('www.example.com/contact');
  await origin.press('Enter');
  await page.getByText(originRule).waitFor();
  expect(await findingsInLightAndDark(page, 'web page error')).toEqual([]);
  await origin.fill('https://WWW.example.com/');
  await origin.press('Enter');
  await button(`Remove ${site}`).waitFor();
  // What is still in the input is saved too.
  await origin.fill('https://*.example.org');
  await save();
  expect(await settings()).toMatchObject({ enabled: true, origins: [site, 'https://*.example.org'] });
  await button('Remove https://*.example.org').click();
  await save();
  expect((await settings()).origins).toEqual([site]);
});

test('the code to copy names the form, and has an action only if browsers without script may post', async () => {
  const { public_key } = await settings();
  await expect.poll(code).toContain(`data-leadgate="${public_key}"`);
  expect(await code()).toMatch(/<script src="http.*\/sdk\/v1\.js" defer>/);
  expect(await code()).not.toContain('action=');
  await page.getByRole('switch', { name: 'Accept the form without JavaScript' }).check();
  await page.getByLabel('Thank-you page').fill('/thanks');
  await button('Save changes').click();
  await page.getByText('Must be a URL that starts with https:// or http://').waitFor();
  await page.getByLabel('Thank-you page').fill(`${site}/thanks`);
  await save();
  await expect.poll(code).toContain(`/api/v1/browser/forms/${public_key}" method="post"`);
  for (const [kind, text] of [
    ['Module', 'import { leadgate } from'],
    ['React', "from 'react'"],
  ] as const) {
    await page.getByText(kind, { exact: true }).click();
    await expect.poll(code).toContain(text);
  }
  await page.getByText('HTML', { exact: true }).click();
});

test('a captcha needs its keys, and its secret is never shown again', async () => {
  await page.getByRole('radio', { name: 'Cloudflare Turnstile' }).check();
  await page.getByLabel('Site key').fill('0x4AAA');
  await button('Save changes').click();
  await page.getByText('Enter the secret key of Cloudflare Turnstile').waitFor();
  await page.getByRole('textbox', { name: 'Secret key' }).fill('0x4secret');
  await save();
  expect((await settings()).captcha).toEqual({ site_key: '0x4AAA', has_secret: true });
  await expect.poll(code).toContain('data-sitekey="0x4AAA"');
  expect(await page.getByRole('textbox', { name: 'Secret key' }).inputValue()).toBe('');
  // The keys of one service are not those of another.
  await page.getByRole('radio', { name: 'hCaptcha' }).check();
  expect(await page.getByLabel('Site key').inputValue()).toBe('');
  await page.getByRole('radio', { name: 'Proof of work' }).check();
  await save();
  expect((await settings()).protection).toBe('work');
});

test('localhost is allowed for 24 hours, which saving something else does not change', async () => {
  await page.getByRole('switch', { name: 'Allow localhost for 24 hours' }).check();
  await save();
  await page.getByText(/^Ends in 1 day/).waitFor();
  const { localhost_until } = await settings();
  await page.getByRole('textbox', { name: 'Token lifetime' }).fill('180');
  await save();
  expect(await settings()).toMatchObject({ ttl_s: 180, localhost_until });
});

test('what another owner changes meanwhile is said, and saving keeps it', async () => {
  await page.getByRole('textbox', { name: 'New origin' }).fill('https://mine.example.com');
  await button('Add').click();
  const { origins, thanks_url } = await settings();
  await world.service.api('PUT', settingsPath(), {
    enabled: true,
    origins,
    no_script: true,
    thanks_url,
    ttl_s: 240,
  });
  await page.getByText('Someone changed these settings in the meantime').waitFor();
  await save();
  expect(await settings()).toMatchObject({ ttl_s: 240, origins: [site, 'https://mine.example.com'] });
  await button('Remove https://mine.example.com').click();
  await save();
});

test('the live check and the funnel follow what pages do, without a reload', async () => {
  await page.getByText('Its first request appears here within a few seconds').waitFor();
  await count(site, 'challenged', 40);
  await count(site, 'minted', 31);
  await count(site, 'used', 30);
  await count(site, 'accepted', 29);
  await count(site, 'refused:challenge_failed', 9);
  await count('https://broken.example.com', 'challenged', 25, new Date(Date.now() - 3_600_000));
  await count('', 'refused:origin_not_allowed', 1_200, new Date(Date.now() - 120_000));
  await section('Live check').getByText(`Last seen from ${site}`).waitFor();
  const row = page.getByRole('row').filter({ hasText: site });
  await row.getByRole('cell', { name: '31', exact: true }).waitFor();
  expect(await row.getByRole('cell').allInnerTexts()).toEqual([
    expect.stringContaining(site),
    ...['40', '31', '30', '29'],
  ]);
  const others = page.getByRole('row').filter({ hasText: 'Not in your list' });
  await others.getByText('1,200 refused').waitFor();
  const hint = page.getByRole('alert').filter({ hasText: 'https://broken.example.com' });
  await hint.getByText('never for a token').waitFor();
  const funnel = section('From page to lead');
  await funnel.getByText('1,200', { exact: true }).waitFor();
  await funnel.getByText('challenge_failed').waitFor();
});

// As text, because only the browser has what it uses. A table becomes cards when its box has been measured.
const cutTables = `[...document.querySelectorAll('.stacked')].filter((box) => box.scrollWidth > box.clientWidth).length`;

test.each([390, 768, 1440])('the page fits a window of %i pixels and is accessible', async (width) => {
  await page.setViewportSize({ width, height: 900 });
  await picture(page, `web-page-${width}`);
  await expect.poll(() => overflow(page)).toBe(0);
  await expect.poll(() => actionsOutside(page)).toEqual([]);
  await expect.poll(() => page.evaluate(cutTables)).toBe(0);
  expect(await findingsInLightAndDark(page, `web page ${width}`)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('ending all browser tokens asks first, and raises the epoch', async () => {
  const { epoch } = await settings();
  await button('End all browser tokens').click();
  await dialog()
    .getByText(`needs the new epoch, ${epoch + 1}`)
    .waitFor();
  expect(await findingsInLightAndDark(page, 'web page end tokens')).toEqual([]);
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await dialog().waitFor({ state: 'detached' });
  expect((await settings()).epoch).toBe(epoch);
  await button('End all browser tokens').click();
  await dialog().getByRole('button', { name: 'End tokens' }).click();
  await dialog().waitFor({ state: 'detached' });
  expect((await settings()).epoch).toBe(epoch + 1);
  await page.getByText(`Current epoch: ${epoch + 1}`).waitFor();
});

test('a mint secret is created and rotated with the password, and shown once with what a backend needs', async () => {
  // As if they had signed in an hour ago.
  await seed.query("update sessions set password_checked_at = null, created_at = now() - interval '1 hour'");
  await button('Create mint secret').click();
  await dialog().getByRole('button', { name: 'Create mint secret' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await focused(proof.getByLabel('Password', { exact: true }));
  await proof.getByLabel('Password', { exact: true }).fill(goodPassword);
  await page.keyboard.press('Enter');
  const shown = page.getByRole('dialog', { name: 'Your mint secret' });
  const secret = await shown.getByLabel('Mint secret', { exact: true }).inputValue();
  expect(secret.length).toBeGreaterThan(20);
  for (const value of [sender.workspaceId, sender.formId]) await shown.getByText(value).waitFor();
  expect(await findingsInLightAndDark(page, 'web page mint secret')).toEqual([]);
  await shown.getByRole('button', { name: 'I have saved it' }).click();
  await dialog().waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(secret);
  await button('Rotate mint secret').click();
  expect(await findingsInLightAndDark(page, 'web page rotate')).toEqual([]);
  await dialog().getByText('7 days').click();
  await dialog().getByRole('button', { name: 'Rotate mint secret' }).click();
  await shown.getByText('The previous secret stays valid until').waitFor();
  expect(await shown.getByLabel('Mint secret', { exact: true }).inputValue()).not.toBe(secret);
  await shown.getByRole('button', { name: 'I have saved it' }).click();
  await dialog().waitFor({ state: 'detached' });
  await page.getByText('The previous secret is valid until').waitFor();
});

test('unsaved changes survive a lost connection and a session that ended', async () => {
  const origin = page.getByRole('textbox', { name: 'New origin' });
  await origin.fill('https://late.example.com');
  await page.route('**/browser', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  );
  await button('Save changes').click();
  await page.getByText('The service is not responding.').waitFor();
  await page.unroute('**/browser');
  await button('Remove https://late.example.com').waitFor();
  await page.context().clearCookies();
  await button('Save changes').dispatchEvent('click');
  const again = page.getByRole('dialog', { name: 'Your session has ended' });
  await focused(again.getByLabel('Email'));
  await again.getByLabel('Email').fill('olga@example.com');
  await again.getByLabel('Password', { exact: true }).fill(goodPassword);
  await page.keyboard.press('Enter');
  await again.waitFor({ state: 'detached' });
  await save();
  expect((await settings()).origins).toContain('https://late.example.com');
});

test('a member reads the settings and the code, and can change nothing', async () => {
  await revisit(page, at(''), member);
  await page.getByRole('tab', { name: 'Delivery settings' }).click();
  await button('Copy public key').waitFor();
  await loaded(page);
  for (const name of ['Save changes', 'End all browser tokens', 'Rotate mint secret', 'Add'])
    expect(await button(name).count()).toBe(0);
  for (const name of ['Accept leads from web pages', 'Allow localhost for 24 hours'])
    expect(await page.getByRole('switch', { name }).isDisabled()).toBe(true);
  expect(await page.getByRole('tab', { name: 'Webhook' }).count()).toBe(0);
  expect(await findingsInLightAndDark(page, 'web page member')).toEqual([]);
});

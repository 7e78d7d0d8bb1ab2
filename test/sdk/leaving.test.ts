import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plainHost } from '../support/browser/chromium.ts';
import { findChromium } from '../support/browser/find-chromium.ts';
import { contactPage } from './page-server.ts';
import { visit } from './visit.ts';
import { type SdkWorld, startSdkWorld } from './world.ts';

let world: SdkWorld;
let thanksUrl: string;

beforeAll(async () => {
  world = await startSdkWorld();
  thanksUrl = world.pages.add('/thanks', '<!doctype html><title>Thanks</title>');
  const { workspaceId, formId } = world.sender;
  const { pages, service } = world;
  // The page that has no secure context has another origin.
  const origins = [pages.origin, `http://${plainHost}:${pages.port}`];
  const settings = { enabled: true, origins, no_script: true, thanks_url: thanksUrl };
  await service.api('PUT', `/workspaces/${workspaceId}/forms/${formId}/browser`, settings);
});
afterAll(() => world.stop());

const script = () => `<script src="${world.service.url}/sdk/v1.js" defer></script>`;
const action = () => `action="${world.service.url}/api/v1/browser/forms/${world.key}" method="post"`;

test('with script turned off, the browser posts the form itself and goes to the thank-you page', async () => {
  const { pages, key } = world;
  const before = (await world.leads()).length;
  const url = pages.add('/off', contactPage(script(), `data-leadgate="${key}" ${action()}`));
  const { page, posted } = await visit(url, { isScriptOff: true });
  await page.locator('button').click();
  await page.waitForURL(thanksUrl);
  expect(posted).toEqual([`/api/v1/browser/forms/${key}`]);
  await expect.poll(world.leads).toHaveLength(before + 1);
});

test('without a secure context, the browser posts a form that has an action', async () => {
  const { pages, key } = world;
  const before = (await world.leads()).length;
  const url = pages.add('/plain', contactPage(script(), `data-leadgate="${key}" ${action()}`));
  const { page, posted } = await visit(url.replace('127.0.0.1', plainHost));
  await page.locator('button').click();
  await page.waitForURL(thanksUrl);
  expect(posted).toEqual([`/api/v1/browser/forms/${key}`]);
  await expect.poll(world.leads).toHaveLength(before + 1);
});

test('without a secure context and an action, the page hears why nothing is sent', async () => {
  const { pages, key } = world;
  const url = pages.add('/nowhere', contactPage(script(), `data-leadgate="${key}"`));
  const { page, told, posted } = await visit(url.replace('127.0.0.1', plainHost));
  await page.locator('button').click();
  await expect.poll(() => told.map(({ detail }) => detail)).toEqual([{ reason: 'insecure' }]);
  expect(posted).toEqual([]);
  expect(await page.locator('button').isEnabled()).toBe(true);
});

test('a form in the browser’s cache of left pages can be used again', async () => {
  const browser = await cachingBrowser();
  const { pages, key } = world;
  const url = pages.add('/back', contactPage(script(), `data-leadgate="${key}" data-next="/thanks"`));
  const { page } = await visit(url, { browser });
  await page.evaluate(`addEventListener('pageshow', ({ persisted }) => { window.wasCached = persisted })`);
  await page.locator('button').click();
  await page.waitForURL(thanksUrl);
  // Its load event does not happen again.
  await page.goBack({ waitUntil: 'commit' });
  await expect.poll(() => page.evaluate('window.wasCached')).toBe(true);
  expect(await page.locator('form').getAttribute('aria-busy')).toBeNull();
  expect(await page.locator('button').isEnabled()).toBe(true);
  await browser.close();
});

/** Playwright turns that cache off. */
function cachingBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    timeout: 60_000,
  });
}

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goodPassword, join, type Browser as Person } from '../../support/browser/browser.ts';
import { type BrowserWorld, startBrowserWorld } from '../../support/browser/chromium.ts';
import { findingsInLightAndDark, overflow } from '../../support/browser/looks.ts';
import { createSender, type Sender } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let world: BrowserWorld;
/** Another instance, which goes on while the one in the browser is down. */
let other: TestService;
let sender: Sender;
let person: Person;
const email = 'olga@example.com';

beforeAll(async () => {
  other = await startTestService();
  sender = await createSender(other);
  person = await join(other, sender.workspaceId, email, 'owner');
  world = await startBrowserWorld({ databaseUrl: other.databaseUrl });
});
afterAll(async () => {
  await world.stop();
  await other.stop();
  expect(world.faults).toEqual([]);
});

const bar = (page: Page, text: string | RegExp) => page.locator('.connection-bar').getByText(text);
const rename = (name: string) =>
  other.api('PATCH', `/workspaces/${sender.workspaceId}/forms/${sender.formId}`, { name });

test('while the service is down, the page stays, other pages open, nothing typed is lost and the tab is never left; then all is fetched again', async () => {
  const page = await world.open(`/w/${sender.workspaceId}`, { person });
  // The last of the pages that are fetched ahead.
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/quarantine-')),
  );
  await page.getByRole('link', { name: 'Forms' }).click();
  const form = page.getByRole('link', { name: 'Contact', exact: true });
  await form.click();
  await page.getByLabel('Name', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Forms' }).first().click();
  await form.waitFor();

  await world.down();
  await rename('Renamed meanwhile');
  await page.keyboard.press('r');
  await bar(page, /^Leadgate is not responding\. What you see is from \d\d:\d\d:\d\d\.$/).waitFor();
  await bar(page, /^Retrying/).waitFor();
  await form.waitFor();
  expect(await findingsInLightAndDark(page, 'outage')).toEqual([]);

  await form.click();
  await page.getByLabel('Name', { exact: true }).fill('Typed during the outage');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The service is not responding.').waitFor();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Typed during the outage');
  await page.getByLabel('Name', { exact: true }).fill('Contact');

  await page.getByRole('link', { name: 'Enrichment' }).click();
  await page.getByRole('heading', { name: 'Enrichment', level: 1 }).waitFor();
  await page.getByText('Not loaded yet.').first().waitFor();
  const { href } = new URL(page.url());
  await page.getByRole('link', { name: 'Documentation' }).click();
  await page.getByText('Try again when it is back.').waitFor();
  expect(page.url()).toBe(href);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflow(page)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('link', { name: 'Forms' }).first().click();
  await form.waitFor();

  await world.up();
  await page.getByRole('button', { name: 'Try now' }).click();
  await page.getByRole('link', { name: 'Renamed meanwhile' }).waitFor();
  await bar(page, /What you see/).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Documentation' }).click();
  await page.waitForURL(/\/docs/);
});

test('a page whose code does not load says so beside the navigation, and Try again loads it', async () => {
  const page = await world.open(`/w/${sender.workspaceId}/forms`, { person, savesData: true });
  const code = '**/assets/enrichment-*.js*';
  await page
    .getByRole('link', { name: 'Contact' })
    .or(page.getByRole('link', { name: /^Renamed/ }))
    .waitFor();
  await page.route(code, (route) => route.abort());
  await page.getByRole('link', { name: 'Enrichment' }).click();
  await page.getByText('This page could not be loaded').waitFor();
  await page.getByRole('button', { name: 'Reload' }).waitFor();
  expect(await findingsInLightAndDark(page, 'missing page')).toEqual([]);
  await page.getByRole('link', { name: 'Forms' }).click();
  await page.getByRole('heading', { name: 'Forms', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Enrichment' }).click();
  await page.getByRole('button', { name: 'Reload' }).waitFor();
  await page.unroute(code);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Enrichment', level: 1 }).waitFor();
});

test('a proxy without a service, and a service without a database, are told apart', async () => {
  const page = await world.open(`/w/${sender.workspaceId}/forms`, { person });
  await page.getByRole('heading', { name: 'Forms', level: 1 }).waitFor();
  await page.route('**/api/**', (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }));
  await page.getByRole('button', { name: 'Refresh' }).click();
  await bar(page, 'Leadgate is not responding.').waitFor();
  // Takes the place of the other without a gap, in which a probe would find the service.
  await page.route('**/api/**', (route) => route.fulfill({ status: 503, json: { code: 'unavailable' } }));
  await bar(page, 'Leadgate cannot reach its database.').waitFor();
  await page.unroute('**/api/**');
  await page.evaluate("window.dispatchEvent(new Event('online'))");
  await bar(page, /What you see/).waitFor({ state: 'detached' });
});

test('somebody who signs in while the service is down is told so, and signs in with what they typed afterwards', async () => {
  const page = await world.open('/sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  await world.down();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText('The service is not responding.').waitFor();
  await bar(page, 'Leadgate is not responding.').waitFor();
  expect(await findingsInLightAndDark(page, 'sign-in outage')).toEqual([]);
  await page.getByRole('link', { name: 'API reference' }).click();
  await world.up();
  await bar(page, /What you see/).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`**/w/${sender.workspaceId}`);
});

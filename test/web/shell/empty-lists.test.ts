import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace, Seed } from '../../manage/leads/seed.ts';
import { join } from '../../support/browser/browser.ts';
import { type BrowserWorld, loaded, startBrowserWorld } from '../../support/browser/chromium.ts';

let world: BrowserWorld;
let seed: Seed;
let base: string;
let leadId: string;
let page: Page;

beforeAll(async () => {
  world = await startBrowserWorld();
  seed = new Seed(world.service);
  const workspaceId = await createWorkspace(world.service, 'Engines');
  base = `/w/${workspaceId}`;
  leadId = await seed.lead(workspaceId, { received_at: '2026-01-05T08:00:00Z' });
  await seed.alarm(workspaceId);
  const person = await join(world.service, workspaceId, 'olga@example.com', 'owner');
  page = await world.open(base, { person });
});
afterAll(async () => {
  await seed.stop();
  await world.stop();
  expect(world.faults).toEqual([]);
});

test.each([
  ['leads', '/leads?verdict=spam', /\/leads\?/, 'No leads yet'],
  ['deliveries', '/deliveries?state=dead', /\/deliveries(\?|$)/, 'No deliveries in the last 90 days'],
  ['held submissions', '/tokens/diagnostics/held?state=admitted', /\/held(\?|$)/, 'Nothing is held'],
  ['alarms', '/alarms?kind=silence', /\/alarms(\?|$)/, 'No open alarms'],
])('%s without a filter are not called empty before they have loaded', async (_name, path, call, title) => {
  await page.goto(`${base}${path}`);
  await page.getByRole('heading', { name: /^No \w+ match these filters$/ }).waitFor();
  const [asked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holdBack = async (route: Route) => {
    asked.resolve();
    await release.promise;
    await route.continue();
  };
  await page.route(call, holdBack);
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await asked.promise;
  await page.waitForURL((url) => url.search === '');
  await page.getByRole('status', { name: 'Loading' }).first().waitFor();
  expect(await page.getByRole('heading', { name: title, exact: true }).count()).toBe(0);
  release.resolve();
  await page.unrouteAll({ behavior: 'wait' });
  await loaded(page);
});

test('what is empty under a filter is said of that filter', async () => {
  await page.goto(`${base}/alarms?state=closed`);
  await page.getByRole('heading', { name: 'No closed alarms' }).waitFor();
  await page.goto(`${base}/tokens/diagnostics/held?state=admitted`);
  await page.getByText('Nothing is admitted any longer, or yet').waitFor();
  await page.goto(`${base}/tokens/diagnostics/held?state=admitted&reason=form_inactive`);
  await page.getByText('Clear the filters to see everything that is held.').waitFor();
  await page.goto(`${base}/leads?verdict=clean`);
  await page.getByText(/^1 in this list/).waitFor();
});

test('what may have been deleted since is not said never to have been', async () => {
  await page.goto(`${base}/deliveries`);
  await page.getByRole('heading', { name: 'No deliveries in the last 90 days' }).waitFor();
  await page.goto(`${base}/leads/${leadId}`);
  await page.getByRole('tab', { name: 'Deliveries' }).click();
  await page.getByText('Deliveries are deleted after 90 days').waitFor();
});

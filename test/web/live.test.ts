import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { join, type Browser as Person } from '../support/browser/browser.ts';
import { type BrowserWorld, loaded, startBrowserWorld } from '../support/browser/chromium.ts';
import { eventually, metricOf } from '../support/diagnostics.ts';
import { createSender, post, type Sender } from '../support/sender.ts';

let world: BrowserWorld;
let sender: Sender;
let owner: Person;

beforeAll(async () => {
  world = await startBrowserWorld();
  sender = await createSender(world.service);
  owner = await join(world.service, sender.workspaceId, 'owner@example.com', 'owner');
});
afterAll(async () => {
  await world.stop();
  expect(world.faults).toEqual([]);
});

const openStreams = () => metricOf(world.service, 'leadgate_change_streams');
const sendLead = (name: string) =>
  post(world.service, sender, 'server', JSON.stringify({ name, email: 'ada@analytical.engine' }));

async function openTab(beside: Page, path: string): Promise<Page> {
  const page = await beside.context().newPage();
  await page.goto(path);
  await loaded(page);
  return page;
}

test('eight tabs share one stream, show what happens without a reload, and keep doing so when the tab with the stream closes', async () => {
  const at = `/w/${sender.workspaceId}`;
  const overview = await world.open(at, { person: owner });
  await overview.getByText('Waiting for the first lead').waitFor();
  await eventually(openStreams, (open) => open === 1);
  const leads = await openTab(overview, `${at}/leads`);
  const tokens = await openTab(overview, `${at}/tokens`);
  const diagnostics = await openTab(overview, `${at}/tokens/diagnostics`);
  for (const path of ['/forms', '/workspace', '/enrichment', '']) await openTab(overview, at + path);
  await tokens.getByText('Never used', { exact: true }).waitFor();
  expect(await openStreams()).toBe(1);

  expect((await sendLead('Grace Hopper')).status).toBe(202);
  await overview.getByText('Grace Hopper').waitFor();
  await leads.getByText('Grace Hopper').waitFor();
  await tokens.getByText('Never used', { exact: true }).waitFor({ state: 'detached' });
  await post(world.service, sender, 'server', 'not json');
  await diagnostics.getByText('Rejected · 1').waitFor();

  await overview.close();
  expect((await sendLead('Edsger Dijkstra')).status).toBe(202);
  await leads.getByText('Edsger Dijkstra').waitFor();
  expect(await eventually(openStreams, (open) => open === 1)).toBe(1);
  await leads.context().close();
  expect(await eventually(openStreams, (open) => open === 0)).toBe(0);
});

test('a member who is removed sees it without a reload, and their stream is gone', async () => {
  const member = await join(world.service, sender.workspaceId, 'member@example.com', 'member');
  const page = await world.open(`/w/${sender.workspaceId}`, { person: member });
  await eventually(openStreams, (open) => open === 1);
  const { json } = await member.api('GET', '/me');
  await owner.api('DELETE', `/workspaces/${sender.workspaceId}/members/${json.user.id}`);
  await page.getByText('Workspace not found').waitFor();
  expect(await eventually(openStreams, (open) => open === 0)).toBe(0);
});

test('a browser without locks, as on plain HTTP, polls, and so does one behind a proxy that refuses the stream', async () => {
  const pages = await Promise.all([0, 1].map(() => world.open('/api/v1/setup', { person: owner })));
  const [withoutLocks, behindProxy] = pages as [Page, Page];
  await withoutLocks.addInitScript('delete Navigator.prototype.locks');
  await behindProxy.route('**/api/v1/changes?*', (route) => route.fulfill({ status: 502 }));
  for (const page of pages) {
    await page.goto(`/w/${sender.workspaceId}/leads`);
    await page.getByText('Edsger Dijkstra').waitFor();
  }
  await sendLead('Barbara Liskov');
  for (const page of pages) await page.getByText('Barbara Liskov').waitFor();
  expect(await openStreams()).toBe(0);
});

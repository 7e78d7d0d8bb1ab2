import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shardOf } from '../../../src/domain/workspace.ts';
import { addDelivery, createDestination } from '../../manage/destinations/some-deliveries.ts';
import { createForm, createWorkspace, Seed } from '../../manage/leads/seed.ts';
import { join, type Browser as Person } from '../../support/browser/browser.ts';
import { type BrowserWorld, loaded, startBrowserWorld } from '../../support/browser/chromium.ts';
import { findingsInLightAndDark, overflow, revisit, turnTo } from '../../support/browser/looks.ts';

const minuteMs = 60_000;
const refused = 'The receiver responded with 503.';

let world: BrowserWorld;
let seed: Seed;
let owner: Person;
let member: Person;
let workspaceId: string;
let destinationId: string;
let leadId: string;
let otherLeadId: string;
let deadId: string;
let page: Page;
const at = (path = '') => `/w/${workspaceId}${path}`;
const ago = (minutes: number) => new Date(Date.now() - minutes * minuteMs).toISOString();

beforeAll(async () => {
  world = await startBrowserWorld();
  seed = new Seed(world.service);
  workspaceId = await createWorkspace(world.service, 'Engines');
  const form = await createForm(world.service, workspaceId, { name: 'Contact' });
  owner = await join(world.service, workspaceId, 'olga@example.com', 'owner');
  member = await join(world.service, workspaceId, 'max@example.com', 'member');
  leadId = await seed.lead(workspaceId, { form_id: form.id, received_at: ago(90) });
  otherLeadId = await seed.lead(workspaceId, { form_id: form.id, received_at: ago(89) });
  page = await world.open(at(), { person: owner });
});
afterAll(async () => {
  await seed.stop();
  await world.stop();
  expect(world.faults).toEqual([]);
});

/** Two dead, one delivered and one that waits. Nothing is sent: the destination is paused. */
async function addDeliveries(): Promise<void> {
  const created = await createDestination(world.service, workspaceId, { name: 'HubSpot' });
  destinationId = created.id;
  await world.service.api('POST', `/workspaces/${workspaceId}/destinations/${destinationId}/pause`);
  const failed = { attempts: 10, last_status: 503, last_error: refused, state: 'dead' };
  deadId = await addDelivery(seed, workspaceId, destinationId, {
    ...failed,
    submission_id: leadId,
    created_at: ago(80),
  });
  await addDelivery(seed, workspaceId, destinationId, { ...failed, created_at: ago(70) });
  const delivered = { state: 'delivered', attempts: 1, last_status: 200, submission_id: otherLeadId };
  await addDelivery(seed, workspaceId, destinationId, {
    ...delivered,
    created_at: ago(60),
    delivered_at: ago(60),
  });
  await addDelivery(seed, workspaceId, destinationId, { created_at: ago(50), next_at: ago(-600) });
  for (const [n, status] of [500, 503].entries())
    await seed.query(
      `insert into delivery_attempts (shard, workspace_id, delivery_id, n, at, ms, status, error)
       values ($1, $2, $3, $4, now(), 120, $5, $6)`,
      [shardOf(workspaceId), workspaceId, deadId, n + 1, status, `The receiver responded with ${status}.`],
    );
  await seed.query('update destination_health set last_error = $2 where destination_id = $1', [
    destinationId,
    refused,
  ]);
}

async function open(path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
  await loaded(page);
}
const rows = () =>
  page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });
const replayed = async () =>
  seed.query('select id from deliveries where workspace_id = $1 and replay_of is not null', [workspaceId]);

test('until there is a destination, the setup steps ask for one, and the list explains itself', async () => {
  await page.getByRole('link', { name: 'Send leads somewhere' }).waitFor();
  await open(at('/deliveries'));
  await page.getByRole('heading', { name: 'No deliveries in the last 90 days' }).waitFor();
  expect(await findingsInLightAndDark(page, 'deliveries empty')).toEqual([]);
});

test('the Overview says which leads could not be delivered, why, and leads to them', async () => {
  await addDeliveries();
  await open(at());
  await page.getByText(`2 leads could not be delivered to HubSpot. Last error: ${refused}`).waitFor();
  await page.getByText('Send leads somewhere, done').waitFor();
  expect(await findingsInLightAndDark(page, 'overview undelivered')).toEqual([]);
  await page.getByRole('link', { name: 'See the deliveries' }).click();
  await expect.poll(() => rows().count()).toBe(2);
  expect(new URL(page.url()).search).toBe(`?destination_id=${destinationId}&state=dead`);
});

test('every filter is in the URL, and the back button returns to the former one', async () => {
  await page.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'Delivered' }).click();
  await expect.poll(() => rows().count()).toBe(1);
  await page.goBack();
  await expect.poll(() => rows().count()).toBe(2);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => rows().count()).toBe(4);
  await open(at('/deliveries?from=2020-01-01&to=2020-01-02'));
  await page.getByRole('heading', { name: 'No deliveries match these filters' }).waitFor();
  await open(at(`/deliveries?submission_id=${leadId}`));
  await expect.poll(() => rows().count()).toBe(1);
  // A selection is sent again by filters that do not know a single lead.
  expect(await page.getByRole('button', { name: 'Send again…' }).count()).toBe(0);
});

test('a delivery shows each attempt and what would be sent, and is sent again with a click', async () => {
  await open(at('/deliveries?state=dead'));
  await rows().last().getByText(refused).click();
  const drawer = page.getByRole('dialog', { name: 'Delivery' });
  await drawer.getByText('Every try failed.').waitFor();
  const attempts = drawer.getByRole('list', { name: 'Attempts' }).getByRole('listitem');
  expect(await attempts.count()).toBe(2);
  await attempts.first().getByText('The receiver responded with 503.').waitFor();
  await drawer.getByText('"email": "ada@example.com"').waitFor();
  await drawer.getByText('webhook-id: msg_').waitFor();
  expect(await findingsInLightAndDark(page, 'delivery')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => overflow(page)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 900 });
  await drawer.getByRole('button', { name: 'Send again' }).click();
  await drawer.getByRole('link', { name: 'Earlier delivery of this event' }).waitFor();
  const [again] = await replayed();
  await page.waitForURL(`**/deliveries/${again.id}?state=dead`);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('?state=dead');
});

test('a selection is counted before it is sent again, and its progress is shown', async () => {
  await open(at('/deliveries?state=delivered'));
  await page.getByRole('button', { name: 'Send again…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send deliveries again?' });
  await dialog.getByText('1 delivery of this selection is sent again').waitFor();
  expect(await findingsInLightAndDark(page, 'send again')).toEqual([]);
  expect(await replayed()).toHaveLength(1);
  await dialog.getByRole('button', { name: 'Send 1 delivery again' }).click();
  await page
    .getByRole('group', { name: 'Sending again' })
    .getByText(/1 delivery|of 1/)
    .first()
    .waitFor();
  expect(new URL(page.url()).searchParams.get('replay')).toMatch(/^[\da-f-]{36}$/);
  await page.getByRole('button', { name: 'Hide progress' }).click();
  await page.getByRole('group', { name: 'Sending again' }).waitFor({ state: 'detached' });
});

test('a new delivery and a changed destination appear without a reload', async () => {
  await open(at('/deliveries?state=skipped'));
  await page.getByRole('heading', { name: 'No deliveries match these filters' }).waitFor();
  await addDelivery(seed, workspaceId, destinationId, { state: 'skipped', created_at: ago(1) });
  await expect.poll(() => rows().count()).toBe(1);
  await open(at(`/destinations/${destinationId}`));
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  const path = `/workspaces/${workspaceId}/destinations/${destinationId}`;
  await world.service.api('PATCH', path, { name: 'HubSpot EU' });
  await page.getByRole('heading', { level: 1, name: 'HubSpot EU' }).waitFor();
  await world.service.api('PATCH', path, { name: 'HubSpot' });
});

test('a lead lists its deliveries, for members too', async () => {
  await open(at(`/leads/${leadId}`));
  const drawer = page.getByRole('dialog', { name: 'Lead' });
  const list = drawer.getByRole('list', { name: 'Deliveries' });
  await drawer.getByRole('tab', { name: 'Deliveries' }).click();
  await list.getByText('Dead').waitFor();
  await list.getByText(`Last response: ${refused}`).waitFor();
  expect(await findingsInLightAndDark(page, 'lead deliveries')).toEqual([]);
  await list.getByRole('link', { name: 'HubSpot' }).last().click();
  await page.getByRole('dialog', { name: 'Delivery' }).getByText('Every try failed.').waitFor();
  await revisit(page, at(`/leads/${leadId}`), member);
  await drawer.getByRole('tab', { name: 'Deliveries' }).click();
  await list.getByText('Dead').waitFor();
  expect(await list.getByRole('link').count()).toBe(0);
});

test('members are told that destinations and deliveries are for owners', async () => {
  for (const path of [
    '/destinations',
    '/destinations/new',
    `/destinations/${destinationId}`,
    '/deliveries',
  ]) {
    await turnTo(page, at(path));
    await page.getByRole('heading', { name: 'Owners only' }).waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
  }
});

import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FormClockDrift, FormRhythm } from '../../../src/contract/alarms/watching.ts';
import { addAlarm, stopJudging } from '../../support/alarms/alarm-rows.ts';
import { join, makeOperator, type Browser as Person } from '../../support/browser/browser.ts';
import { type BrowserWorld, loaded, startBrowserWorld } from '../../support/browser/chromium.ts';
import { findingsInLightAndDark, overflow, revisit } from '../../support/browser/looks.ts';
import { openTestPool } from '../../support/database/database.ts';
import { createSender, type Sender } from '../../support/sender.ts';

let world: BrowserWorld;
let sender: Sender;
let owner: Person;
let page: Page;

beforeAll(async () => {
  world = await startBrowserWorld();
  sender = await createSender(world.service);
  owner = await join(world.service, sender.workspaceId, 'olga@example.com', 'owner');
  page = await world.open(`/w/${sender.workspaceId}/forms`, { person: owner });
});
afterAll(async () => {
  await world.stop();
  expect(world.faults).toEqual([]);
});

const ofForm = (path = '') => `/w/${sender.workspaceId}/forms/${sender.formId}${path}`;

async function open(path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
  await loaded(page);
}

/** Weeks of leads and hours of requests take as long to arise, so the browser gets what would then be answered. */
async function serve(path: string, body: unknown): Promise<void> {
  await page.unrouteAll();
  await page.route(`**/forms/*/${path}`, (route: Route) => route.fulfill({ json: body }));
}

const rhythm = (values: Partial<FormRhythm>): FormRhythm => ({
  form_id: sender.formId,
  time_zone: 'Europe/Berlin',
  state: 'watched',
  notice_hours: 19.2,
  silent_days: null,
  sensitive: false,
  weeks: 8,
  leads_per_week: 312,
  last_accepted_at: null,
  expected: Array.from({ length: 168 }, (_, hour) => Math.max(0, 12 - Math.abs((hour % 24) - 10)) / 4),
  computed_at: null,
  ...values,
});

const drift = (values: Partial<FormClockDrift>): FormClockDrift => ({
  form_id: sender.formId,
  requests: 840,
  median_seconds: 12.4,
  p95_seconds: 31,
  shape: 'clock',
  window_seconds: 300,
  alarm_seconds: { medium: 180, high: 240 },
  hours: [20, 4, 3, 2, 1].map((hours) => ({
    at: new Date(Date.now() - hours * 3_600_000).toISOString(),
    requests: 168,
    median_seconds: 12,
    p95_seconds: 31 + hours,
  })),
  ...values,
});

test('the page of a new form says that silence cannot be noticed yet', async () => {
  await open(ofForm());
  await page.getByText(/^(?:We are still learning|Fewer than five leads a week)/).waitFor();
});

test('the page of a form says when a silence would be noticed, and shows its week', async () => {
  await serve('rhythm', rhythm({}));
  await open(ofForm());
  await page.getByText('We would notice after about 19 hours without a lead.').waitFor();
  await page
    .getByRole('img', { name: /^When leads usually come\. Most come on Monday around 10:00/ })
    .waitFor();
  expect(await findingsInLightAndDark(page, 'rhythm')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => overflow(page)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 900 });
  await serve('rhythm', rhythm({ state: 'off', notice_hours: null, expected: null }));
  await open(ofForm());
  await page.getByText('Alarms about silence are turned off for this form.').waitFor();
});

test('Delivery settings show how far the clock of the sender is off', async () => {
  await serve('clock-drift', drift({}));
  await open(ofForm('/delivery'));
  await page.getByText("The sender's clock is 12 seconds behind.").waitFor();
  await page.getByRole('img', { name: 'Median +12 s, 95th percentile +31 s, allowed ±300 s.' }).waitFor();
  expect(await findingsInLightAndDark(page, 'clock')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => overflow(page)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 900 });
  await serve('clock-drift', drift({ shape: 'queue', p95_seconds: 250 }));
  await open(ofForm('/delivery'));
  await page.getByText('Some requests arrive late: a queue retries old requests.').waitFor();
  await page.getByText('Nearly rejected').waitFor();
  expect(await findingsInLightAndDark(page, 'clock late')).toEqual([]);
  await serve('clock-drift', drift({ alarm_seconds: { medium: 31, high: 60 } }));
  await open(ofForm('/delivery'));
  await page.getByText('Close to the limit').waitFor();
});

test('without signed requests there is nothing to see of a clock', async () => {
  await page.unrouteAll();
  await open(ofForm('/delivery'));
  await page.getByRole('heading', { name: 'Replay protection' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Clock' }).count()).toBe(0);
});

test('operators see what is wrong with the instance, acknowledge it, and see what was', async () => {
  await makeOperator(world.service, owner);
  const pool = openTestPool(world.service.databaseUrl);
  await stopJudging(pool);
  await addAlarm(pool, null, { kind: 'spool_waiting', evidence: { leads: 17, minutes: 6 } });
  const earlier = new Date(Date.now() - 3_600_000);
  await addAlarm(pool, null, {
    kind: 'watch_interrupted',
    severity: 'medium',
    openedAt: earlier,
    closedAt: new Date(),
    closedAs: 'recovered',
  });
  await pool.end();
  await revisit(page, '/operator', owner);
  await page.getByRole('heading', { name: 'Alarms' }).waitFor();
  await page.getByRole('navigation').getByText('open alarm').waitFor({ state: 'attached' });
  await loaded(page);
  expect(await findingsInLightAndDark(page, 'operator alarms')).toEqual([]);
  await page.getByRole('button', { name: 'Show earlier alarms' }).click();
  await page.getByText('Medium').waitFor();
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await page.getByText(/Acknowledged by/).waitFor();
  await page.getByRole('navigation').getByText('open alarm').waitFor({ state: 'detached' });
});

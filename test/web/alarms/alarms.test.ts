import type pg from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAlarm, addNotice, stopJudging } from '../../support/alarms/alarm-rows.ts';
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
import { createSender, type Sender } from '../../support/sender.ts';
import { attacks } from '../attack-strings.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

let world: BrowserWorld;
let pool: pg.Pool;
let sender: Sender;
let owner: Person;
let member: Person;
let page: Page;

beforeAll(async () => {
  world = await startBrowserWorld();
  pool = openTestPool(world.service.databaseUrl);
  await stopJudging(pool);
  sender = await createSender(world.service);
  owner = await join(world.service, sender.workspaceId, 'olga@example.com', 'owner');
  member = await join(world.service, sender.workspaceId, 'max@example.com', 'member');
  page = await world.open(at('/alarms'), { person: owner });
});
afterAll(async () => {
  await pool.end();
  await world.stop();
  expect(world.faults).toEqual([]);
});

const at = (path = '') => `/w/${sender.workspaceId}${path}`;
const ago = (hours: number) => new Date(Date.now() - hours * hourMs);
const rows = () => page.getByRole('list', { name: 'Alarms' }).locator('> li');
const bell = (name: string) => page.getByRole('banner').getByRole('button', { name, exact: true });
const drawer = () => page.getByRole('dialog', { name: 'Alarm' });
const settings = async () =>
  (await world.service.api('GET', `/workspaces/${sender.workspaceId}/alarm-settings`)).json;

async function open(path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
  await loaded(page);
}

/** One high, one medium and one that is over; the ids of the open ones. */
async function raiseSome(): Promise<{ silence: string; failing: string }> {
  const { workspaceId, formId } = sender;
  const silence = await addAlarm(pool, workspaceId, {
    formId,
    names: { form: attacks[0] as string },
    evidence: {
      last_accepted_at: ago(30).toISOString(),
      silent_hours: 30,
      expected: 14.2,
      usual_per_week: 310,
    },
    openedAt: ago(2),
  });
  await addNotice(pool, workspaceId, silence, {
    what: 'opened',
    at: ago(2),
    state: 'told',
    emailState: 'sent',
    emails: 2,
  });
  await addNotice(pool, workspaceId, silence, { what: 'reminder', at: ago(1), state: 'muted' });
  const failing = await addAlarm(pool, workspaceId, {
    kind: 'held_waiting',
    severity: 'medium',
    evidence: { count: 12, first_expires_at: new Date(Date.now() + dayMs).toISOString() },
    openedAt: ago(5),
  });
  await addAlarm(pool, workspaceId, {
    kind: 'all_rejected',
    formId,
    names: { form: 'Contact' },
    evidence: { rejected: 40, minutes: 30, reasons: [{ reason: 'token_revoked', count: 40 }] },
    openedAt: ago(50),
    closedAt: ago(48),
    closedAs: 'recovered',
  });
  return { silence, failing };
}

test('without open alarms the page says what is watched, and the bell that there are none', async () => {
  await open(at('/alarms'));
  await page.getByRole('heading', { name: 'No open alarms' }).waitFor();
  await bell('No open alarms').waitFor();
  expect(await findingsInLightAndDark(page, 'alarms empty')).toEqual([]);
});

let ids: { silence: string; failing: string };

test('an alarm that opens appears in the list and in the bell without a reload', async () => {
  ids = await raiseSome();
  await expect.poll(() => rows().count()).toBe(2);
  await bell('2 open alarms').waitFor();
  await rows().nth(0).getByText('High').waitFor();
  await rows().nth(1).getByText('Medium').waitFor();
  expect(await findingsInLightAndDark(page, 'alarms')).toEqual([]);
});

test('the list fits every window, and so does the menu of the bell', async () => {
  for (const width of [390, 768, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await expect.poll(() => overflow(page)).toBe(0);
    await expect.poll(() => actionsOutside(page)).toEqual([]);
    await bell('2 open alarms').click();
    await page.getByRole('menuitem', { name: 'All alarms' }).waitFor();
    expect(await findingsInLightAndDark(page, `alarms bell ${width}`)).toEqual([]);
    const box = await page.getByRole('menu').boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  }
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('hostile names are text', async () => {
  await rows()
    .nth(0)
    .getByText(attacks[0] as string)
    .first()
    .waitFor();
  expect(await page.evaluate('window.attacked')).toBeUndefined();
});

test('the filters are in the URL, also for what is over', async () => {
  await page.getByText('Closed', { exact: true }).click();
  await rows().getByText('Recovered').waitFor();
  expect(new URL(page.url()).search).toBe('?state=closed');
  await page.getByText('All', { exact: true }).click();
  await expect.poll(() => rows().count()).toBe(3);
  await open(at('/alarms?state=all&kind=held_waiting'));
  await expect.poll(() => rows().count()).toBe(1);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => rows().count()).toBe(3);
  await page.goBack();
  await expect.poll(() => rows().count()).toBe(1);
});

test('an alarm has its own URL, which says what is known and who was told', async () => {
  await open(at(`/alarms/${ids.silence}`));
  await drawer().getByText('Opened: told, email to 2 owners').waitFor();
  await drawer().getByText('Reminder: muted, nobody was told').waitFor();
  expect(await findingsInLightAndDark(page, 'an alarm')).toEqual([]);
  await page.keyboard.press('Escape');
  await drawer().waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname).toBe(at('/alarms'));
});

test('the Overview names the worst open alarm', async () => {
  await open(at());
  await page.getByText('and 1 other open alarm').waitFor();
  expect(await findingsInLightAndDark(page, 'overview alarms')).toEqual([]);
  await page.getByRole('link', { name: 'See alarms' }).click();
  await page.waitForURL(`**${at('/alarms')}`);
});

test('muting tells nobody about the same form until the chosen time, and unmuting ends that', async () => {
  const row = rows().nth(0);
  await row.getByRole('button', { name: 'Mute' }).click();
  expect(await findingsInLightAndDark(page, 'alarms mute')).toEqual([]);
  await page.getByRole('menuitem', { name: 'For a week' }).click();
  await row.getByText(/^Muted until/).waitFor();
  const { rules, version } = await settings();
  expect(version).toBe(1);
  expect(rules).toMatchObject([
    { kind: 'silence', form_id: sender.formId, token_id: null, enabled: true, sensitive: false },
  ]);
  const days = (Date.parse(rules[0].muted_until) - Date.now()) / dayMs;
  expect(days).toBeGreaterThan(5.9);
  expect(days).toBeLessThan(7.4);
  await row.getByRole('button', { name: 'Muted' }).click();
  await page.getByRole('menuitem', { name: 'Unmute' }).click();
  await row.getByText(/^Muted until/).waitFor({ state: 'detached' });
  expect((await settings()).rules).toEqual([]);
});

test('muting until a date keeps what others have set in the meantime', async () => {
  await world.service.api('PUT', `/workspaces/${sender.workspaceId}/alarm-settings`, { digest_hour: 5 });
  const row = rows().nth(1);
  await row.getByRole('button', { name: 'Mute' }).click();
  await page.getByRole('menuitem', { name: 'Until a date…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mute until a date' });
  await dialog.getByLabel('Muted until').fill('2020-01-01');
  await dialog.getByText('Choose a later day.').waitFor();
  await dialog.getByLabel('Muted until').fill('2099-01-01');
  expect(await findingsInLightAndDark(page, 'alarms mute date')).toEqual([]);
  await dialog.getByRole('button', { name: 'Mute' }).click();
  await dialog.waitFor({ state: 'detached' });
  await row.getByText(/^Muted until/).waitFor();
  expect(await settings()).toMatchObject({
    digest_hour: 5,
    rules: [{ kind: 'held_waiting', form_id: null, token_id: null }],
  });
});

test('acknowledging takes an alarm out of the bell and names who did it', async () => {
  await rows().nth(0).getByRole('button', { name: 'Acknowledge' }).click();
  await rows()
    .nth(0)
    .getByText(/^Acknowledged by/)
    .waitFor();
  await bell('1 open alarm').waitFor();
  await rows().nth(1).getByRole('button', { name: 'Acknowledge' }).click();
  await bell('2 acknowledged alarms').waitFor();
  await expect.poll(() => rows().getByRole('button', { name: 'Acknowledge' }).count()).toBe(0);
});

test('a link leads to where the cause is shown', async () => {
  await rows().nth(1).getByRole('link', { name: 'Open held requests' }).click();
  await page.waitForURL(`**${at('/tokens/diagnostics/held')}`);
});

test('members see neither the bell nor the pages', async () => {
  await revisit(page, at(), member);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await loaded(page);
  expect(await page.getByRole('banner').getByRole('button', { name: /alarm/i }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Alarms' }).count()).toBe(0);
  for (const path of ['/alarms', `/alarms/${ids.silence}`, '/alarms/settings']) {
    await turnTo(page, at(path));
    await page.getByRole('heading', { name: 'Owners only' }).waitFor();
  }
});

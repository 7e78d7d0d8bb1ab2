import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { minuteMs } from '../../src/time/clock.ts';
import { Seed } from '../manage/leads/seed.ts';
import { type Browser, goodPassword, join, makeOperator } from '../support/browser/browser.ts';
import { type BrowserWorld, startBrowserWorld } from '../support/browser/chromium.ts';
import { findingsInLightAndDark, overflow, revisit } from '../support/browser/looks.ts';
import { picture } from '../support/browser/picture.ts';
import { ManualClock } from '../support/clocks.ts';
import { createSender, type Sender } from '../support/sender.ts';

const clock = new ManualClock(Date.now());
let world: BrowserWorld;
let sender: Sender;
let seed: Seed;
let owner: Browser;
let page: Page;

beforeAll(async () => {
  world = await startBrowserWorld({ clock });
  seed = new Seed(world.service);
  sender = await createSender(world.service);
  owner = await join(world.service, sender.workspaceId, 'owner@example.com', 'owner');
  page = await world.open('/sign-in', { width: 1440 });
});
afterAll(async () => {
  await seed.stop();
  await world.stop();
  expect(world.faults).toEqual([]);
});

/** The element with the focus, by its name or text. */
const focused = () => page.evaluate('document.activeElement.name || document.activeElement.textContent');

const at = () => `/workspaces/${sender.workspaceId}`;

async function expectForEverybody(name: string): Promise<void> {
  expect(await findingsInLightAndDark(page, name)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 900 });
  await picture(page, `${name}-phone`);
  await expect.poll(() => overflow(page)).toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('a secret is replaced only after the password is confirmed, and nothing typed is lost', async () => {
  await revisit(page, `/w/${sender.workspaceId}/forms/${sender.formId}/delivery`, owner);
  clock.advance(10 * minuteMs);
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  const rotation = page.getByRole('dialog', { name: 'New webhook secret' });
  const secret = rotation.getByLabel('Your own secret');
  const submit = rotation.getByRole('button', { name: 'Rotate secret' });
  await secret.fill('aaaaaaaaaaaa');
  await submit.click();
  await rotation.getByText('Must have at least 6 different characters').waitFor();

  await secret.fill('correct horse battery');
  await submit.click();
  const asked = page.getByRole('dialog', { name: 'Confirm it’s you' });
  const password = asked.getByLabel('Password', { exact: true });
  await expect.poll(focused).toBe('password');
  await expectForEverybody('confirm-password');

  await page.keyboard.press('Escape');
  await asked.waitFor({ state: 'detached' });
  await rotation.getByText(/Confirm your password/).waitFor();
  expect(await secret.inputValue()).toBe('correct horse battery');
  await expect.poll(focused).toBe('Rotate secret');

  // Enter sends the form again, now from its field.
  await secret.press('Enter');
  await password.fill('not the password');
  await password.press('Enter');
  await asked.getByText('Wrong password').waitFor();
  await password.fill(goodPassword);
  await password.press('Enter');
  const shown = page.getByRole('dialog', { name: 'Your webhook secret' });
  await shown.waitFor();
  expect(await shown.getByLabel('Secret', { exact: true }).inputValue()).toBe('correct horse battery');
  await shown.getByRole('button', { name: 'I have saved it' }).click();

  // Not asked again for ten minutes.
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await submit.click();
  await shown.getByRole('button', { name: 'I have saved it' }).click();

  // A session that has ended is renewed by signing in, not by this dialog.
  clock.advance(10 * minuteMs);
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await submit.click();
  await password.waitFor();
  await seed.query('delete from sessions');
  await password.fill(goodPassword);
  await password.press('Enter');
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  await asked.waitFor({ state: 'detached' });
  await owner.signIn('owner@example.com');
});

/** Marks of leads, a second apart, by the owner. */
async function marks(count: number): Promise<void> {
  const { id } = (await owner.api('GET', '/me')).json.user;
  await seed.query(
    `insert into audit_log (id, workspace_id, at, actor_kind, actor_id, actor_name, action, target, changes, completed)
     select gen_random_uuid(), $1, $2::timestamptz - n * interval '1 second', 'person', $3, 'owner@example.com',
       'markALeadAsSpamOrNotSpam', jsonb_build_object('submission_id', gen_random_uuid()), '{"mark":"spam"}', true
     from generate_series(1, $4::integer) as n`,
    [sender.workspaceId, new Date(clock.now()), id, count],
  );
}

test('the audit log is filtered by the URL, and says a series of equal actions in one line', async () => {
  const name = `Müller ${'لورم'.repeat(20)} <script>alert(1)</script>`;
  const { json: form } = await owner.api('POST', `${at()}/forms`, { name });
  // As before such names were refused.
  const hostile = `\u202e${name}`;
  await seed.query('update forms set name = $2 where id = $1', [form.id, hostile]);
  await seed.query(`update audit_log set changes = changes || $2 where target->>'id' = $1`, [
    form.id,
    { name: hostile },
  ]);
  clock.advance(5 * minuteMs);
  await marks(130);
  clock.advance(minuteMs);
  await owner.api('PATCH', at(), { name: 'Acme Ltd' });
  await revisit(page, `/w/${sender.workspaceId}/workspace`, owner);
  const log = page.getByRole('region', { name: 'Audit log' });
  await log.getByText(/^owner renamed workspace .* to Acme Ltd$/).waitFor();
  // The rest of the series is on the next page.
  await log.getByText('owner marked at least 99 leads as spam').waitFor();
  await log.getByRole('button', { name: 'Show earlier entries' }).click();
  await log.getByText('owner marked 130 leads as spam').waitFor();
  await log.getByText(/^owner created form Müller .*<script>alert\(1\)<\/script>$/).waitFor();
  await expectForEverybody('audit-log');
  await log.getByRole('button', { name: 'Show 130 entries' }).click();
  await expect.poll(() => log.getByText(/^owner marked lead [0-9a-f]{8} as spam$/).count()).toBe(130);
  await log.getByRole('button', { name: 'Hide entries' }).click();

  await log.getByLabel('Action').click();
  await page.getByRole('option', { name: 'Forms and webhook secrets' }).click();
  await page.waitForURL(/action=forms/);
  await log.getByText('owner rotated the webhook secret of', { exact: false }).first().waitFor();
  expect(await log.getByText('marked').count()).toBe(0);
  await log.getByLabel('From').fill('2001-01-01');
  await log.getByLabel('To').fill('2001-01-02');
  await log.getByText('No entries match these filters.').waitFor();
  await expectForEverybody('audit-log-empty');
  await page.reload();
  await log.getByText('No entries match these filters.').waitFor();
  await log.getByRole('button', { name: 'Clear filters' }).click();
  await log.getByText('owner marked at least', { exact: false }).waitFor();
  await page.goBack();
  await log.getByText('No entries match these filters.').waitFor();
});

test('the log of operators names the workspace', async () => {
  const operator = await join(world.service, sender.workspaceId, 'grace@example.com', 'member');
  await makeOperator(world.service, operator);
  await operator.api('PATCH', at(), { status: 'suspended', reason: 'Unpaid' });
  await operator.api('PATCH', at(), { status: 'active' });
  await revisit(page, '/operator/audit?action=workspace', operator);
  const log = page.getByRole('region', { name: 'Operator audit log' });
  await log.getByText('grace suspended Acme Ltd').waitFor();
  await log.scrollIntoViewIfNeeded();
  await expectForEverybody('operator-audit-log');
});

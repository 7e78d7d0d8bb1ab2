import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDestination } from '../../manage/destinations/some-deliveries.ts';
import { join } from '../../support/browser/browser.ts';
import { type BrowserWorld, loaded, startBrowserWorld } from '../../support/browser/chromium.ts';
import { findingsInLightAndDark, overflow, turnTo } from '../../support/browser/looks.ts';
import { openTestPool } from '../../support/database/database.ts';
import { holdRow } from '../../support/held-rows.ts';
import { createSender, post, type Sender } from '../../support/sender.ts';

let world: BrowserWorld;
let pool: pg.Pool;
let sender: Sender;
let page: Page;

beforeAll(async () => {
  world = await startBrowserWorld();
  pool = openTestPool(world.service.databaseUrl);
  sender = await createSender(world.service);
  const owner = await join(world.service, sender.workspaceId, 'olga@example.com', 'owner');
  page = await world.open(heldAt(), { person: owner });
});
beforeEach(async () => {
  await pool.query('delete from held_submissions');
  await pool.query('delete from held_usage');
});
afterAll(async () => {
  await pool.end();
  await world.stop();
  expect(world.faults).toEqual([]);
});

const heldAt = (path = '') => `/w/${sender.workspaceId}/tokens/diagnostics/held${path}`;
const inWorkspace = (method: string, path: string, body?: object) =>
  world.service.api(method, `/workspaces/${sender.workspaceId}${path}`, body);
const leadOf = (name: string) => JSON.stringify({ name, email: `${name}@analytical.engine` });
const hold = (name: string) => holdRow(pool, sender, { body: leadOf(name) });
const leads = async (): Promise<{ submission_id: string; fields: { name: string } }[]> =>
  (await inWorkspace('GET', '/leads?limit=100')).json.items;
const names = async () => (await leads()).map(({ fields }) => fields.name);
const drawer = () => page.getByRole('dialog', { name: 'Held request' });
const asking = (name: string | RegExp) => page.getByRole('dialog', { name });
const toast = (text: string) => page.getByRole('alert').filter({ hasText: text });
const button = (name: string) => page.getByRole('button', { name, exact: true });

async function open(path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
  await loaded(page);
}

test('one request is admitted after a look at what will happen, and the lead says that it was rejected first', async () => {
  await open(heldAt(`/${await hold('ada')}`));
  await drawer().getByRole('button', { name: 'Admit…' }).click();
  const dialog = asking('Admit this request?');
  await dialog.getByText('Predicted verdict: ').waitFor();
  await dialog.getByText('No destination gets new leads of this form.').waitFor();
  expect(await findingsInLightAndDark(page, 'admit one')).toEqual([]);
  expect(await names()).toEqual([]);
  await dialog.getByRole('button', { name: 'Admit', exact: true }).click();
  await drawer().getByText('Admitted by olga@example.com').waitFor();
  expect(await names()).toEqual(['ada']);
  await toast('Admitted. It is a lead now.').waitFor();
  expect(await findingsInLightAndDark(page, 'admitted')).toEqual([]);
  await toast('Admitted. It is a lead now.').getByRole('link', { name: 'Open the lead' }).click();
  const lead = page.getByRole('dialog', { name: 'Lead' });
  await lead.getByRole('tab', { name: 'History' }).click();
  await lead
    .getByText(/^Rejected .+ \(over the limit per minute\), admitted by olga@example\.com$/)
    .waitFor();
  expect(await findingsInLightAndDark(page, 'lead admitted')).toEqual([]);
  await open(heldAt('?state=admitted'));
  await page.getByRole('row').getByText('by olga@example.com').waitFor();
});

test('a request with an equal lead is admitted only if the owner insists', async () => {
  const accepted = await post(world.service, sender, 'server', leadOf('bob'));
  const link = `/w/${sender.workspaceId}/leads/${JSON.parse(accepted.body).submission_id}`;
  const id = await hold('bob');
  await open(heldAt());
  const row = page.getByRole('row').filter({ hasText: 'Equal lead' });
  expect(await row.getByRole('link', { name: 'Lead that is equal' }).getAttribute('href')).toBe(link);
  await open(heldAt(`/${id}`));
  expect(await drawer().getByRole('link', { name: 'Open the equal lead' }).getAttribute('href')).toBe(link);
  await drawer().getByRole('button', { name: 'Admit…' }).click();
  const dialog = asking('Admit this request?');
  await dialog.getByText('There is an equal lead already, so it is not admitted.').waitFor();
  expect(await button('Admit').isDisabled()).toBe(true);
  expect(await findingsInLightAndDark(page, 'admit twin')).toEqual([]);
  await dialog.getByRole('switch', { name: 'Admit it anyway' }).click();
  await dialog.getByText('It becomes a lead with the time at which it arrived').waitFor();
  await button('Admit').click();
  await drawer().getByText('Admitted by').waitFor();
  expect((await names()).filter((name: string) => name === 'bob')).toHaveLength(2);
});

test('all are admitted without those that have an equal lead, with or without destinations', async () => {
  const destination = await createDestination(world.service, sender.workspaceId, { name: 'HubSpot' });
  await inWorkspace('POST', `/destinations/${destination.id}/pause`);
  await post(world.service, sender, 'server', leadOf('twin'));
  for (const name of ['carl', 'dora', 'twin']) await hold(name);
  await open(heldAt());
  await button('Select all').click();
  await button('Admit…').click();
  const dialog = asking('Admit these requests?');
  await dialog.getByText('2 requests of this selection become leads').waitFor();
  await dialog.getByText('HubSpot, as far as their conditions are met.').waitFor();
  expect(await dialog.getByRole('switch', { name: 'Leave out those with an equal lead' }).isChecked()).toBe(
    true,
  );
  expect(await findingsInLightAndDark(page, 'admit all')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => overflow(page)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 900 });
  await dialog.getByRole('switch', { name: 'Send them to destinations' }).click();
  await dialog.getByRole('button', { name: 'Admit 2 requests' }).click();
  const progress = page.getByRole('group', { name: 'Admission' });
  await progress.getByText(/^2 requests admitted\./).waitFor();
  await toast('2 requests admitted. 1 was left out: an equal lead exists').waitFor();
  expect(await findingsInLightAndDark(page, 'admission finished')).toEqual([]);
  await expect.poll(names).toEqual(expect.arrayContaining(['carl', 'dora']));
  expect((await names()).filter((name: string) => name === 'twin')).toHaveLength(1);
  // The leads of earlier tests may reach the new destination; those admitted without destinations never do.
  const withDeliveries = new Set(
    (await inWorkspace('GET', '/deliveries')).json.items.map(
      ({ submission_id }: { submission_id: string }) => submission_id,
    ),
  );
  const admitted = (await leads()).filter(({ fields }) => ['carl', 'dora'].includes(fields.name));
  expect(admitted).toHaveLength(2);
  expect(admitted.filter(({ submission_id }) => withDeliveries.has(submission_id))).toEqual([]);
  // What was left out stays.
  await expect
    .poll(() =>
      page
        .getByRole('row')
        .filter({ has: page.getByRole('cell') })
        .count(),
    )
    .toBe(1);
  await page.reload();
  await progress.getByText(/^2 requests admitted\./).waitFor();
  await page.getByRole('button', { name: 'Hide progress' }).click();
  await progress.waitFor({ state: 'detached' });
});

test('an admission far down a long list says what became of it and where, and its rows leave the list and the selection', async () => {
  for (let n = 0; n < 55; n++) await hold(`row ${n}`);
  await open(heldAt());
  await button('Show older requests').click();
  await page.getByText('55 in this list').waitFor();
  const boxes = page.getByRole('row').getByRole('checkbox', { name: /^Select request/ });
  for (const n of [52, 53]) await boxes.nth(n).check();
  const head = page.getByRole('checkbox', { name: 'Select all on this page' });
  const headState = () =>
    Promise.all([':checked', ':indeterminate'].map((state) => head.and(page.locator(state)).count()));
  expect(await headState()).toEqual([0, 1]);
  await button('Admit…').click();
  await asking('Admit these requests?').getByRole('button', { name: 'Admit 2 requests' }).click();
  await toast('2 requests admitted.').waitFor();
  await page.getByText('53 in this list').waitFor();
  expect(await headState()).toEqual([0, 0]);
  await toast('2 requests admitted.').getByRole('link', { name: 'Show them' }).click();
  await page.waitForURL('**/held?state=admitted');
});

test('a decision that is under way is told where its person goes meanwhile, and again when it has ended', async () => {
  await hold('olaf');
  await open(heldAt());
  await button('Select all').click();
  await button('Discard…').click();
  // As if it took long: the list of decisions says so until the test lets it end.
  let isOver = false;
  await page.route(/\/held\/admissions$/, async (route) => {
    const { items } = (await inWorkspace('GET', '/held/admissions')).json;
    return route.fulfill({ json: { items: isOver ? items : [{ ...items[0], state: 'running' }] } });
  });
  await button('Discard 1 request').click();
  await toast('The requests are being discarded.').waitFor();
  await turnTo(page, `/w/${sender.workspaceId}/leads`);
  await toast('The requests are being discarded.').waitFor();
  isOver = true;
  await toast('1 request discarded.').getByRole('link', { name: 'Show it' }).waitFor();
  expect(await findingsInLightAndDark(page, 'discarded')).toEqual([]);
  await page.unrouteAll();
});

test('a selection is discarded after it was counted', async () => {
  for (const name of ['eve', 'fred', 'gina']) await hold(name);
  await open(heldAt());
  for (const n of [0, 1])
    await page
      .getByRole('row')
      .getByRole('checkbox', { name: /^Select request/ })
      .nth(n)
      .check();
  await button('Discard…').click();
  await asking('Discard these requests?').getByText('The content of 2 requests is deleted').waitFor();
  expect(await findingsInLightAndDark(page, 'discard')).toEqual([]);
  await button('Discard 2 requests').click();
  await page
    .getByRole('group', { name: 'Discard', exact: true })
    .getByText('2 requests discarded.')
    .waitFor();
  await page.getByText('1 rejected request is kept, and it can be admitted.').waitFor();
  await page
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
    .first()
    .getByRole('link')
    .first()
    .click();
  await drawer().getByRole('button', { name: 'Discard…' }).click();
  await asking('Discard this request?').getByRole('button', { name: 'Discard', exact: true }).click();
  await drawer().getByText('Discarded by olga@example.com').waitFor();
  await drawer().getByText('It was deleted.').waitFor();
});

test('a retry that is accepted while an owner decides is found, and the refusal leads to it', async () => {
  await open(heldAt(`/${await hold('mia')}`));
  await drawer().getByRole('button', { name: 'Admit…' }).click();
  const dialog = asking('Admit this request?');
  await dialog.getByText('Predicted verdict: ').waitFor();
  await post(world.service, sender, 'server', leadOf('mia'));
  await button('Admit').click();
  await dialog.getByText('There is an equal lead', { exact: true }).waitFor();
  await dialog.getByRole('link', { name: 'Open the lead' }).click();
  await page.getByRole('dialog', { name: 'Lead' }).getByText('mia', { exact: true }).first().waitFor();
});

test('a refusal is explained: decided meanwhile, and suspended', async () => {
  const id = await hold('hans');
  await open(heldAt(`/${id}`));
  await drawer().getByRole('button', { name: 'Admit…' }).click();
  const dialog = asking('Admit this request?');
  await dialog.getByText('Predicted verdict: ').waitFor();
  await inWorkspace('POST', `/held/${id}/discard`);
  await button('Admit').click();
  await dialog.getByText('It was decided already').waitFor();
  expect(await findingsInLightAndDark(page, 'refused')).toEqual([]);
  await button('Cancel').click();
  await drawer().getByText('Discarded by').waitFor();

  const other = await hold('ida');
  await inWorkspace('PATCH', '', { status: 'suspended' });
  await open(heldAt(`/${other}`));
  await drawer().getByRole('button', { name: 'Admit…' }).click();
  await dialog.getByText('Nothing can be admitted until an operator resumes it.').waitFor();
  expect(await button('Admit').isDisabled()).toBe(true);
  await inWorkspace('PATCH', '', { status: 'active' });
});

test('what another owner decides leaves the list without a reload', async () => {
  const [first] = [await hold('jan'), await hold('kim')];
  await open(heldAt());
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') });
  await expect.poll(() => rows.count()).toBe(2);
  await inWorkspace('POST', `/held/${first}/discard`);
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByText('1 rejected request is kept').waitFor();
});

test('an admission that is running is shown after a reload, with who started it, and can be stopped', async () => {
  // Leased by an instance that never works on it.
  await pool.query(
    `insert into held_decisions (id, workspace_id, kind, selection, deliver, total, done, created_at, created_by, leased_until)
     values ($1, $2, 'admission', '{}', true, 400, 100, now(), 'pete@example.com', 'infinity')`,
    [randomUUID(), sender.workspaceId],
  );
  await open(heldAt());
  const progress = page.getByRole('group', { name: 'Admission' });
  await progress.getByText('Admitting: 100 of 400 requests. Started by pete@example.com.').waitFor();
  expect(await findingsInLightAndDark(page, 'admission running')).toEqual([]);
  await page.getByRole('button', { name: 'Stop the admission' }).click();
  await progress.waitFor({ state: 'detached' });
});

test('signatures are checked again with a click, and those that match can be admitted', async () => {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const body = leadOf('lena');
  await post(world.service, sender, 'webhook', body, { secret: 'the secret that is set later', timestamp });
  await open(heldAt());
  await page.getByRole('row').getByText('Signature does not match', { exact: true }).click();
  await drawer().getByRole('button', { name: 'Check signature again' }).click();
  await page.getByText('No signature of a held request to this form matches its secret.').waitFor();
  await inWorkspace('PUT', `/forms/${sender.formId}/webhook-secret`, {
    secret: 'the secret that is set later',
  });
  await drawer().getByRole('button', { name: 'Check signature again' }).click();
  await drawer()
    .getByText(/^Its signature matches the secret that the form has now/)
    .waitFor();
  await drawer().getByRole('button', { name: 'Admit…' }).click();
  await button('Admit').click();
  await drawer().getByText('Admitted by').waitFor();
  expect(await names()).toContain('lena');
});

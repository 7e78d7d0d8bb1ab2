import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDestination } from '../../manage/destinations/some-deliveries.ts';
import { createForm, createWorkspace, Seed } from '../../manage/leads/seed.ts';
import { join, type Browser as Person } from '../../support/browser/browser.ts';
import { type BrowserWorld, loaded, startBrowserWorld } from '../../support/browser/chromium.ts';
import { actionsOutside, findingsInLightAndDark, overflow, turnTo } from '../../support/browser/looks.ts';
import { Receiver } from './receiver.ts';

let world: BrowserWorld;
let seed: Seed;
let receiver: Receiver;
let person: Person;
let workspaceId: string;
let page: Page;
const at = (path = '') => `/w/${workspaceId}/destinations${path}`;

beforeAll(async () => {
  receiver = await Receiver.start();
  world = await startBrowserWorld({ env: { DELIVER_ALLOW: '127.0.0.1' } });
  seed = new Seed(world.service);
  workspaceId = await createWorkspace(world.service, 'Engines');
  const form = await createForm(world.service, workspaceId, {
    name: 'Contact',
    fields: [{ key: 'email' }, { key: 'country' }],
  });
  for (const country of ['DE', 'DE', 'FR'])
    await seed.lead(workspaceId, { form_id: form.id, fields: { email: 'ada@example.com', country } });
  person = await join(world.service, workspaceId, 'olga@example.com', 'owner');
  page = await world.open(at(), { person });
});
afterAll(async () => {
  await seed.stop();
  await world.stop();
  await receiver.stop();
  expect(world.faults).toEqual([]);
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByRole('combobox', { name });
const destinations = async () =>
  (await world.service.api('GET', `/workspaces/${workspaceId}/destinations`)).json.items;

async function open(path: string): Promise<void> {
  await turnTo(page, path);
  await loaded(page);
}

/** A dropdown with suggestions would cover what is below. */
async function type(name: string, text: string): Promise<void> {
  await field(name).fill(text);
  await page.keyboard.press('Escape');
}

test('an owner sets up a destination in four steps, sees its secret once, and its test arrives signed', async () => {
  await page.getByRole('heading', { name: 'No destinations yet' }).waitFor();
  await page.getByRole('link', { name: 'Add destination' }).first().click();
  await page.getByRole('radio', { name: 'Webhook' }).waitFor();
  await button('Continue').click();
  await page.getByLabel('Name', { exact: true }).fill('CRM');
  await page.getByLabel('URL', { exact: true }).fill(receiver.url);
  await button('Add header').click();
  await page.getByLabel('Name of header 1').fill('X-Api-Key');
  await page.getByLabel('Value of header 1', { exact: true }).fill('the key');
  await button('Continue').click();
  const dryRun = page.getByRole('group', { name: 'Dry run' });
  await dryRun.getByText('3 of the newest 3 leads would be sent.').waitFor();
  await button('Add condition').click();
  await dryRun.getByText('Complete the rows').waitFor();
  await type('Field of condition 2', 'field.country');
  await page.getByLabel('Value of condition 2').fill('DE');
  await dryRun.getByText('2 of the newest 3 leads would be sent.').waitFor();
  await button('Continue').click();
  await page.getByRole('radio', { name: 'Mapped' }).click();
  await type('From, row 1', 'email');
  await page.getByLabel('To, row 1').fill('contact_email');
  await dryRun.getByText('"contact_email": "ada@example.com"').waitFor();
  await button('Create destination').click();
  const dialog = page.getByRole('dialog', { name: 'Signing secret of CRM' });
  const secret = await dialog.getByLabel('Signing secret', { exact: true }).inputValue();
  await dialog.getByRole('link', { name: 'How to verify a request' }).waitFor();
  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  await button('Send test').click();
  await page.getByText(/^Delivered \(status 200, \d+ ms\)$/).waitFor();
  await page.getByText('Only the status is kept').waitFor();
  await page.getByRole('tab', { name: 'Request' }).click();
  await page.getByText('webhook-signature: v1,').waitFor();
  expect(await page.getByText('the key').count()).toBe(0);
  const [received] = receiver.requests;
  expect(received?.headers).toMatchObject({ 'x-api-key': 'the key' });
  new Webhook(secret).verify(received?.body ?? '', received?.headers as Record<string, string>);
  expect(await destinations()).toMatchObject([
    {
      name: 'CRM',
      format: 'mapped',
      filter: {
        all: [
          { field: 'verdict', op: 'eq', value: 'clean' },
          { field: 'field.country', op: 'eq', value: 'DE' },
        ],
      },
      mapping: [{ from: 'email', to: 'contact_email' }],
    },
  ]);
  await page.getByRole('link', { name: 'View destination' }).click();
  await page.getByRole('heading', { level: 1, name: 'CRM' }).waitFor();
  await page.getByText('X-Api-Key').waitFor();
});

test('a failed test says why, with what the receiver responded', async () => {
  const [{ id }] = await destinations();
  await open(at(`/${id}`));
  receiver.status = 404;
  await button('Send test').click();
  const dialog = page.getByRole('dialog', { name: 'Test CRM' });
  await dialog.getByRole('button', { name: 'Send test' }).click();
  await dialog.getByText(/^Not delivered \(status 404/).waitFor();
  await dialog.getByText(/^The receiver .*404/).waitFor();
  expect(await findingsInLightAndDark(page, 'destination test')).toEqual([]);
  receiver.status = 200;
  await page.keyboard.press('Escape');
});

test('an error is shown on its step and at its row, and nothing that was typed is lost', async () => {
  await open(at('/new'));
  await button('Continue').click();
  await page.getByLabel('Name', { exact: true }).fill('Elsewhere');
  const url = page.getByLabel('URL', { exact: true });
  await url.fill('https://169.254.169.254/latest');
  await button('Continue').click();
  await url.and(page.locator('[aria-invalid=true]')).waitFor();
  expect(await url.inputValue()).toBe('https://169.254.169.254/latest');
  expect(await findingsInLightAndDark(page, 'destination url')).toEqual([]);
  await url.fill(receiver.url);
  await button('Continue').click();
  await button('Add condition').click();
  await type('Field of condition 2', 'score');
  await field('Operator of condition 2').click();
  await page.getByRole('option', { name: 'is at least' }).click();
  await page.getByLabel('Value of condition 2').fill('many');
  await page.getByText('gte needs a number').waitFor();
  await page.getByText('Correct the rows marked in red').waitFor();
  expect(await findingsInLightAndDark(page, 'destination conditions')).toEqual([]);
  await button('Continue').click();
  await page.getByRole('radio', { name: 'Mapped' }).click();
  await type('From, row 1', '/nowhere');
  await button('Create destination').click();
  // The first step with an error.
  await page.getByText('gte needs a number').waitFor();
  await button('Remove condition 2').click();
  await button('Continue').click();
  await page.getByText('/nowhere starts with none of').waitFor();
  expect(await findingsInLightAndDark(page, 'destination mapping')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => overflow(page)).toBe(0);
  await expect.poll(() => actionsOutside(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await button('Back').click();
  await button('Back').click();
  expect(await url.inputValue()).toBe(receiver.url);
  expect(await destinations()).toHaveLength(1);
});

test('a draft is not left without a question', async () => {
  const asked: string[] = [];
  page.once('dialog', (question) => {
    asked.push(question.message());
    void question.accept();
  });
  await page.getByRole('link', { name: 'Leads', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();
  expect(asked).toEqual(['Leave without saving your changes?']);
});

test('saving changes only what was changed, so that what someone else changed stays', async () => {
  const [{ id }] = await destinations();
  await open(at(`/${id}`));
  await page.getByLabel('Requests per second').fill('5');
  const path = `/workspaces/${workspaceId}/destinations/${id}`;
  await world.service.api('PATCH', path, { name: 'CRM of the others' });
  await page.keyboard.press('Control+Home');
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText('Someone changed this destination in the meantime').waitFor();
  await button('Save changes').click();
  await page.getByText('Destination saved.').waitFor();
  expect((await world.service.api('GET', path)).json).toMatchObject({
    name: 'CRM of the others',
    per_second: 5,
    headers: ['X-Api-Key'],
  });
  await page.getByRole('heading', { level: 1, name: 'CRM of the others' }).waitFor();
});

test('a rotated secret is shown once, and says how long both sign', async () => {
  await button('Rotate secret').click();
  const dialog = page.getByRole('dialog', { name: 'Rotate signing secret' });
  await dialog.getByText('7 days').click();
  await dialog.getByRole('button', { name: 'Rotate secret' }).click();
  const shown = page.getByRole('dialog', { name: /^Signing secret of/ });
  await shown.getByText('Requests are signed with both secrets until').waitFor();
  await shown.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByText('Requests are signed with both secrets until').waitFor();
});

test('a failing destination says since when, why and when it is tried next', async () => {
  const [{ id }] = await destinations();
  await seed.query(
    `update destination_health set consecutive_failures = 12, failing_since = now() - interval '2 hours',
       next_probe_at = now() + interval '20 minutes', last_error = 'The receiver responded with 503.'
     where destination_id = $1`,
    [id],
  );
  await page.goto(at());
  await page.getByText('Failing', { exact: true }).waitFor();
  await page.getByText('next try in 20 min').waitFor();
  await page.goto(at(`/${id}`));
  await page.getByText(/^Failing since /).waitFor();
  await page.getByText(/The receiver responded with 503\. .*next try at/).waitFor();
  expect(await findingsInLightAndDark(page, 'destination failing')).toEqual([]);
});

test('a paused destination and a disabled one say so, and are resumed with a click', async () => {
  await button('Pause').click();
  await page.getByText('New leads are collected, and sent once you resume it.').waitFor();
  await button('Resume').click();
  await button('Pause').waitFor();
  const { id } = await createDestination(world.service, workspaceId, { name: 'Gone' });
  await seed.query(`update destinations set status = 'disabled', disabled_reason = 'gone' where id = $1`, [
    id,
  ]);
  await page.goto(at());
  await page.getByText('Receiver gone (410)').waitFor();
  await open(at(`/${id}`));
  await page.getByText('it does not want any more deliveries').waitFor();
  expect(await findingsInLightAndDark(page, 'destination disabled')).toEqual([]);
  await button('Resume').click();
  await button('Pause').waitFor();
  expect((await destinations()).map(({ status }: { status: string }) => status)).toEqual([
    'active',
    'active',
  ]);
});

test('a deleted destination is gone', async () => {
  await open(at());
  await page.getByRole('button', { name: 'Actions for Gone' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete destination' }).click();
  await page.getByRole('link', { name: 'Gone', exact: true }).waitFor({ state: 'detached' });
  expect(await destinations()).toHaveLength(1);
});

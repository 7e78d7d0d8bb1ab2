import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDelivery } from '../../manage/destinations/some-deliveries.ts';
import { createForm, createWorkspace, Seed } from '../../manage/leads/seed.ts';
import { join } from '../../support/browser/browser.ts';
import { type BrowserWorld, loaded, startBrowserWorld } from '../../support/browser/chromium.ts';
import {
  addRecipient,
  dryRunOf,
  expectGoodLooks,
  intercept,
  type OtherKind,
  seedDestination,
} from './other-kinds.ts';

const earlier = new Date(Date.now() - 3 * 86_400_000).toISOString();
const later = new Date(Date.now() - 86_400_000).toISOString();

let world: BrowserWorld;
let seed: Seed;
let workspaceId: string;
let page: Page;
const ids: Record<string, string> = {};
const at = (path = '') => `/w/${workspaceId}/destinations${path}`;

beforeAll(async () => {
  world = await startBrowserWorld();
  seed = new Seed(world.service);
  workspaceId = await createWorkspace(world.service, 'Engines');
  await createForm(world.service, workspaceId, { name: 'Contact', fields: [{ key: 'email' }] });
  const person = await join(world.service, workspaceId, 'olga@example.com', 'owner');
  await seed.query(`update people set email_verified = true where email = 'olga@example.com'`);
  for (const [kind, name] of [
    ['email', 'Sales team'],
    ['chat', '#leads'],
    ['hubspot', 'HubSpot EU'],
  ] as const)
    ids[kind] = await seedDestination(world.service, seed, workspaceId, kind, name);
  const email = ids.email as string;
  await addRecipient(seed, email, 'olga@example.com', { added_at: earlier });
  await addRecipient(seed, email, 'ada@example.com', {
    confirmed_at: later,
    last_error: '550 no such user',
  });
  await addRecipient(seed, email, 'grace@example.com', { asked_at: earlier });
  await addRecipient(seed, email, 'max@example.com', { confirmed_at: earlier, unsubscribed_at: later });
  page = await world.open('/account', { person });
});
afterAll(async () => {
  await seed.stop();
  await world.stop();
  expect(world.faults).toEqual([]);
});
beforeEach(async () => {
  for (const [kind, id] of Object.entries(ids))
    await intercept(page, 'POST', new RegExp(`/${id}/dry-run$`), () => ({ json: dryRunOf({ kind }) }));
});
afterEach(() => page.unrouteAll());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const row = (address: string) => page.getByRole('listitem', { name: address });
// biome-ignore lint/suspicious/noExplicitAny: each kind has another shape.
const stored = async (kind: OtherKind): Promise<any> =>
  (await world.service.api('GET', `/workspaces/${workspaceId}/destinations/${ids[kind]}`)).json;

async function open(kind: OtherKind): Promise<void> {
  await page.goto(at(`/${ids[kind]}`));
  await page.getByRole('heading', { level: 1 }).waitFor();
  await loaded(page);
}

/** What a test of a destination returns. */
const tested = (more: object) => ({
  json: {
    ...{ delivered: true, status: 200, error: null, took_ms: 12, response_head: 'ok' },
    ...{ request: { headers: { 'content-type': 'application/json' }, body: '{"text":"Test lead"}' } },
    ...more,
  },
});

async function sendTest(): Promise<void> {
  await button('Send test').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send test' }).click();
}

test('the list says where each goes, without a URL', async () => {
  await page.goto(at());
  await page.getByText('4 recipients, 2 get no emails').waitFor();
  await page.getByText('Slack, hooks.slack.com').waitFor();
  await page.getByText('Contacts, 1 property').waitFor();
  await expectGoodLooks(page, 'list of kinds');
});

describe('email', () => {
  test('shows of each recipient whether they get emails, and why not', async () => {
    await open('email');
    await row('olga@example.com').getByText('Member').waitFor();
    await row('ada@example.com').getByText('Confirmed').waitFor();
    await row('ada@example.com').getByText('did not accept the last email: 550 no such user').waitFor();
    await row('grace@example.com').getByText('Waiting for confirmation').waitFor();
    await row('max@example.com').getByText('Unsubscribed').waitFor();
    expect(await page.getByText('Signing secret').count()).toBe(0);
    expect(await row('ada@example.com').getByRole('button', { name: /again/ }).count()).toBe(0);
    await expectGoodLooks(page, 'email page');
  });

  test('sends a link again to those who wait or unsubscribed, and to nobody else', async () => {
    await open('email');
    const before = await stored('email');
    const asked = await intercept(page, 'POST', /\/recipients\/confirmation$/, ({ address }) => ({
      json: {
        ...before,
        recipients: before.recipients.map((one: { address: string }) =>
          one.address === address ? { ...one, asked_at: new Date().toISOString() } : one,
        ),
      },
    }));
    await button('Send link again: grace@example.com').click();
    await page.getByText('A link was sent to grace@example.com.').waitFor();
    await button('Ask again: max@example.com').click();
    await page.getByText('A link was sent to max@example.com.').waitFor();
    expect(asked).toEqual([{ address: 'grace@example.com' }, { address: 'max@example.com' }]);
    // Nobody is in until they have confirmed.
    await row('max@example.com').getByText('Unsubscribed').waitFor();
  });

  test('adds and removes recipients with the other changes, and sends nothing that was not changed', async () => {
    await open('email');
    const before = await stored('email');
    const saved = await intercept(page, 'PATCH', /\/destinations\//, () => ({ json: before }));
    await page.getByRole('combobox', { name: 'Add recipients' }).fill('new@example.com, nonsense');
    await page.keyboard.press('Enter');
    await row('new@example.com').getByText('Not saved yet.').waitFor();
    await page.getByText('Not an email address: nonsense').waitFor();
    await button('Remove ada@example.com').click();
    expect(saved).toEqual([]);
    await expectGoodLooks(page, 'email page changed');
    await button('Save changes').click();
    await page.getByText('Destination saved.').waitFor();
    expect(saved).toEqual([
      { recipients: ['olga@example.com', 'grace@example.com', 'max@example.com', 'new@example.com'] },
    ]);
  });

  test('changes when emails are sent', async () => {
    await open('email');
    const before = await stored('email');
    const saved = await intercept(page, 'PATCH', /\/destinations\//, () => ({ json: before }));
    expect(await page.getByRole('combobox', { name: 'Time zone of the daily email' }).inputValue()).toBe(
      'Europe/Berlin',
    );
    await page.getByRole('radio', { name: 'One email an hour' }).click();
    await button('Save changes').click();
    await expect.poll(() => saved).toEqual([{ every: 'hour' }]);
  });

  test('says what the mail server replied to a test', async () => {
    await open('email');
    const request = { headers: { subject: 'Test lead: Ada' }, body: 'name: Ada\n' };
    const replies = [
      tested({ status: 250, response_head: '250 queued', request }),
      tested({ delivered: false, status: 554, error: 'The mail server refused it with 554.', request }),
    ];
    await intercept(page, 'POST', /\/test$/, () => replies.shift() as object);
    await sendTest();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('to all recipients who get emails (2 of 4)').waitFor();
    await dialog.getByText('Delivered (reply code 250, 12 ms)').waitFor();
    await dialog.getByText('The mail server accepted the test.').waitFor();
    await dialog.getByRole('tab', { name: 'Email' }).click();
    await dialog.getByText('subject: Test lead: Ada').waitFor();
    expect(await dialog.getByText('POST').count()).toBe(0);
    await expectGoodLooks(page, 'email test');
    await dialog.getByRole('button', { name: 'Send another test' }).click();
    await dialog.getByText('The mail server refused it with 554.').waitFor();
    await page.keyboard.press('Escape');
  });
});

describe('chat', () => {
  test('shows the host, and replaces the URL only if asked to', async () => {
    await open('chat');
    await page.getByText('A URL at hooks.slack.com.').waitFor();
    await expectGoodLooks(page, 'chat page');
    const before = await stored('chat');
    const saved = await intercept(page, 'PATCH', /\/destinations\//, () => ({ json: before }));
    await page.getByRole('switch', { name: 'Link only' }).click();
    await button('Replace URL').click();
    await page.getByLabel('URL', { exact: true }).fill('https://hooks.slack.com/services/new');
    await button('Keep the stored one').click();
    await button('Save changes').click();
    await page.getByText('Destination saved.').waitFor();
    await button('Replace URL').click();
    await page.getByLabel('URL', { exact: true }).fill('https://hooks.slack.com/services/new');
    await expectGoodLooks(page, 'chat page with a new URL');
    await button('Save changes').click();
    await button('Replace URL').waitFor();
    expect(saved).toEqual([{ link_only: true }, { url: 'https://hooks.slack.com/services/new' }]);
  });

  test('that was disabled says what to do', async () => {
    const disable = (reason: string) =>
      seed.query(`update destinations set status = 'disabled', disabled_reason = $2 where id = $1`, [
        ids.chat,
        reason,
      ]);
    await disable('refused');
    await open('chat');
    await page.getByText('Check that you chose the right service.').waitFor();
    await disable('gone');
    await open('chat');
    await page.getByText('The chat service no longer knows the URL').waitFor();
    await page.goto(at());
    await page.getByText('URL no longer works').waitFor();
    await page.goto(`/w/${workspaceId}`);
    await page.getByText('#leads is disabled. The chat service no longer knows the URL').waitFor();
    await seed.query(`update destinations set status = 'paused', disabled_reason = null where id = $1`, [
      ids.chat,
    ]);
  });
});

describe('HubSpot', () => {
  test('keeps its token until it is replaced, and changes properties', async () => {
    await open('hubspot');
    await page.getByText('An access token is stored.').waitFor();
    const before = await stored('hubspot');
    const saved = await intercept(page, 'PATCH', /\/destinations\//, () => ({ json: before }));
    const tried = page.waitForResponse(/\/dry-run$/);
    await button('Phone').click();
    await tried;
    await expectGoodLooks(page, 'hubspot page');
    await button('Replace access token').click();
    await page.getByLabel('Access token', { exact: true }).fill('pat-new');
    await button('Save changes').click();
    await button('Replace access token').waitFor();
    expect(saved).toEqual([
      {
        token: 'pat-new',
        mapping: [
          { from: 'email', to: 'email' },
          { from: 'phone', to: 'phone' },
        ],
      },
    ]);
  });

  test('is tested with a contact, and says so before', async () => {
    await open('hubspot');
    await intercept(page, 'POST', /\/test$/, () => tested({ request: { headers: {}, body: '{}' } }));
    await sendTest();
    await page.getByText('Creates or updates the contact ada@example.com').waitFor();
    await page.getByText('HubSpot created or updated the contact.').waitFor();
    await page.keyboard.press('Escape');
  });
});

test('an email destination without recipients says so', async () => {
  const id = await seedDestination(world.service, seed, workspaceId, 'email', 'Nobody');
  await intercept(page, 'POST', /\/dry-run$/, () => ({ json: dryRunOf({ kind: 'email' }) }));
  await seed.query(
    `update destinations set status = 'disabled', disabled_reason = 'no_recipients' where id = $1`,
    [id],
  );
  await page.goto(at(`/${id}`));
  await page.getByText('Nobody is left who gets the emails.').waitFor();
  await page.getByText('No recipients. Add one to save the destination.').waitFor();
  await page.goto(at());
  await page.getByText('0 recipients').waitFor();
});

test('a delivery of an email shows the email, and no URL or webhook-id', async () => {
  const id = await addDelivery(seed, workspaceId, ids.email as string, {
    ...{ state: 'delivered', attempts: 1, last_status: 250, created_at: new Date().toISOString() },
  });
  const listed = (await world.service.api('GET', `/workspaces/${workspaceId}/deliveries`)).json.items.find(
    (one: { id: string }) => one.id === id,
  );
  await intercept(page, 'GET', new RegExp(`/api/.*/deliveries/${id}$`), () => ({
    json: {
      ...listed,
      tries: [{ n: 1, at: listed.created_at, took_ms: 8, status: 250, error: null, response_head: null }],
      request: { url: null, headers: { subject: 'New lead: Ada' }, body: 'name: Ada\n' },
    },
  }));
  await page.goto(`/w/${workspaceId}/deliveries/${id}`);
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('heading', { name: 'Email' }).waitFor();
  await drawer.getByText('subject: New lead: Ada').waitFor();
  await drawer.getByText('Each recipient gets their own').waitFor();
  expect(await drawer.getByText('POST').count()).toBe(0);
  expect(await drawer.getByText('webhook-id').count()).toBe(0);
  await drawer.getByRole('button', { name: 'Show response' }).click();
  await drawer.getByText('The mail server said no more.').waitFor();
  await expectGoodLooks(page, 'delivery of an email');
});

import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createForm, createWorkspace } from '../../manage/leads/seed.ts';
import { join } from '../../support/browser/browser.ts';
import { type BrowserWorld, startBrowserWorld } from '../../support/browser/chromium.ts';
import { dryRunOf, expectGoodLooks, hostile, intercept } from './other-kinds.ts';

const clean = { all: [{ field: 'verdict', op: 'eq', value: 'clean' }] };
const whichLeads = {
  form_ids: null,
  filter: clean,
  events: ['lead.accepted', 'lead.released'],
  send_when: 'enriched',
  wait_max_s: 120,
};

let world: BrowserWorld;
let workspaceId: string;
let page: Page;
// biome-ignore lint/suspicious/noExplicitAny: each kind sends another shape.
let created: any[];
// biome-ignore lint/suspicious/noExplicitAny: each kind sends another shape.
let tried: any[];
let isEmailed: boolean;

beforeAll(async () => {
  world = await startBrowserWorld();
  workspaceId = await createWorkspace(world.service, 'Engines');
  await createForm(world.service, workspaceId, {
    name: 'Contact',
    fields: [{ key: 'email' }, { key: 'Firstname' }, { key: 'telephone' }],
  });
  const person = await join(world.service, workspaceId, 'olga@example.com', 'owner');
  page = await world.open('/account', { person });
});
afterAll(async () => {
  await world.stop();
  expect(world.faults).toEqual([]);
});

beforeEach(async () => {
  isEmailed = true;
  await intercept(page, 'POST', /\/destinations\/check$/, () => ({ status: 204 }));
  await intercept(page, 'GET', /\/password-resets$/, () => ({ json: { mailed: isEmailed } }));
  tried = await intercept(page, 'POST', /\/destinations\/dry-run$/, (body) => ({ json: dryRunOf(body) }));
  await intercept(page, 'POST', /\/hubspot\/properties$/, () => ({ json: { properties: [] } }));
  created = await intercept(page, 'POST', /\/destinations$/, (body) => ({
    status: 201,
    json: answerTo(body),
  }));
});
afterEach(() => page.unrouteAll());

function answerTo(body: { readonly recipients?: readonly string[] }) {
  const at = new Date().toISOString();
  const recipients = body.recipients?.map((address, i) => ({
    address,
    status: i === 0 ? 'member' : 'waiting',
    asked_at: i === 0 ? null : at,
    last_error: null,
  }));
  return {
    ...body,
    ...{ id: randomUUID(), status: 'active', disabled_reason: null, per_second: 1, version: 1, secret: null },
    ...{ created_at: at, created_by: 'Olga', updated_at: at, updated_by: 'Olga' },
    last_day: { delivered: 0, waiting: 0, dead: 0, oldest_waiting_at: null, p95_ms: null },
    health: { consecutive_failures: 0, failing_since: null, next_probe_at: null, last_error: null },
    ...(recipients === undefined ? {} : { recipients }),
    host: 'hooks.slack.com',
  };
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const label = (name: string) => page.getByLabel(name, { exact: true });
const dryRun = () => page.getByRole('group', { name: 'Dry run' });

async function begin(kind: string): Promise<void> {
  await page.goto(`/w/${workspaceId}/destinations/new`);
  await page.getByRole('radio', { name: kind }).click();
  await button('Continue').click();
}

test('each kind can be chosen, with what it does', async () => {
  await page.goto(`/w/${workspaceId}/destinations/new`);
  for (const kind of ['Email', 'Chat', 'HubSpot', 'Webhook'])
    await page.getByRole('radio', { name: kind }).click();
  await expectGoodLooks(page, 'setup kinds');
});

test('without a mail server, email says why it cannot be chosen', async () => {
  isEmailed = false;
  await page.goto(`/w/${workspaceId}/destinations/new`);
  await page.getByText('this service does not send email').waitFor();
  expect(await page.getByRole('radio', { name: 'Email' }).isDisabled()).toBe(true);
  await expectGoodLooks(page, 'setup without mail');
});

test('a choice of a kind is nothing to lose, and typed settings are', async () => {
  await begin('HubSpot');
  await page.getByRole('link', { name: 'Leads', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();
  await begin('Chat');
  await label('Name').fill('#leads');
  const asked: string[] = [];
  page.once('dialog', (question) => {
    asked.push(question.message());
    void question.dismiss();
  });
  await page.getByRole('link', { name: 'Leads', exact: true }).click();
  await expect.poll(() => asked).toEqual(['Leave without saving your changes?']);
});

describe('email', () => {
  test('is set up with addresses as people paste them, and a daily email in the time zone of the browser', async () => {
    await begin('Email');
    await label('Name').fill('Sales team');
    const addresses = page.getByRole('combobox', { name: 'Recipients' });
    await addresses.fill('Ada Lovelace <Ada@Example.com>, grace@example.com; ada@example.com');
    await page.keyboard.press('Enter');
    await addresses.fill('not an address');
    await page.keyboard.press('Enter');
    await page.getByText('Not an email address: not an address').waitFor();
    await page.getByText('first gets a link to confirm').waitFor();
    await page.keyboard.press('Escape');
    await expectGoodLooks(page, 'setup email where');
    await addresses.focus();
    await page.keyboard.press('Backspace');
    await page.getByText('Not an email address').waitFor({ state: 'detached' });
    await button('Continue').click();
    expect(await page.getByText('lead.erased').count()).toBe(0);
    await page.getByText('destination.disabled').waitFor();
    await button('Continue').click();
    await page.getByRole('radio', { name: 'One email a day' }).click();
    await page.getByRole('combobox', { name: 'Hour of the daily email' }).click();
    await page.getByRole('option', { name: '17:00' }).click();
    await page.getByRole('switch', { name: 'Link only' }).click();
    await expect
      .poll(() => tried.at(-1))
      .toEqual({
        kind: 'email',
        form_ids: null,
        filter: clean,
        link_only: true,
      });
    await expectGoodLooks(page, 'setup email message');
    await button('Create destination').click();
    await page.getByText('A link was sent to grace@example.com.').waitFor();
    await page.getByText('to all recipients who get emails (1 of 2)').waitFor();
    await expectGoodLooks(page, 'setup email created');
    expect(created).toEqual([
      {
        ...{ kind: 'email', name: 'Sales team', ...whichLeads },
        recipients: ['ada@example.com', 'grace@example.com'],
        ...{ every: 'day', hour: 17, link_only: true },
        time_zone: await page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone'),
      },
    ]);
  });

  test('is previewed as its readers see it, and nothing that senders wrote runs', async () => {
    await begin('Email');
    await button('Continue').click();
    const shown = dryRun().getByRole('figure', { name: 'Email' });
    // As the subject, and above the facts.
    await expect.poll(() => shown.getByText(`New lead: ${hostile}`).count()).toBe(2);
    await shown.getByText('Second line').waitFor();
    await expectGoodLooks(page, 'preview email');
    await dryRun().getByRole('tab', { name: 'Text' }).click();
    await dryRun().getByText('email: ada@example.com').waitFor();
    expect(await shown.count()).toBe(0);
    expect(await page.evaluate('window.attacked')).toBeUndefined();
  });

  test('that the service refuses is explained where the kind is chosen', async () => {
    await begin('Email');
    await button('Continue').click();
    await button('Continue').click();
    const errors = [{ field: 'kind', message: 'the service has no mail server' }];
    await intercept(page, 'POST', /\/destinations$/, () => ({
      status: 422,
      json: { code: 'invalid_request', title: 'Invalid input', status: 422, errors },
    }));
    await button('Create destination').click();
    await page.getByText('The service has no mail server').waitFor();
    await page.getByRole('radio', { name: 'Email' }).waitFor();
  });
});

describe('chat', () => {
  test('is set up with a URL that is hidden like a password, and a hint where to get it', async () => {
    await begin('Chat');
    await label('Name').fill('#leads');
    await page.getByText('In Slack: create an app').waitFor();
    await page.getByRole('combobox', { name: 'Service' }).click();
    await page.getByRole('option', { name: 'Discord' }).click();
    await page.getByText('In Discord: Edit Channel').waitFor();
    expect(await label('URL').getAttribute('type')).toBe('password');
    await label('URL').fill(' https://discord.com/api/webhooks/1/s3cret ');
    await expectGoodLooks(page, 'setup chat where');
    await button('Continue').click();
    await button('Continue').click();
    await expectGoodLooks(page, 'setup chat message');
    await button('Create destination').click();
    await page.getByText('Posts a message with a sample lead').waitFor();
    expect(created).toEqual([
      {
        ...{ kind: 'chat', name: '#leads', ...whichLeads },
        ...{ service: 'discord', url: 'https://discord.com/api/webhooks/1/s3cret', link_only: false },
      },
    ]);
    expect(tried.at(-1)).toEqual({
      ...{ kind: 'chat', form_ids: null, filter: clean },
      ...{ service: 'discord', link_only: false },
    });
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test.each(['Slack', 'Mattermost', 'Microsoft Teams', 'Discord'])(
    'is previewed as a message in %s, and nothing that senders wrote runs',
    async (service) => {
      await begin('Chat');
      await page.getByRole('combobox', { name: 'Service' }).click();
      await page.getByRole('option', { name: service }).click();
      await button('Continue').click();
      const shown = dryRun().getByRole('figure', { name: `Message in ${service}` });
      await shown.getByText(`New lead: ${hostile}`).waitFor();
      await expectGoodLooks(page, `preview ${service}`);
      await dryRun().getByRole('tab', { name: 'JSON' }).click();
      await dryRun().getByText('"text": "New lead"').waitFor();
      expect(await page.evaluate('window.attacked')).toBeUndefined();
    },
  );
});

describe('HubSpot', () => {
  test('is set up with a token and properties, of which the usual ones are added with a click', async () => {
    await begin('HubSpot');
    await label('Name').fill('HubSpot EU');
    expect(await label('Access token').getAttribute('type')).toBe('password');
    await label('Access token').fill('pat-eu1-s3cret');
    await expectGoodLooks(page, 'setup hubspot where');
    await button('Continue').click();
    expect(await page.getByText('destination.disabled').count()).toBe(0);
    await button('Continue').click();
    await button('First name').click();
    await button('Company').click();
    expect(await button('Company').count()).toBe(0);
    await button('Add row').click();
    await page.getByRole('combobox', { name: 'From, row 4' }).fill('message');
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'To, row 4' }).fill('message');
    await page.keyboard.press('Escape');
    await dryRun().getByText('3 of the newest 3 leads match.').waitFor();
    await dryRun().getByText('2 of these leads have no email address and are skipped.').waitFor();
    await dryRun().getByText('"idProperty": "email"').waitFor();
    expect(await page.getByText('Drop').count()).toBe(0);
    await expectGoodLooks(page, 'setup hubspot properties');
    await button('Create destination').click();
    await page.getByText('Creates or updates the contact ada@example.com').waitFor();
    expect(created).toEqual([
      {
        ...{ kind: 'hubspot', name: 'HubSpot EU', ...whichLeads, token: 'pat-eu1-s3cret' },
        mapping: [
          { from: 'email', to: 'email' },
          { from: 'Firstname', to: 'firstname' },
          { from: 'company', to: 'company' },
          { from: 'message', to: 'message' },
        ],
      },
    ]);
  });

  test('shows on their steps what HubSpot does not accept', async () => {
    await begin('HubSpot');
    await button('Continue').click();
    await button('Continue').click();
    const refusals = [
      [{ field: 'mapping[0]', message: 'Row 1: HubSpot has no property `emial`' }],
      [{ field: 'token', message: 'HubSpot does not accept the token' }],
    ];
    await intercept(page, 'POST', /\/destinations$/, () => ({
      status: 422,
      json: { code: 'invalid_request', title: 'Invalid input', status: 422, errors: refusals.shift() },
    }));
    await button('Create destination').click();
    await page.getByText('HubSpot has no property emial').waitFor();
    await button('Create destination').click();
    await page.getByText('HubSpot does not accept the token').waitFor();
    await label('Access token').waitFor();
  });
});

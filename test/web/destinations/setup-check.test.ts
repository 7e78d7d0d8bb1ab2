import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createForm, createWorkspace } from '../../manage/leads/seed.ts';
import { join } from '../../support/browser/browser.ts';
import { type BrowserWorld, startBrowserWorld } from '../../support/browser/chromium.ts';
import { dryRunOf, expectGoodLooks, intercept } from './other-kinds.ts';

let world: BrowserWorld;
let workspaceId: string;
let page: Page;
let refusals: { readonly field: string; readonly message: string }[];
// biome-ignore lint/suspicious/noExplicitAny: each kind sends another shape.
let checked: any[];

beforeAll(async () => {
  world = await startBrowserWorld();
  workspaceId = await createWorkspace(world.service, 'Engines');
  await createForm(world.service, workspaceId, { name: 'Contact' });
  const person = await join(world.service, workspaceId, 'olga@example.com', 'owner');
  page = await world.open('/account', { person });
});
afterAll(async () => {
  await world.stop();
  expect(world.faults).toEqual([]);
});

beforeEach(async () => {
  refusals = [];
  await intercept(page, 'GET', /\/password-resets$/, () => ({ json: { mailed: true } }));
  await intercept(page, 'POST', /\/destinations\/dry-run$/, (body) => ({ json: dryRunOf(body) }));
  checked = await intercept(page, 'POST', /\/destinations\/check$/, () => {
    const refusal = refusals.shift();
    if (refusal === undefined) return { status: 204 };
    return { status: 422, json: { code: 'invalid_input', title: 'Invalid input', errors: [refusal] } };
  });
});
afterEach(() => page.unrouteAll());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const label = (name: string) => page.getByLabel(name, { exact: true });

async function begin(kind: string): Promise<void> {
  await page.goto(`/w/${workspaceId}/destinations/new`);
  await page.getByRole('radio', { name: kind }).click();
  await button('Continue').click();
}

test.each([
  ['Webhook', 'url', 'is not a URL'],
  ['Chat', 'url', 'belongs to Discord, not to Slack'],
  ['Email', 'recipients', 'use an email address'],
  ['Email', 'name', 'must not be empty'],
  ['HubSpot', 'token', 'must not be empty'],
])(
  'what the service refuses of a %s is corrected before the next step: its %s',
  async (kind, field, message) => {
    await begin(kind);
    refusals.push({ field, message });
    await button('Continue').click();
    const shown = message.charAt(0).toUpperCase() + message.slice(1);
    await page.getByText(shown, { exact: true }).waitFor();
    await expectGoodLooks(page, `setup refused ${kind} ${field}`);
    await button('Continue').click();
    await page.getByRole('radio', { name: 'All forms, including later ones' }).waitFor();
    expect(checked).toHaveLength(2);
  },
);

test('the check of a step says nothing about the later ones, so what is unfinished there stays possible', async () => {
  await begin('Webhook');
  await label('Name').fill('CRM');
  await label('URL').fill('https://crm.example.com/leads');
  await button('Continue').click();
  await button('Continue').click();
  await page.getByRole('radio', { name: 'Mapped' }).click();
  await button('Back').click();
  await button('Back').click();
  await button('Continue').click();
  await page.getByRole('radio', { name: 'All forms, including later ones' }).waitFor();
  expect(checked).toHaveLength(2);
  expect(checked[1]).toMatchObject({ name: 'CRM', url: 'https://crm.example.com/leads', format: 'standard' });
});

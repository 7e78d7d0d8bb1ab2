import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createForm, createWorkspace, Seed } from '../../manage/leads/seed.ts';
import { join } from '../../support/browser/browser.ts';
import { type BrowserWorld, loaded, startBrowserWorld } from '../../support/browser/chromium.ts';
import { dryRunOf, expectGoodLooks, hostile, intercept, seedDestination } from './other-kinds.ts';

const properties = [
  { name: 'email', label: 'Email', type: 'string' },
  { name: 'favourite_colour', label: `Favourite ${hostile}`, type: 'enumeration' },
];
const refusal = {
  status: 422,
  json: {
    ...{ code: 'invalid_request', title: 'Invalid input', status: 422 },
    errors: [{ field: 'token', message: 'HubSpot does not accept the token' }],
  },
};
const outage = {
  status: 503,
  json: { code: 'unavailable', title: 'Unavailable', status: 503, detail: 'HubSpot could not be asked.' },
};

let world: BrowserWorld;
let seed: Seed;
let workspaceId: string;
let page: Page;

beforeAll(async () => {
  world = await startBrowserWorld();
  seed = new Seed(world.service);
  workspaceId = await createWorkspace(world.service, 'Engines');
  await createForm(world.service, workspaceId, { name: 'Contact', fields: [{ key: 'email' }] });
  const person = await join(world.service, workspaceId, 'olga@example.com', 'owner');
  page = await world.open('/account', { person });
});
afterAll(async () => {
  await seed.stop();
  await world.stop();
  expect(world.faults).toEqual([]);
});
beforeEach(async () => {
  await intercept(page, 'POST', /\/dry-run$/, () => ({ json: dryRunOf({ kind: 'hubspot' }) }));
  await intercept(page, 'POST', /\/destinations\/check$/, () => ({ status: 204 }));
});
afterEach(() => page.unrouteAll());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const token = () => page.getByLabel('Access token', { exact: true });
const target = () => page.getByRole('combobox', { name: 'To, row 1' });
/** Responds with these in turn, and then with the properties. */
const hubspot = (...responses: object[]) =>
  intercept(page, 'POST', /\/hubspot\/properties$/, () => responses.shift() ?? { json: { properties } });

async function begin(): Promise<void> {
  await page.goto(`/w/${workspaceId}/destinations/new`);
  await page.getByRole('radio', { name: 'HubSpot' }).click();
  await button('Continue').click();
}

/** By what people call it. */
async function expectSuggested(): Promise<void> {
  await target().fill('favourite');
  await page.getByRole('option', { name: 'favourite_colour' }).getByText(hostile).waitFor();
  await expectGoodLooks(page, 'suggested properties');
  await page.getByRole('option', { name: 'favourite_colour' }).click();
  expect(await target().inputValue()).toBe('favourite_colour');
  expect(await page.evaluate('window.attacked')).toBeUndefined();
}

test('a token that HubSpot refuses is corrected before the next step, and its properties are loaded once', async () => {
  const asked = await hubspot(refusal);
  await begin();
  await token().fill(' pat-old ');
  await button('Continue').click();
  await page.getByText('HubSpot does not accept the token').waitFor();
  await expectGoodLooks(page, 'token refused');
  await token().fill('pat-new');
  await button('Continue').click();
  await page.getByText('Which leads').first().waitFor();
  await button('Back').click();
  await button('Continue').click();
  await button('Continue').click();
  await expectSuggested();
  expect(await button('Load properties').count()).toBe(0);
  expect(asked).toEqual([{ token: 'pat-old' }, { token: 'pat-new' }]);
});

test('while HubSpot is unavailable the setup continues with the usual properties, and loads the others later', async () => {
  const asked = await hubspot(outage, outage);
  await begin();
  await token().fill('pat-later');
  await button('Continue').click();
  await page.getByRole('radio', { name: 'All forms, including later ones' }).waitFor();
  await button('Continue').click();
  await target().fill('job');
  await page.getByRole('option', { name: 'jobtitle' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('alert').getByText('HubSpot could not be asked.').waitFor();
  await button('Load properties').click();
  await expect.poll(() => asked.length).toBe(2);
  await button('Load properties').click();
  await button('Load properties').waitFor({ state: 'detached' });
  await expectSuggested();
});

test('a destination loads the properties of its account when asked to, and says where its token is refused', async () => {
  const id = await seedDestination(world.service, seed, workspaceId, 'hubspot', 'HubSpot EU');
  const responses: object[] = [refusal];
  const asked = await intercept(page, 'GET', /\/properties$/, () => {
    return responses.shift() ?? { json: { properties } };
  });
  await page.goto(`/w/${workspaceId}/destinations/${id}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await loaded(page);
  expect(asked).toHaveLength(0);
  await button('Load properties').click();
  await page
    .getByRole('group', { name: 'Access token' })
    .getByText('HubSpot does not accept the token')
    .waitFor();
  await expectGoodLooks(page, 'stored token refused');
  await button('Load properties').click();
  await button('Load properties').waitFor({ state: 'detached' });
  await expectSuggested();
  expect(asked).toHaveLength(2);
  await button('Discard changes').click();
});

test('without leads, a sample lead shows what is sent', async () => {
  const { examples } = dryRunOf({ kind: 'email' });
  const sample = { body: examples[0]?.body, message: examples[0]?.message };
  await intercept(page, 'POST', /\/dry-run$/, () => ({
    json: { checked: 0, matching: 0, skipped: 0, examples: [], sample },
  }));
  await page.goto(`/w/${workspaceId}/destinations/new`);
  await page.getByRole('radio', { name: 'Chat' }).click();
  await button('Continue').click();
  await button('Continue').click();
  await page.getByText('There are no leads yet to try this on.').waitFor();
  await page.getByText('Example with a sample lead').waitFor();
  await page.getByRole('figure', { name: 'Message in Slack' }).getByText('Open in Leadgate').waitFor();
  await expectGoodLooks(page, 'sample without leads');
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Seed } from '../../manage/leads/seed.ts';
import { join, makeOperator, type Browser as Person } from '../../support/browser/browser.ts';
import {
  type BrowserWorld,
  focused,
  loaded,
  seriousFindings,
  startBrowserWorld,
} from '../../support/browser/chromium.ts';
import { findingsInLightAndDark, overflow, revisit, turnTo } from '../../support/browser/looks.ts';
import { createSender, post, type Sender, someLead } from '../../support/sender.ts';

/** What a page looks like besides loaded and full: menus, dialogs, empty, failed, on a phone, and for members. */
let world: BrowserWorld;
let sender: Sender;
let owner: Person;
let member: Person;
let emptyId: string;
let leadId: string;
let page: Page;
/** The pages of the workspace and of its form. */
const at = (path = '') => `/w/${sender.workspaceId}${path}`;
const ofForm = (path = '') => at(`/forms/${sender.formId}${path}`);

beforeAll(async () => {
  world = await startBrowserWorld();
  const { service } = world;
  sender = await createSender(service);
  leadId = JSON.parse((await post(service, sender, 'server', someLead)).body).submission_id;
  const seed = new Seed(service);
  const rejected = { form_id: sender.formId, surface: 'webhook' };
  await seed.rejection(sender.workspaceId, new Date().toISOString(), 'signature_mismatch', rejected);
  await seed.stop();
  owner = await join(service, sender.workspaceId, 'olga@example.com', 'owner');
  member = await join(service, sender.workspaceId, 'max@example.com', 'member');
  await makeOperator(service, owner);
  emptyId = (await owner.api('POST', '/workspaces', { name: 'Empty' })).json.id;
  page = await world.open('/account', { person: owner });
  // Whether to leave unsaved changes.
  page.on('dialog', (question) => void question.accept().catch(() => {}));
});
afterAll(async () => {
  await world.stop();
  expect(world.faults).toEqual([]);
});

const button = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
const dialog = () => page.getByRole('dialog').waitFor();

async function openAt(path: string): Promise<void> {
  await turnTo(page, path);
  await loaded(page);
}

test.each<[state: string, path: () => string, open: () => Promise<void>]>([
  [
    'the account menu',
    () => at(),
    async () => {
      await button('Account and appearance');
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    },
  ],
  [
    'the list of workspaces',
    () => at(),
    async () => {
      await button('Switch workspace');
      await page.getByRole('menuitem', { name: 'New workspace' }).waitFor();
    },
  ],
  [
    'the export menu',
    () => at('/leads'),
    async () => {
      await button('Export');
      await page.getByRole('menuitem', { name: 'CSV of these columns' }).waitFor();
    },
  ],
  [
    'the choice of columns',
    () => at('/leads'),
    async () => {
      await button('Columns');
      await page.getByRole('button', { name: 'Reset' }).waitFor();
    },
  ],
  ['the dialog for a new token', () => at('/tokens'), () => button('Create token').then(dialog)],
  ['the dialog that revokes a token', () => at('/tokens'), () => button(/^Revoke/).then(dialog)],
  ['the dialog for a new API key', () => at('/api-keys'), () => button('Create API key').then(dialog)],
  ['the dialog for an invitation', () => at('/workspace'), () => button('Invite').then(dialog)],
  ['the dialog that removes a person', () => at('/workspace'), () => button('Remove max').then(dialog)],
  ['the dialog for a new secret', () => ofForm('/delivery'), () => button('Rotate secret').then(dialog)],
  ['the dialog for an example', () => ofForm(), () => button('Paste example').then(dialog)],
  [
    'a form with an error at an input',
    () => ofForm(),
    async () => {
      await button('Add field');
      await button('Save fields');
      await page.locator('[aria-invalid=true]').first().waitFor();
    },
  ],
  [
    'the details of a rejection',
    () => at('/tokens/diagnostics'),
    async () => {
      await page
        .getByRole('button', { name: /^Details of request/ })
        .first()
        .click();
      await page.locator('dl').first().waitFor();
    },
  ],
])('%s is accessible in light and dark', async (state, path, open) => {
  await openAt(path());
  await open();
  expect(await findingsInLightAndDark(page, state)).toEqual([]);
  await page.keyboard.press('Escape');
});

test('each tab of a lead is accessible in light and dark', async () => {
  await openAt(at(`/leads/${leadId}`));
  const drawer = page.getByRole('dialog');
  for (const tab of ['Fields', 'Score', 'Enrichment', 'Deliveries', 'History', 'Exact bytes']) {
    await drawer.getByRole('tab', { name: tab }).click();
    await drawer.getByRole('tabpanel').waitFor();
    expect(await findingsInLightAndDark(page, `lead ${tab}`)).toEqual([]);
  }
});

test.each([
  ['overview', () => ''],
  ['forms', () => '/forms'],
  ['leads', () => '/leads'],
  ['tokens', () => '/tokens'],
  ['diagnostics', () => '/tokens/diagnostics'],
  ['held', () => '/tokens/diagnostics/held'],
  ['debugger', () => '/debugger'],
  ['destinations', () => '/destinations'],
  ['deliveries', () => '/deliveries'],
  ['API keys', () => '/api-keys'],
])('an empty workspace is accessible in light and dark: %s', async (name, path) => {
  await openAt(`/w/${emptyId}${path()}`);
  expect(await findingsInLightAndDark(page, `empty ${name}`)).toEqual([]);
});

test('failures are accessible in light and dark, and Refresh fetches everything again', async () => {
  await page.route('**/api/v1/workspaces/**', (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', title: 'Broken', detail: 'It was logged.' } }),
  );
  await page.goto(at('/tokens'));
  await page.getByText('Something went wrong on our side').first().waitFor();
  expect(await findingsInLightAndDark(page, 'failure')).toEqual([]);
  await page.unroute('**/api/v1/workspaces/**');
  await page.keyboard.press('r');
  await page.getByRole('cell', { name: /^Backend/ }).waitFor();
  expect((await page.goto('/no/such/page'))?.status()).toBe(404);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  expect(await findingsInLightAndDark(page, 'not found')).toEqual([]);
});

const unknownId = '0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10';

test.each([
  ['lead', '/leads', ''],
  ['form', '/forms', ''],
  ['form', '/forms', '/scoring'],
  ['token', '/tokens', ''],
  ['destination', '/destinations', ''],
  ['delivery', '/deliveries', ''],
  ['alarm', '/alarms', ''],
  ['held submission', '/tokens/diagnostics/held', ''],
])(
  'an unknown %s is said not to exist, with a link to %s instead of another try',
  async (what, list, tab) => {
    await page.goto(at(`${list}/${unknownId}${tab}`));
    await page
      .getByText(`There is no such ${what}. It may no longer exist, or the link is incomplete.`)
      .waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(await findingsInLightAndDark(page, `no such ${what}`)).toEqual([]);
    await page.getByRole('link', { name: 'Open the list' }).click();
    await page.waitForURL(`**${at(list)}`);
  },
);

test('below 768 px a closed menu has no focus stops, an open one keeps the focus, and Escape returns it', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(at('/forms'));
  await page.getByRole('link', { name: 'Contact' }).waitFor();
  const where = () =>
    page.evaluate<string>(
      `(document.activeElement?.closest('header, nav, main, .skip, [class*=navbar]')?.tagName ?? 'none')`,
    );
  const stops = async () => {
    const places = new Set<string>();
    for (let i = 0; i < 30; i++) {
      await page.keyboard.press('Tab');
      places.add(await where());
    }
    return places;
  };
  expect(await stops()).not.toContain('NAV');
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await focused(page.getByRole('button', { name: 'Close menu' }));
  expect(await findingsInLightAndDark(page, 'phone menu')).toEqual([]);
  expect(await overflow(page)).toBe(0);
  const inside = await stops();
  expect(inside).toContain('NAV');
  expect(inside).not.toContain('MAIN');
  await page.getByRole('button', { name: 'Switch workspace' }).click();
  await page.getByRole('menuitem', { name: 'New workspace' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menuitem', { name: 'New workspace' }).waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Close menu' }).focus();
  await page.keyboard.press('Escape');
  await focused(page.getByRole('button', { name: 'Menu', exact: true }));
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('link', { name: 'Leads' }).click();
  await page.getByRole('heading', { name: 'Leads', level: 1 }).waitFor();
  await page.locator('[inert] > nav').waitFor({ state: 'attached' });
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('account and operator pages keep the navigation of the workspace that was visited last', async () => {
  await page.goto(`/w/${emptyId}/forms`);
  await page.getByRole('heading', { name: 'Forms', level: 1 }).waitFor();
  for (const path of ['/account', '/operator']) {
    await page.goto(path);
    await page.getByRole('button', { name: 'Switch workspace' }).getByText('Empty').waitFor();
    expect(await page.getByRole('link', { name: 'Leads' }).getAttribute('href')).toBe(`/w/${emptyId}/leads`);
  }
  await page.goto('/');
  await page.waitForURL(`**/w/${emptyId}`);
  await revisit(page, '/account', member);
  await page.getByRole('button', { name: 'Switch workspace' }).getByText('Workspace of').waitFor();
});

test('a member who opens a page for owners is told so, and sees no button that the API refuses', async () => {
  await revisit(page, at(), member);
  const shown = async (path: string) => {
    await openAt(path);
    await page.getByRole('heading', { name: 'Owners only' }).waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    return page.locator('nav [aria-current=page]').allInnerTexts();
  };
  for (const path of [
    '/tokens',
    '/tokens/diagnostics',
    '/tokens/diagnostics/held',
    '/debugger',
    '/enrichment',
    '/api-keys',
  ])
    expect(await shown(at(path))).toEqual([]);
  expect(await shown(ofForm('/delivery'))).toEqual(['Forms']);
  expect(await findingsInLightAndDark(page, 'owners only')).toEqual([]);
});

test('the page of the API reference is accessible as far as it is ours', async () => {
  await page.goto('/api/reference');
  await page.locator('#reference h1').first().waitFor();
  // Scalar's own component is in this element.
  expect(await seriousFindings(page, undefined, ['#reference'])).toEqual([]);
});

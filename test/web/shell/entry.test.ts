import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace } from '../../manage/leads/seed.ts';
import { goodPassword, invite, join } from '../../support/browser/browser.ts';
import { type BrowserWorld, seriousFindings, startBrowserWorld } from '../../support/browser/chromium.ts';
import { findingsInLightAndDark, revisit } from '../../support/browser/looks.ts';

const scriptBytesMax = 250_000;

let world: BrowserWorld;
/** The same window for everybody; each test begins with a visit. */
let page: Page;

beforeAll(async () => {
  world = await startBrowserWorld();
  await join(world.service, await createWorkspace(world.service), 'ada@example.com', 'owner');
  page = await world.open('/sign-in');
});
afterAll(() => world.stop());

test('somebody who is not signed in is asked to sign in, and the URL they wanted is kept', async () => {
  await revisit(page, '/w/74a402b1-c88d-4fe5-9c02-fa8c54a206b5/leads?q=ada');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(new URL(page.url()).searchParams.get('to')).toContain('/leads?q=ada');
});

test('the sign-in page loads at most 250 KB of compressed script, and nothing from elsewhere', async () => {
  const fresh = await world.open('/sign-in');
  await fresh.getByRole('button', { name: 'Sign in' }).waitFor();
  const bytes = await fresh.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry.name.endsWith('.js'))
      .reduce((sum, entry) => sum + (entry as unknown as { encodedBodySize: number }).encodedBodySize, 0),
  );
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThanOrEqual(scriptBytesMax);
  expect(world.faults).toEqual([]);
});

test.each(['ada@example.com', 'nobody@example.com'])(
  'a wrong password for %s gets the same text as an unknown email, and what was typed stays',
  async (email) => {
    await revisit(page, '/sign-in');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('not the one');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Wrong email or password.').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(email);
  },
);

test('somebody who signs in gets to the page they wanted, and can sign out again', async () => {
  await revisit(page, '/account');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  await page.getByText('This device').waitFor();
  await page.getByRole('button', { name: 'Account and appearance' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('an invitation creates an account and opens its workspace, and no other', async () => {
  const { service } = world;
  const workspaceId = await createWorkspace(service, 'Inviting');
  const foreignId = await createWorkspace(service, 'Foreign');
  await revisit(page, `/join#token=${await invite(service, workspaceId, 'grace@example.com', 'member')}`);
  await page.getByRole('heading', { name: 'Join Inviting' }).waitFor();
  await page.getByLabel('Your name').fill('Grace Hopper');
  await page.getByLabel('Choose a password').fill(goodPassword);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.waitForURL(`**/w/${workspaceId}`);
  await page.getByRole('link', { name: 'Leads' }).waitFor();
  expect(await page.getByRole('link', { name: 'Diagnostics' }).count()).toBe(0);
  await page.goto(`/w/${foreignId}/leads`);
  await page.getByText('Workspace not found').waitFor();
  expect(await page.content()).not.toContain('Foreign');
});

test('without a mail server, an owner hands over a new link of an invitation, and the old one ends', async () => {
  const { service } = world;
  const workspaceId = await createWorkspace(service, 'Handed');
  const owner = await join(service, workspaceId, 'hanna@example.com', 'owner');
  const old = await owner.api('POST', `/workspaces/${workspaceId}/invitations`, {
    email: 'ingo@example.com',
    role: 'member',
  });
  await revisit(page, `/w/${workspaceId}/workspace`, owner);
  await page.getByRole('button', { name: 'Create new link: ingo@example.com' }).click();
  const link = await page.getByRole('dialog').locator('pre').innerText();
  await page.getByRole('button', { name: 'Done' }).click();
  await revisit(page, old.json.link.replace(service.url, ''));
  await page.getByText('This invitation is no longer valid').waitFor();
  await revisit(page, link.replace(service.url, ''));
  await page.getByRole('heading', { name: 'Join Handed' }).waitFor();
});

test('a forgotten password is replaced by a link that an owner hands over', async () => {
  const { service } = world;
  const workspaceId = await createWorkspace(service, 'Forgetful');
  const owner = await join(service, workspaceId, 'olga@example.com', 'owner');
  await join(service, workspaceId, 'frank@example.com', 'member');
  await revisit(page, '/sign-in');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByText('This service does not send email. Ask an owner').waitFor();

  await revisit(page, `/w/${workspaceId}/workspace`, owner);
  await page.getByRole('button', { name: 'Reset password of frank' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = await page.getByRole('dialog').locator('pre').innerText();
  await page.getByRole('button', { name: 'Done' }).click();

  await revisit(page, link.replace(service.url, ''));
  await page.getByLabel('New password for frank@example.com').fill('password');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('must have at least 10 characters').waitFor();
  await page.getByLabel('New password for frank@example.com').fill('nine blue umbrellas');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('Email').fill('frank@example.com');
  await page.getByLabel('Password', { exact: true }).fill('nine blue umbrellas');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/w/${workspaceId}`);
  await revisit(page, link.replace(service.url, ''));
  await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
});

test('where email can be sent, anyone who asks for a link is told the same for every address', async () => {
  await revisit(page, '/sign-in');
  await page.route('**/api/v1/password-resets', (route) => route.fulfill({ json: { mailed: true } }));
  await page.goto('/forgot');
  await page.getByLabel('Email').fill('nobody@example.com');
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await page.getByText('If nobody@example.com has an account').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.unroute('**/api/v1/password-resets');
});

test.each([
  ['/sign-in', 'Sign in'],
  ['/setup#token=abc', 'Already set up'],
  ['/forgot', 'Forgot password?'],
  ['/reset#token=abc', 'This link is no longer valid'],
])('%s, which needs no session, is accessible in light and dark', async (path, heading) => {
  await revisit(page, path);
  await page.getByRole('heading', { name: heading }).waitFor();
  expect(await findingsInLightAndDark(page, heading)).toEqual([]);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace } from '../manage/seed.ts';
import { goodPassword, invite, join } from '../support/browser.ts';
import { type BrowserWorld, seriousFindings, startBrowserWorld } from '../support/chromium.ts';
import { findingsInLightAndDark } from '../support/looks.ts';

const scriptBytesMax = 250_000;

let world: BrowserWorld;

beforeAll(async () => {
  world = await startBrowserWorld();
  await join(world.service, await createWorkspace(world.service), 'ada@example.com', 'owner');
});
afterAll(() => world.stop());

test('a stranger who opens any page is asked to sign in, and the way back is kept', async () => {
  const page = await world.open('/w/74a402b1-c88d-4fe5-9c02-fa8c54a206b5/leads?q=ada');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(new URL(page.url()).searchParams.get('to')).toContain('/leads?q=ada');
});

test('the sign-in page loads at most 250 KB of compressed script, and nothing from elsewhere', async () => {
  const page = await world.open('/sign-in');
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  const bytes = await page.evaluate(() =>
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
  'a wrong password for %s gets the same words as an unknown address, and what was typed stays',
  async (email) => {
    const page = await world.open('/sign-in');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('not the one');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('do not belong together').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(email);
  },
);

test('somebody who signs in comes to the page he wanted, and signs out again', async () => {
  const page = await world.open('/account');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  await page.getByText('Like this one').waitFor();
  await page.getByRole('button', { name: 'Account and look' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('an invitation makes an account and opens the workspace, and no other', async () => {
  const { service } = world;
  const workspaceId = await createWorkspace(service, 'Inviting');
  const foreignId = await createWorkspace(service, 'Foreign');
  const page = await world.open(
    `/join#token=${await invite(service, workspaceId, 'grace@example.com', 'member')}`,
  );
  await page.getByRole('heading', { name: 'Join Inviting' }).waitFor();
  await page.getByLabel('Your name').fill('Grace Hopper');
  await page.getByLabel('Choose a password').fill(goodPassword);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.waitForURL(`**/w/${workspaceId}`);
  await page.getByRole('link', { name: 'Leads' }).waitFor();
  expect(await page.getByRole('link', { name: 'Diagnostics' }).count()).toBe(0);
  await page.goto(`/w/${foreignId}/leads`);
  await page.getByText('There is no such workspace here').waitFor();
  expect(await page.content()).not.toContain('Foreign');
});

test('a forgotten password: an owner hands over a link, and it opens the account with the new one', async () => {
  const { service } = world;
  const workspaceId = await createWorkspace(service, 'Forgetful');
  const owner = await join(service, workspaceId, 'olga@example.com', 'owner');
  await join(service, workspaceId, 'frank@example.com', 'member');
  const start = await world.open('/sign-in');
  await start.getByRole('link', { name: 'Forgot password?' }).click();
  await start.getByText('This service sends no mail. Ask an owner').waitFor();

  const page = await world.open(`/w/${workspaceId}/workspace`, { person: owner });
  await page.getByRole('button', { name: 'New password for frank' }).click();
  await page.getByRole('button', { name: 'Make the link' }).click();
  const link = await page.getByRole('dialog').locator('pre').innerText();
  await page.getByRole('button', { name: 'Done' }).click();

  const visitor = await world.open(link.replace(service.url, ''));
  await visitor.getByLabel('New password for frank@example.com').fill('password');
  await visitor.getByRole('button', { name: 'Set the password' }).click();
  await visitor.getByText('must have at least 10 characters').waitFor();
  await visitor.getByLabel('New password for frank@example.com').fill('nine blue umbrellas');
  await visitor.getByRole('button', { name: 'Set the password' }).click();
  await visitor.getByRole('link', { name: 'Sign in with it' }).click();
  await visitor.getByLabel('Email').fill('frank@example.com');
  await visitor.getByLabel('Password', { exact: true }).fill('nine blue umbrellas');
  await visitor.keyboard.press('Enter');
  await visitor.waitForURL(`**/w/${workspaceId}`);
  const again = await world.open(link.replace(service.url, ''));
  await again.getByRole('heading', { name: 'This link has ended' }).waitFor();
});

test('where letters can be sent, whoever asks for a link is told the same for every address', async () => {
  const page = await world.open('/sign-in');
  await page.route('**/api/v1/password-resets', (route) => route.fulfill({ json: { mailed: true } }));
  await page.goto('/forgot');
  await page.getByLabel('Email').fill('nobody@example.com');
  await page.getByRole('button', { name: 'Mail me a link' }).click();
  await page.getByText('If nobody@example.com has an account').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
});

test.each([
  ['/sign-in', 'Sign in'],
  ['/setup#token=abc', 'Already set up'],
  ['/forgot', 'Forgot password?'],
  ['/reset#token=abc', 'This link has ended'],
])('%s, which needs no session, is accessible in light and dark', async (path, heading) => {
  const page = await world.open(path);
  await page.getByRole('heading', { name: heading }).waitFor();
  expect(await findingsInLightAndDark(page, heading)).toEqual([]);
});

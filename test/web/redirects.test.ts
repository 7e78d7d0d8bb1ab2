import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownAddress } from '../../web/parts/own-address.ts';
import { createWorkspace } from '../manage/leads/seed.ts';
import { goodPassword, invite, join } from '../support/browser/browser.ts';
import { type BrowserWorld, startBrowserWorld } from '../support/browser/chromium.ts';
import { revisit } from '../support/browser/looks.ts';

let world: BrowserWorld;
let home: string;
let page: Page;

beforeAll(async () => {
  world = await startBrowserWorld();
  home = await createWorkspace(world.service, 'Home');
  await join(world.service, home, 'ada@example.com', 'owner');
  page = await world.open('/sign-in');
});
afterAll(() => world.stop());

async function signIn(): Promise<void> {
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill(goodPassword);
  await page.keyboard.press('Enter');
}

/** Every URL that the page requested, without its fragment, which is never sent. */
function requested(): string[] {
  const urls: string[] = [];
  page.on('request', (request) =>
    urls.push(`${request.url().split('#')[0]} ${request.headers().referer ?? ''}`),
  );
  return urls;
}

const hostile = [
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\n/evil.example/x',
  '/\\evil.example',
  '/\t\\evil.example',
  '\\\\evil.example',
  '//evil.example',
  '\t//evil.example',
  ' //evil.example',
  '///evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  'https://evil.example/',
  'https:evil.example',
  'javascript:alert(1)',
  'data:text/html,hello',
  'blob:http://127.0.0.1:3000/1',
  'http://127.0.0.1:3000@evil.example/',
  'http://127.0.0.1:3001/',
  'ftp://127.0.0.1:3000/',
  'http://[',
];

test.each(hostile)('%j leads to a path on our own origin, whatever parses it next', (given) => {
  const origin = 'http://127.0.0.1:3000';
  const address = ownAddress(given, origin);
  expect(address).toMatch(/^\/(?![/\\])/);
  expect(new URL(address, origin).origin).toBe(origin);
});

test.each(['/%09/evil.example', 'https://evil.example/'])(
  'somebody who signs in at /sign-in?to=%s stays on our origin',
  async (to) => {
    const before = world.faults.length;
    await revisit(page, `/sign-in?to=${to}`);
    // Stands in for another site, so that a page that goes there can be noticed.
    await page.route(/evil\.example\//, (route) =>
      route.request().url().startsWith(world.service.url)
        ? route.fallback()
        : route.fulfill({ body: '<h1>Elsewhere</h1>', contentType: 'text/html' }),
    );
    await signIn();
    await page
      .getByRole('heading', { name: 'Elsewhere' })
      .or(page.getByRole('link', { name: 'Leads' }))
      .or(page.getByText('Page not found'))
      .first()
      .waitFor();
    expect(new URL(page.url()).origin).toBe(new URL(world.service.url).origin);
    expect(world.faults.slice(before)).toEqual([]);
    await page.unrouteAll({ behavior: 'wait' });
  },
);

test('one of our own paths is followed with its query', async () => {
  await revisit(page, `/sign-in?to=${encodeURIComponent(`/w/${home}/leads?q=ada`)}`);
  await signIn();
  await page.waitForURL(`**/w/${home}/leads?q=ada`);
});

test('the token of an invitation is in no requested URL and in no referrer while somebody signs in', async () => {
  const workspaceId = await createWorkspace(world.service, 'Second');
  const token = await invite(world.service, workspaceId, 'ada@example.com', 'member');
  await revisit(page, '/sign-in');
  const urls = requested();
  await page.goto(`/join#token=${token}`);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(new URL(page.url()).search).not.toContain(token);
  await signIn();
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('link', { name: 'Leads' }).waitFor();
  expect(urls.length).toBeGreaterThan(5);
  expect(urls.filter((url) => url.includes(token))).toEqual([]);
});

test.each([
  ['/join?token=', 'Join Third'],
  ['/sign-in?to=%2Fjoin%23token%3D', 'Sign in'],
])('a token in the query of %s is moved out of it before any other request', async (start, heading) => {
  const workspaceId = await createWorkspace(world.service, 'Third');
  const token = await invite(world.service, workspaceId, 'new@example.com', 'member');
  await revisit(page, '/sign-in');
  const urls = requested();
  await page.goto(`${start}${token}`);
  await page.getByRole('heading', { name: heading }).waitFor();
  const { search, hash } = new URL(page.url());
  expect(search).not.toContain(token);
  expect(hash).toBe(`#token=${token}`);
  // Once: the URL that was typed.
  expect(urls.filter((url) => url.includes(token))).toHaveLength(1);
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSections } from '../../site/pages.ts';
import { picturesIn } from '../../site/site.ts';
import { rejectionReasons } from '../../src/domain/rejection.ts';
import {
  type BrowserWorld,
  type Look,
  seriousFindings,
  startBrowserWorld,
} from '../support/browser/chromium.ts';
import { picture } from '../support/browser/picture.ts';

let world: BrowserWorld;
/** Shared by all tests; each one starts with a visit. */
let page: Page;
beforeAll(async () => {
  world = await startBrowserWorld();
  page = await world.open('/docs');
});
afterAll(() => world.stop());

/** Opens a page as a first-time visitor. */
async function visit(path: string, { scheme = 'light', width = 1280 }: Look = {}): Promise<void> {
  await page.evaluate('localStorage.clear()');
  await page.emulateMedia({ colorScheme: scheme });
  await page.setViewportSize({ width, height: 900 });
  await page.goto(path);
}

const sections = readSections();
const pages = sections.flatMap((section) => section.pages);
// Each kind of page once, and each look once.
const looks: [string, Look, string[]][] = [
  ['light', { scheme: 'light' }, ['/docs/quickstart', '/docs/rejection-reasons']],
  ['dark', { scheme: 'dark' }, ['/docs/configuration']],
  ['on a phone', { width: 390 }, ['/docs/recipes/html-form']],
];

interface SeenPicture {
  readonly address: string;
  readonly alt: string;
  /** 0 if the image did not load. */
  readonly width: number;
  /** Its aspect ratio on the page, divided by that of the file. */
  readonly ratio: number;
}

/** The images of a page once they have loaded, including those out of sight. */
function seenPictures(): Promise<SeenPicture[]> {
  return page.evaluate(`Promise.all([...document.querySelectorAll('article img')].map(async (picture) => {
    picture.loading = 'eager';
    await picture.decode().catch(() => undefined);
    const { src, alt, naturalWidth, naturalHeight, clientWidth, clientHeight } = picture;
    const ratio = clientWidth / clientHeight / (naturalWidth / naturalHeight);
    return { address: src, alt, width: naturalWidth, ratio };
  }))`);
}

describe.each(looks)('the documentation, %s,', (name, look, paths) => {
  test.each(paths)('shows %s without accessibility problems', async (path) => {
    await visit(path, look);
    expect(await seriousFindings(page)).toEqual([]);
    await picture(page, `${path.slice(1).replaceAll('/', '-')}-${name.replaceAll(' ', '-')}`);
  });
});

/**
 * The pages that show no title or scroll sideways. All pages have the same styles, so only the body is replaced. The code is a
 * string because it runs in the browser, whose types Node does not have.
 */
function pagesThatDoNotFit(addresses: readonly string[]): Promise<string[]> {
  return page.evaluate(`(async () => {
    const { documentElement } = document;
    const wrong = [];
    for (const address of ${JSON.stringify(addresses)}) {
      const html = await (await fetch(address)).text();
      document.body.replaceWith(new DOMParser().parseFromString(html, 'text/html').body);
      const isShown = document.querySelector('article h1')?.checkVisibility();
      if (!isShown || documentElement.scrollWidth > documentElement.clientWidth) wrong.push(address);
    }
    return wrong;
  })()`);
}

test('no page is wider than a phone', async () => {
  await visit('/docs', { width: 390 });
  expect(await pagesThatDoNotFit(pages.map(({ address }) => address))).toEqual([]);
});

test('the search finds a page by a word of its title, and a section by its heading', async () => {
  await visit('/docs');
  await page.keyboard.press('/');
  const input = page.getByRole('combobox', { name: 'Search the documentation' });
  await input.fill('idempotency');
  await page.getByRole('option').first().waitFor();
  expect(await page.getByRole('option').first().getAttribute('href')).toBe('/docs/idempotency');
  await input.fill('test vector');
  await page.getByRole('option', { name: 'A test vector' }).first().waitFor();
  expect(
    await seriousFindings(page, ['aria-required-children', 'aria-valid-attr-value', 'color-contrast']),
  ).toEqual([]);
  await input.press('Enter');
  await page.waitForURL('**/docs/signing#a-test-vector');
  await input.waitFor({ state: 'hidden' });
});

test('the search says when there are no results', async () => {
  await visit('/docs');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('combobox').fill('zzzzqqqq');
  await page.getByText('No results.').waitFor();
});

test('code and links to headings can be copied', async () => {
  // In a new window, because the fake clock cannot be removed.
  const page = await world.open('/docs/quickstart');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => page.evaluate('navigator.clipboard.readText()');
  // "Copied" disappears after a while, so time stands still until it has been seen.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await copied()).toBe('npm ci && npm start');
  await page.clock.runFor(2_000);
  await page.getByRole('button', { name: 'Copied' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: /Copy link to “Next”/ }).click();
  await page.waitForURL('**/docs/quickstart#next');
  await expect.poll(copied, { timeout: 60_000 }).toBe(`${world.service.url}/docs/quickstart#next`);
  await page.context().close();
});

test('on a phone the navigation opens over the page and leads to the next one', async () => {
  await visit('/docs', { width: 390 });
  const link = page
    .getByRole('navigation', { name: 'Documentation' })
    .getByRole('link', { name: 'Quickstart' });
  expect(await link.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Pages' }).click();
  await link.click();
  await page.waitForURL('**/docs/quickstart');
  await page.getByRole('link', { name: 'Next Concepts' }).click();
  await page.waitForURL('**/docs/concepts');
});

test('the choice of light or dark is kept', async () => {
  await visit('/docs', { scheme: 'light' });
  await page.getByRole('button', { name: 'Switch between light and dark' }).click();
  await page.goto('/docs/limits');
  expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
});

test('every page of the navigation is served, without any inline script or style', async () => {
  for (const { address, title } of pages) {
    const answer = await fetch(world.service.url + address);
    expect([address, answer.status]).toEqual([address, 200]);
    const html = await answer.text();
    expect(html).toContain(`aria-current="page"`);
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=/);
    expect(title).not.toBe('');
  }
});

test('every image of a page is served, keeps its aspect ratio and has a description', async () => {
  await visit('/docs');
  const seen: SeenPicture[] = [];
  for (const { address } of pages.filter(({ markdown }) => picturesIn(markdown).length > 0)) {
    await page.goto(address);
    seen.push(...(await seenPictures()));
  }
  const isFine = ({ width, ratio, alt }: SeenPicture) =>
    width > 0 && Math.abs(ratio - 1) < 0.02 && alt !== '';
  expect(seen.filter((picture) => !isFine(picture))).toEqual([]);
  expect(seen.length).toBe(pages.flatMap(({ markdown }) => picturesIn(markdown)).length);
  const one = await fetch(`${world.service.url}/docs/pictures/overview.webp`);
  expect([one.status, one.headers.get('content-type')]).toEqual([200, 'image/webp']);
});

test('the policy allows no inline code and no other host', async () => {
  const answer = await fetch(`${world.service.url}/docs`);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
  expect(policy).not.toContain('unsafe');
  expect(policy).not.toContain('http');
});

test('a missing page gives 404, and the file of the relay is served', async () => {
  const missing = await fetch(`${world.service.url}/docs/nothing`);
  expect(missing.status).toBe(404);
  expect(await missing.text()).toContain('Page not found');
  const relay = await fetch(`${world.service.url}/docs/files/clients/relay/relay.mjs.txt`);
  expect(relay.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await relay.text()).toContain('export default relay');
  expect((await fetch(`${world.service.url}/docs/..%2f..%2fpackage.json`)).status).toBe(404);
});

test('the former page of each rejection reason redirects to its section', async () => {
  const at = (path: string) => fetch(world.service.url + path, { redirect: 'manual' });
  const sections = await (await at('/docs/rejection-reasons')).text();
  for (const { code, anchor } of rejectionReasons) {
    for (const ending of ['', '/', '.html', '.md']) {
      const { status, headers } = await at(`/docs/reasons/${code}${ending}`);
      expect([status, headers.get('location')]).toEqual([301, `/docs/rejection-reasons#${anchor}`]);
    }
    expect(sections).toContain(`id="${anchor}"`);
  }
  expect((await at('/docs/reasons/no_such_reason')).status).toBe(404);
  expect((await at('/docs/reasons')).status).toBe(404);
});

test('no page violated the policy, failed, or contacted another server', () => {
  expect(world.faults).toEqual([]);
});

import type { Page } from 'playwright-core';
import type { Browser as Person } from './browser.ts';
import { type BrowserWorld, type Look, seriousFindings } from './chromium.ts';
import { picture } from './picture.ts';

/** A response without a script. */
const plainPath = '/api/v1/setup';

/** What axe finds in the light and the dark theme. Only colours differ, so the dark one needs only the colour rules. */
export async function findingsInLightAndDark(page: Page, pictureName: string): Promise<string[]> {
  await picture(page, `${pictureName}-light`);
  const inLight = await seriousFindings(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
  await picture(page, `${pictureName}-dark`);
  const inDark = await seriousFindings(page, ['color-contrast', 'link-in-text-block']);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.locator('html[data-mantine-color-scheme=light]').waitFor();
  return [...inLight, ...inDark];
}

/** By how many pixels a page is wider than its window. Nobody should have to scroll sideways, not even on a phone. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/**
 * Opens a window whose time can be moved with `page.clock.fastForward`, for pages that poll. Opens a plain page first, so
 * that the timers are replaced before the real page starts any.
 */
export async function openWithClock(world: BrowserWorld, path: string, look: Look): Promise<Page> {
  const page = await world.open(plainPath, look);
  await page.clock.install();
  await page.goto(path);
  return page;
}

/**
 * Continues in the same window as another person, or signed out, without any state of the previous person. A new window
 * would load and compile all scripts of the settings area again, which takes most of the time of a short test.
 */
export async function revisit(page: Page, path: string, person?: Person): Promise<void> {
  const { origin } = new URL(page.url());
  // Leaves the page first, so that a URL that differs only after the # is loaded too, and no pending request sets a cookie
  // later. Stays on the same service, because another site would start another browser process.
  await page.goto(plainPath);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.context().clearCookies();
  const cookies = [...(person?.cookies ?? [])].map(([name, value]) => ({ name, value, url: origin }));
  await page.context().addCookies(cookies);
  await page.goto(path);
}

/**
 * Navigates to another page of the settings area as a link does, without a reload, and waits until it is shown. The router
 * exposes itself under this name for its development tools.
 */
export async function turnTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} })`);
  await page.waitForFunction(
    `__TSR_ROUTER__.state.status === 'idle' && __TSR_ROUTER__.state.resolvedLocation?.href === ${JSON.stringify(path)}`,
  );
}

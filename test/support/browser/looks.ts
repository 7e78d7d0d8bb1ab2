import type { Page } from 'playwright-core';
import type { Browser as Person } from './browser.ts';
import { type BrowserWorld, type Look, seriousFindings } from './chromium.ts';
import { picture } from './picture.ts';

/** An answer without a script. */
const plainPath = '/api/v1/setup';

/** What axe finds in a page that is shown in light, and then in dark: between the two nothing but colours differs. */
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

/** By how many pixels a page is wider than the window: on a phone, too, nobody should have to scroll sideways. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/**
 * A window whose time can be moved with `page.clock.fastForward`, for pages that ask again by themselves. Timers are
 * replaced before the page has any, hence the detour.
 */
export async function openWithClock(world: BrowserWorld, path: string, look: Look): Promise<Page> {
  const page = await world.open(plainPath, look);
  await page.clock.install();
  await page.goto(path);
  return page;
}

/**
 * Goes on in the same window as somebody else, or as a stranger, with nothing kept of who was here before. A new window
 * reads and compiles all scripts of the settings area again, which is most of what a short test takes.
 */
export async function revisit(page: Page, path: string, person?: Person): Promise<void> {
  const { origin } = new URL(page.url());
  // Leaves the page, so that an address that differs behind the # alone is loaded too, and no call sets a cookie later;
  // to an answer of the same service, because another site would get, and leave, another process.
  await page.goto(plainPath);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.context().clearCookies();
  const cookies = [...(person?.cookies ?? [])].map(([name, value]) => ({ name, value, url: origin }));
  await page.context().addCookies(cookies);
  await page.goto(path);
}

/**
 * Goes to another page of the settings area in the way a link does, whose scripts and frame stay, and waits until it
 * is shown. The router offers itself to its development tools by this name.
 */
export async function turnTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} })`);
  await page.waitForFunction(
    `__TSR_ROUTER__.state.status === 'idle' && __TSR_ROUTER__.state.resolvedLocation?.href === ${JSON.stringify(path)}`,
  );
}

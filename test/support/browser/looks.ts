import type { Page } from 'playwright-core';
import type { Browser as Person } from './browser.ts';
import { type BrowserWorld, type Look, seriousFindings } from './chromium.ts';
import { picture } from './picture.ts';

// As text, because only the browser has what they use.
const placeholderScript = `(() => {
  // A canvas turns any notation of a colour into bytes, and mixes those that are transparent.
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const luminance = (...layers) => {
    for (const colour of layers) {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
    }
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) => {
      const part = byte / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) =>
    element === null ? ['white'] : [...behind(element.parentElement), getComputedStyle(element).backgroundColor];
  return [...document.querySelectorAll('[placeholder]:not(:disabled)')]
    .filter((input) => input.checkVisibility() && input.value === '' && input.placeholder !== '')
    .flatMap((input) => {
      const { color } = getComputedStyle(input, '::placeholder');
      const [dark, light] = [luminance(...behind(input)), luminance(...behind(input), color)].sort((a, b) => a - b);
      const contrast = (light + 0.05) / (dark + 0.05);
      return contrast < 4.5 ? ['placeholder ' + input.placeholder + ': ' + color + ' has ' + contrast] : [];
    });
})()`;
const outsideScript = `[...document.querySelectorAll('main :is(button, a, input)')]
  .filter((element) => element.checkVisibility() && element.closest('.lead-table, pre') === null)
  .filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return width > 0 && (left < -1 || right > innerWidth + 1);
  })
  .map((element) => element.ariaLabel ?? element.textContent)`;

/** A response without a script. */
const plainPath = '/api/v1/setup';

/** What axe finds in the light and the dark theme. Only colours differ, so the dark one needs only the colour rules. */
export async function findingsInLightAndDark(page: Page, pictureName: string): Promise<string[]> {
  await picture(page, `${pictureName}-light`);
  const inLight = [...(await seriousFindings(page)), ...(await faintPlaceholders(page))];
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
  await picture(page, `${pictureName}-dark`);
  const inDark = [
    ...(await seriousFindings(page, ['color-contrast', 'link-in-text-block'])),
    ...(await faintPlaceholders(page)),
  ];
  await page.emulateMedia({ colorScheme: 'light' });
  await page.locator('html[data-mantine-color-scheme=light]').waitFor();
  return [...inLight, ...inDark];
}

/** The placeholders whose contrast is below 4.5:1, which axe does not check. */
function faintPlaceholders(page: Page): Promise<string[]> {
  return page.evaluate(placeholderScript);
}

/** The actions of a page that one would have to scroll sideways to reach. */
export function actionsOutside(page: Page): Promise<string[]> {
  return page.evaluate(outsideScript);
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

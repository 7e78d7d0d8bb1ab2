import type { Browser, BrowserContext, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { sharedBrowser } from '../support/browser/chromium.ts';

/** What a page heard from the SDK. */
export interface Told {
  readonly event: 'leadgate:accepted' | 'leadgate:failed';
  readonly detail: { readonly submission_id?: string; readonly reason?: string };
  /** `FORM`, or undefined for the window. */
  readonly target?: string;
}

/** A visitor with their own browser profile, on one page. */
export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Over all pages that the visitor opens in this tab. */
  readonly told: Told[];
  /** The paths that the page has posted to, preflights left out. */
  readonly posted: string[];
  /** Script errors, and what the page's policy refused. */
  readonly problems: string[];
}

// As text, because only the browser has what it uses. Playwright runs it even where the page's policy allows no script.
const listenScript = `for (const event of ['leadgate:accepted', 'leadgate:failed'])
  addEventListener(event, ({ detail, target }) => tell({ event, detail, target: target.tagName }));`;

export async function visit(
  url: string,
  options: { readonly isScriptOff?: boolean; readonly browser?: Browser } = {},
): Promise<Visit> {
  const browser = options.browser ?? (await sharedBrowser());
  const context = await browser.newContext({ javaScriptEnabled: !options.isScriptOff });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(60_000);
  const [told, posted, problems]: [Told[], string[], string[]] = [[], [], []];
  await context.exposeBinding('tell', (_, message: Told) => void told.push(message));
  await context.addInitScript(listenScript);
  const page = await context.newPage();
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/i.test(message.text())) problems.push(message.text());
  });
  page.on('request', (request) => {
    if (request.method() === 'POST') posted.push(new URL(request.url()).pathname);
  });
  await page.goto(url);
  return { page, context, told, posted, problems };
}

import axe, { type AxeResults, type RunOptions } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { startTestService, type TestService, type TestServiceOptions } from '../service.ts';
import type { Browser as Person } from './browser.ts';
import { findChromium } from './find-chromium.ts';

// Long, because a browser on a busy machine is slow. No test depends on this time.
const waitMsMax = 60_000;

/** A name of this machine that Chromium does not trust like localhost. */
export const plainHost = 'plain-http.test';

/** The service with its settings area, and a browser to open it with. */
export interface BrowserWorld {
  readonly service: TestService;
  /** Opens a new window. Errors in it are added to `faults`. */
  open(path: string, look?: Look): Promise<Page>;
  /** Script errors, violations of the Content-Security-Policy, and requests to other hosts. */
  readonly faults: string[];
  /** Stops the service and leaves the windows open. Its database must be another service's, which outlives it. */
  down(): Promise<void>;
  /** Starts it again at the same URL. */
  up(): Promise<void>;
  stop(): Promise<void>;
}

export interface Look {
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  /** Under `plainHost` pages have no secure context, as on plain HTTP outside localhost. */
  readonly host?: typeof plainHost;
  /** The person who is signed in, if any. */
  readonly person?: Person;
  /** As set in the browser: pages are not fetched ahead. */
  readonly savesData?: true;
}

export async function startBrowserWorld(options: TestServiceOptions = {}): Promise<BrowserWorld> {
  const start = (env: Record<string, string> = {}) =>
    startTestService({
      webApp: inject('webApp'),
      docsSite: inject('docsSite'),
      ...options,
      env: { ...options.env, ...env },
    });
  let service = await start();
  let isUp = true;
  const browser = await sharedBrowser();
  const contexts: BrowserContext[] = [];
  const faults: string[] = [];
  const down = async () => {
    if (isUp) await service.stop();
    isUp = false;
  };
  return {
    get service() {
      return service;
    },
    faults,
    async open(path, look = {}) {
      const url = look.host === undefined ? service.url : service.url.replace(/[^/]+(?=:\d+$)/, look.host);
      const context = await openContext(browser, url, look);
      contexts.push(context);
      return openPage(context, url, faults, path);
    },
    down,
    async up() {
      service = await start({ PORT: new URL(service.url).port });
      isUp = true;
    },
    async stop() {
      for (const context of contexts) await context.close();
      await down();
    },
  };
}

let shared: Promise<Browser> | undefined;

/** One browser for all files of a worker; Playwright ends it with the process. Windows of two worlds share nothing. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-dev-shm-usage', `--host-resolver-rules=MAP ${plainHost} 127.0.0.1`],
    timeout: waitMsMax,
  });
  return shared;
}

async function openContext(
  browser: Browser,
  url: string,
  { scheme = 'light', width = 1280, person, savesData }: Look,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: url,
    colorScheme: scheme,
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(waitMsMax);
  if (savesData)
    await context.addInitScript(
      `Object.defineProperty(navigator, 'connection', { value: { saveData: true } })`,
    );
  const cookies = [...(person?.cookies ?? [])].map(([name, value]) => ({ name, value, url }));
  await context.addCookies(cookies);
  return context;
}

async function openPage(context: BrowserContext, url: string, faults: string[], path: string): Promise<Page> {
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/i.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(?:data|blob):/.test(request.url()))
      faults.push(`a request left the service: ${request.url()}`);
  });
  await page.goto(path);
  return page;
}

/** Waits until all parts of the page have loaded. */
export function loaded(page: Page): Promise<void> {
  return page.locator('[aria-label=Loading]').first().waitFor({ state: 'detached' });
}

/**
 * Waits until an element has the focus. A dialog takes the focus a moment after it is shown, even if a test has focused
 * another element by then, and input would go to the wrong place.
 */
export function focused(element: Locator): Promise<void> {
  return element.and(element.page().locator(':focus')).waitFor();
}

/**
 * The serious accessibility problems that axe finds once the page has loaded, one line each. `rules` limits the checks, and
 * `without` names what is not ours to change.
 */
export async function seriousFindings(
  page: Page,
  rules?: readonly string[],
  without: readonly string[] = [],
): Promise<string[]> {
  await loaded(page);
  // Once per document, because loading axe takes about as long as checking a small page.
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(axe.source);
  const options: RunOptions = {
    // Listing all elements that pass takes several times as long as the checks.
    resultTypes: ['violations'],
    ...(rules === undefined
      ? // The slowest of the rules that are never serious.
        { rules: { region: { enabled: false } } }
      : { runOnly: { type: 'rule', values: [...rules] } }),
  };
  const violations = await page.evaluate<AxeResults['violations']>(
    `axe.run({ include: document, exclude: ${JSON.stringify(without)} }, ${JSON.stringify(options)}).then((results) => results.violations)`,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
    );
}

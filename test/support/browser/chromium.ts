import axe, { type AxeResults, type RunOptions } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { startTestService, type TestService, type TestServiceOptions } from '../service.ts';
import type { Browser as Person } from './browser.ts';
import { findChromium } from './find-chromium.ts';

// A browser on a busy machine takes its time; nothing in these tests depends on how long.
const waitMsMax = 60_000;

/** The service with its settings area, and a browser to look at it. */
export interface BrowserWorld {
  readonly service: TestService;
  /** A new window. What goes wrong in it is added to `faults`. */
  open(path: string, look?: Look): Promise<Page>;
  /** Errors of scripts, refused by the Content-Security-Policy, or requests that leave the service. */
  readonly faults: string[];
  stop(): Promise<void>;
}

export interface Look {
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  /** Who is signed in; nobody when it is left out. */
  readonly person?: Person;
}

export async function startBrowserWorld(options: TestServiceOptions = {}): Promise<BrowserWorld> {
  const service = await startTestService({
    webApp: inject('webApp'),
    docsSite: inject('docsSite'),
    ...options,
  });
  const browser = await sharedBrowser();
  const contexts: BrowserContext[] = [];
  const faults: string[] = [];
  return {
    service,
    faults,
    async open(path, look = {}) {
      const context = await openContext(browser, service, look);
      contexts.push(context);
      return openPage(context, service, faults, path);
    },
    async stop() {
      for (const context of contexts) await context.close();
      await service.stop();
    },
  };
}

let shared: Promise<Browser> | undefined;

/** One for all files of a worker; Playwright ends it with the process. Windows of two worlds share nothing. */
function sharedBrowser(): Promise<Browser> {
  shared ??= chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    timeout: waitMsMax,
  });
  return shared;
}

async function openContext(
  browser: Browser,
  service: TestService,
  { scheme = 'light', width = 1280, person }: Look,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: service.url,
    colorScheme: scheme,
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(waitMsMax);
  const cookies = [...(person?.cookies ?? [])].map(([name, value]) => ({ name, value, url: service.url }));
  await context.addCookies(cookies);
  return context;
}

async function openPage(
  context: BrowserContext,
  service: TestService,
  faults: string[],
  path: string,
): Promise<Page> {
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/i.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(service.url) && !/^(?:data|blob):/.test(request.url()))
      faults.push(`a request left the service: ${request.url()}`);
  });
  await page.goto(path);
  return page;
}

/** Waits until no part of the page is on its way any more. */
export function loaded(page: Page): Promise<void> {
  return page.locator('[aria-label=Loading]').first().waitFor({ state: 'detached' });
}

/**
 * Waits until an element has the focus. A dialog takes it a moment after it is shown, and then takes it away from
 * wherever a test has put it: what is typed next would go to the wrong place.
 */
export function focused(element: Locator): Promise<void> {
  return element.and(element.page().locator(':focus')).waitFor();
}

/** What axe finds that keeps people out, in a line each, once all is there; `rules` narrows what it looks for. */
export async function seriousFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  await loaded(page);
  // Reading axe takes about as long as a small page: a document gets it once.
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(axe.source);
  const options: RunOptions = {
    // Naming each element that passes takes several times as long as looking.
    resultTypes: ['violations'],
    ...(rules === undefined
      ? // The most expensive of the rules that are never serious.
        { rules: { region: { enabled: false } } }
      : { runOnly: { type: 'rule', values: [...rules] } }),
  };
  const violations = await page.evaluate<AxeResults['violations']>(
    `axe.run(document, ${JSON.stringify(options)}).then((results) => results.violations)`,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
    );
}

import { readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { AnyRouter } from '@tanstack/react-router';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { readRouter } from '../../scripts/web-routes.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let router: AnyRouter;

beforeAll(async () => {
  service = await startTestService({
    webApp: inject('webApp'),
    docsSite: inject('docsSite'),
    sdk: inject('sdk'),
  });
  router = await readRouter();
});
afterAll(() => service.stop());

const get = (path: string, init: RequestInit = {}) => fetch(service.url + path, init);

async function scriptPath(): Promise<string> {
  return /src="(\/assets\/[^"]+\.js)"/.exec(await (await get('/')).text())?.[1] ?? '';
}

async function expectPage(path: string, status: number): Promise<void> {
  const response = await get(path);
  expect([path, response.status]).toEqual([path, status]);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.text()).toContain('<div id="app">');
  const head = await get(path, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([status, '']);
}

/** A path of this route. */
const pathOf = (route: string, value: string) => route.replaceAll(/\$\w+/g, value);

test('every path of the router is the page of the settings area, so that deep links work', async () => {
  const routes = Object.keys(router.routesByPath);
  expect(routes).toEqual(expect.arrayContaining(['/', '/sign-in', '/w/$workspaceId/leads/$leadId']));
  for (const route of routes) {
    await expectPage(pathOf(route, '74a402b1-c88d-4fe5-9c02-fa8c54a206b5'), 200);
    await expectPage(`${pathOf(route, 'x%2Fy.z')}?q=ada`, 200);
  }
});

const unknown = [
  '/no/such/page',
  '/wp-login.php',
  '/.well-known/security.txt',
  '/.env',
  '/favicon.ico',
  '/index.html',
  '/routes.json',
  '/sitemap.xml',
  '/sign-in/more',
  '/sign-in.php',
  '//sign-in',
  '/emails',
  '/w',
  '/w/',
  '/w//leads',
  '/w/x/nothing',
  '/w/x/leads/y/z',
  '/operator/nothing',
  '/%00',
  '/%ff',
  '/w/../../etc/passwd',
  '/apidocs',
  '/docsx',
  '/sdk.js',
];

test.each(unknown)(
  '%s is not found, and its page is the one of the settings area, which says so',
  async (path) => {
    await expectPage(path, 404);
  },
);

test('what the service finds is what the router finds, in any spelling', async () => {
  const part = fc.constantFrom(
    'w',
    'W',
    'x',
    'leads',
    'forms',
    'tokens',
    'diagnostics',
    'sign-in',
    'Operator',
    '',
    '.',
    'a b',
    'ü',
    '%',
  );
  const paths = fc
    .array(part, { maxLength: 5 })
    .map((parts) => `/${parts.map(encodeURIComponent).join('/')}`);
  await fc.assert(
    fc.asyncProperty(paths, async (path) => {
      const [, params, found] = router.getMatchedRoutes(path) as [
        unknown,
        Record<string, string>,
        object | undefined,
      ];
      // The rest of a path that is longer than its route.
      const isFound = found !== undefined && params['**'] === undefined;
      expect([path, await rawStatus(path)]).toEqual([path, isFound ? 200 : 404]);
    }),
    { numRuns: 300 },
  );
});

/** Unlike fetch, it sends the path as it is. */
function rawStatus(path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    request({ hostname, port, path }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
}

test('robots.txt lets crawlers read the SDK that pages load, and nothing else', async () => {
  const response = await get('/robots.txt');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await response.text()).toBe('User-agent: *\nAllow: /sdk/\nDisallow: /\n');
});

test.each(['/docs/nothing', '/sdk', '/sdk/nothing'])('%s is not found, and not that page', async (path) => {
  const response = await get(path);
  expect(response.status).toBe(404);
  expect(await response.text()).not.toContain('<div id="app">');
});

test('the build is for production, even when tests started it', async () => {
  // Only a development build contains the source line of each element.
  expect(await (await get(await scriptPath())).text()).not.toContain('jsxDEV');
});

test('the page allows only scripts from files of the service, and styles by a nonce used once', async () => {
  const [first, second] = await Promise.all([get('/'), get('/')]);
  const policy = first.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).not.toContain('unsafe');
  expect(policy).not.toBe(second.headers.get('content-security-policy'));
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  const html = await first.text();
  expect(html).toContain(`<meta property="csp-nonce" nonce="${nonce}"`);
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
  expect(html).not.toContain('__');
});

test('a hashed file is compressed and cached permanently', async () => {
  const response = await get(await scriptPath(), { headers: { 'accept-encoding': 'br' } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-encoding')).toBe('br');
  expect(response.headers.get('cache-control')).toContain('immutable');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  const plain = await get(await scriptPath(), { headers: { 'accept-encoding': 'identity' } });
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(await plain.text()).toBe(await response.text());
});

test('a missing file is not found, and no path leads out of the build', async () => {
  expect((await get('/assets/nothing.js')).status).toBe(404);
  expect((await get('/assets/..%2f..%2f..%2fpackage.json')).status).toBe(404);
});

test('paths below /api are never the page', async () => {
  const response = await get('/api/v1/nothing');
  expect(response.status).toBe(404);
  expect(response.headers.get('content-type')).toContain('application/problem+json');
  expect((await get('/api')).status).toBe(404);
});

test('only GET and HEAD get the page', async () => {
  expect((await get('/', { method: 'POST' })).status).toBe(404);
  const head = await get('/', { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

/** The scripts that a page needs before it shows anything: those of the entry, and all that they import. */
function scriptsOfFirstPage(folder: string): Set<string> {
  const found = new Set<string>();
  const add = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    const code = readFileSync(join(folder, 'assets', name), 'utf8');
    for (const [, imported] of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
      add(imported as string);
  };
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  for (const [, name] of page.matchAll(/<script [^>]*src="\/assets\/([^"]+)"/g)) add(name as string);
  return found;
}

test('the overview needs at most 200 KB of script, and no other page comes with it', () => {
  const folder = inject('webApp');
  const scripts = [...scriptsOfFirstPage(folder)];
  const bytes = scripts.map((name) => statSync(join(folder, 'assets', `${name}.br`)).size);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(200_000);
  expect(scripts.length).toBeLessThanOrEqual(16);
  const code = scripts.map((name) => readFileSync(join(folder, 'assets', name), 'utf8')).join('\n');
  // Texts of the overview and of other pages.
  expect(code).toContain('Newest leads');
  for (const text of ['Operator audit log', 'Ingest tokens yet', 'Confirm it’s you'])
    expect(code).not.toContain(text);
});
